// The tests are a module that stands first: macros of the program do not reach it, and the two sides of a comparison are of one type.
// No program holds the harness's names.
mod @entry@_tests {
    #[allow(unused_imports)]
    use super::*;
    // What is named here is std's own, whatever the program calls so.
    #[allow(unused_imports)]
    use ::std::{
        assert, assert_ne, boxed::Box, collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque}, eprintln, format, matches, panic, print, println, option::Option::{self, None, Some}, result::Result::{self, Err, Ok}, string::{String, ToString},
        vec, vec::Vec,
    };
    #[allow(unused_imports)]
    use ::std::primitive::{
        bool, char, f32, f64, i128, i16, i32, i64, i8, isize, str, u128, u16, u32, u64, u8, usize,
    };
    #[allow(unused_macros)]
    macro_rules! assert_eq {
        ($left:expr, $right:expr $(, $($told:tt)*)?) => { if !crate::@entry@_harness::same(&$left, &$right) { loop { ::std::process::exit(1) } } };
    }
@tests@
}
@program@
@close@

mod @entry@_harness {
    /// Remembered, as a program may have its own of what ends a process.
    static FAILED: ::core::sync::atomic::AtomicBool = ::core::sync::atomic::AtomicBool::new(false);

    pub fn finish(token: &[u8]) {
        if !FAILED.load(::core::sync::atomic::Ordering::SeqCst) {
            tell(token);
        }
    }

    // Made here, as the library's functions could be the program's.
    #[cfg(target_arch = "x86_64")]
    fn call(number: [usize; 2], descriptor: usize, at: *const u8, size: usize) -> isize {
        let result: isize;
        unsafe {
            ::core::arch::asm!("syscall", inlateout("rax") number[0] as isize => result, in("rdi") descriptor, in("rsi") at, in("rdx") size,
                lateout("rcx") _, lateout("r11") _);
        }
        result
    }

    #[cfg(target_arch = "aarch64")]
    fn call(number: [usize; 2], descriptor: usize, at: *const u8, size: usize) -> isize {
        let result: isize;
        unsafe {
            ::core::arch::asm!("svc 0", in("x8") number[1], inlateout("x0") descriptor as isize => result, in("x1") at, in("x2") size);
        }
        result
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn call(number: [usize; 2], descriptor: usize, at: *const u8, size: usize) -> isize {
        use ::std::{io::{Read, Write}, os::unix::io::FromRawFd, slice};
        let mut file = ::std::mem::ManuallyDrop::new(unsafe { ::std::fs::File::from_raw_fd(descriptor as i32) });
        let done = match number {
            READ => file.read(unsafe { slice::from_raw_parts_mut(at as *mut u8, size) }),
            _ => file.write(unsafe { slice::from_raw_parts(at, size) }),
        };
        done.map_or(-1, |size| size as isize)
    }

    const READ: [usize; 2] = [0, 63];
    const WRITE: [usize; 2] = [1, 64];

    fn tell(mut text: &[u8]) {
        while !text.is_empty() {
            let written = call(WRITE, 4, text.as_ptr(), text.len());
            if written <= 0 {
                loop { ::std::process::exit(3) }
            }
            text = &text[written as usize..];
        }
    }

    /// A line of at most 256 bytes, taken before anything of the program runs that is not its own way around `main`, so that none is left on the
    /// descriptor; and not on the heap, which could be the program's.
    pub fn token() -> ([u8; 257], usize) {
        let mut line = [0u8; 257];
        let read = call(READ, 3, line.as_mut_ptr(), 256).max(0) as usize;
        let size = line[..read].iter().position(|b| *b == b'\n').unwrap_or(read);
        line[size] = b'\n';
        (line, size + 1)
    }

    pub fn same<T: ::core::cmp::PartialEq + ::core::fmt::Debug>(left: &T, right: &T) -> bool {
        if left == right {
            return true;
        }
        ::std::eprintln!("assertion `left == right` failed\n  left: {:?}\n right: {:?}", left, right);
        tell(b"failed\n");
        FAILED.store(true, ::core::sync::atomic::Ordering::SeqCst);
        false
    }
}

fn main() {
    let (token, size) = @entry@_harness::token();
    @entry@_tests::@entry@_main();
    @entry@_harness::finish(&token[..size]);
}
