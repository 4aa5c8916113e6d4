fn main() { let none: Vec<i32> = std::env::args().skip(9).map(|_| 1).collect(); println!("{}", none[0]); }
