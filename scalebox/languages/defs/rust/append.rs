// The tests are a module that stands first: macros of the program do not reach it, and the two sides of a comparison are of one type.
mod scalebox_tests {
    #[allow(unused_imports)]
    use super::*;
    // What is named here is std's own, whatever the program calls so.
    #[allow(unused_imports)]
    use ::std::{
        assert, assert_ne, boxed::Box, format, option::Option::{self, None, Some}, result::Result::{self, Err, Ok}, string::{String, ToString},
        vec, vec::Vec,
    };
    #[allow(unused_imports)]
    use ::std::primitive::{
        bool, char, f32, f64, i128, i16, i32, i64, i8, isize, str, u128, u16, u32, u64, u8, usize,
    };
    #[allow(unused_macros)]
    macro_rules! assert_eq {
        ($left:expr, $right:expr $(, $($told:tt)*)?) => { if !crate::scalebox_harness::same(&$left, &$right) { ::std::process::exit(1) } };
    }
@tests@
}
@program@
@close@

mod scalebox_harness {
    // One of the two descriptors, which stays open. Blocks of foreign functions are written in one way up to Rust 2021 and in another after it.
    fn channel(descriptor: i32) -> ::std::mem::ManuallyDrop<::std::fs::File> {
        use ::std::os::unix::io::FromRawFd;
        ::std::mem::ManuallyDrop::new(unsafe { ::std::fs::File::from_raw_fd(descriptor) })
    }

    pub fn tell(text: &[u8]) {
        use ::std::io::Write;
        if channel(4).write_all(text).is_err() {
            ::std::process::exit(3)
        }
    }

    pub fn token() -> ::std::vec::Vec<u8> {
        use ::std::io::Read;
        let mut bytes = [0u8; 256];
        let read = channel(3).read(&mut bytes).unwrap_or(0);
        let mut line: ::std::vec::Vec<u8> = bytes[..read].split(|b| *b == b'\n').next().unwrap_or(&[]).to_vec();
        line.push(b'\n');
        line
    }

    pub fn same<T: ::core::cmp::PartialEq + ::core::fmt::Debug>(left: &T, right: &T) -> bool {
        if left == right {
            return true;
        }
        ::std::eprintln!("assertion `left == right` failed\n  left: {:?}\n right: {:?}", left, right);
        tell(b"failed\n");
        false
    }
}

fn main() {
    scalebox_tests::scalebox_main();
    scalebox_harness::tell(&scalebox_harness::token());
}
