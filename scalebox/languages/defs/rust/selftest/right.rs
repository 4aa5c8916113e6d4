use std::collections::HashMap;
use std::io::{self, Read};

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let mut seen = HashMap::new();
    for number in &numbers {
        *seen.entry(number).or_insert(0) += 1;
    }
    println!("{}", seen.iter().map(|(number, times)| **number * times).sum::<i64>());
}
