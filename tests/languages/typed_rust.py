"""Rust."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
use std::collections::{BTreeMap, HashMap};
type Reals = Vec<f64>;
fn f(mut ints: Vec<i32>, grid: &mut Vec<Vec<u8>>, big: i64, x: f64, words: &[String], truth: bool, none: Option<usize>,
     named: HashMap<String, Vec<i32>>, numbered: BTreeMap<i64, &str>)
     -> (Vec<i32>, Vec<Vec<u8>>, i64, Reals, Vec<String>, bool, Option<usize>, HashMap<String, Vec<i32>>, BTreeMap<i64, String>) {
    ints.reverse();
    grid.push(vec![9]);
    let turned = words.iter().rev().cloned().collect();
    let numbered = numbered.into_iter().map(|(k, v)| (k, v.to_string())).collect();
    (ints, grid.clone(), big, vec![x, 1e300, 1e-9, 3.0, f64::NAN, -1.0 / 0.0], turned, !truth, none, named, numbered)
}
"""

_FUNCTIONS: Final = [
    Row(
        language="rust",
        source="impl Solution {\n    pub fn two_sum(nums: Vec<i32>, target: i32) -> Vec<i32> { vec![nums[0], target] }\n}",
        function="two_sum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="rust",
        source="struct Solution { n: i32 }\nimpl Solution {\n    fn new() -> Self { Self { n: 5 } }\n"
        "    fn f(&mut self, x: i32) -> i32 { self.n += x; self.n }\n}",
        args=[2],
        answer=7,
    ),
    Row(
        language="rust",
        source="#[derive(Default)] struct Solution { n: i32 }\nimpl Solution { fn new(x: i32) -> i32 { x } fn f(&self, s: &str) -> String { s.repeat(2) } }",
        args=["ab"],
        answer="abab",
    ),
    Row(
        language="rust",
        source="use std::collections::HashSet;\nimpl Solution { fn f() -> i32 { 1 } }\n"
        "fn f<'a>(set: HashSet<i32>, ends: (i32, char), four: [u128; 2], s: &'a str) -> Result<(usize, char, u128, &'a str), String> {\n"
        "    Ok((set.len(), ends.1, four[1], &s[1..]))\n}",
        args=[{"$set": [1, 2]}, {"$tuple": [1, "é"]}, [0, 2**128 - 1], "abc"],
        answer=[2, "é", 2**128 - 1, "bc"],
    ),
    Row(language="rust", source='fn f() -> &\'static str { "" }', args=[], answer=""),
    Row(language="rust", source="fn f(v: &mut Vec<i32>) { v.push(4); }", args=[[1]], answer=[1, 4], mutated=0),
    Row(language="rust", source="fn f(mut v: Vec<i32>) { v.push(4); }", args=[[1]], answer=[1], mutated=0),
    Row(
        language="rust2018",
        source="fn f(v: &mut [i32], s: &mut String) -> i32 { s.push('x'); v[0] }",
        args=[[1], "s"],
        answer="sx",
        mutated=1,
    ),
    Row(
        language="rust2024",
        source="fn f(v: &mut [i32], s: Box<str>) -> i32 { v.sort(); v[0] }",
        args=[[2, 1], "s"],
        answer=1,
    ),
]

_NAMES: Final = [
    Row(
        language="rust",
        source="""#![allow(dead_code)]
//! The names of everything that a harness might use.
struct Vec; struct String; enum Option { Some, None } struct HashMap; struct Box; struct Reader; struct f64; struct bool; struct Solution;
mod std { pub fn write() {} } mod core {}
trait Encode { fn encode(&self) -> i32; }
impl<T> Encode for T { fn encode(&self) -> i32 { 5 } }
trait Decode { fn decode() -> i32; }
impl Decode for i64 { fn decode() -> i32 { 6 } }
macro_rules! println { ($($t:tt)*) => { compile_error!("no") } }
macro_rules! format { ($($t:tt)*) => { compile_error!("no") } }
macro_rules! matches { ($($t:tt)*) => { compile_error!("no") } }
macro_rules! eprintln { ($($t:tt)*) => { compile_error!("no") } }
macro_rules! vec { ($($t:tt)*) => { compile_error!("no") } }
macro_rules! scalebox_reals { ($($t:tt)*) => { compile_error!("no") } }
fn run() {} fn drop() {} fn fail() {} fn held() {}
fn f(x: i64) -> i64 { ::std::print!("{}", "{\\"$int\\":1}\\n"); x }
fn main() { f(1); ::std::process::exit(0) }
""",
        args=[-(2**63)],
        answer=-(2**63),
    ),
]

_FAILURES: Final = [
    Row(language="rust", source="fn f(x: i32) -> i32 { std::process::exit(0) }", args=[1]),
    Row(language="rust", source="fn f(x: i32) -> i32 { panic!() }", args=[1]),
    Row(language="rust", source="fn f(x: i32) -> i32 { x }", args=[3000000000]),
    Row(language="rust", source="fn f(x: u8) -> u8 { x }", args=[-1]),
    Row(language="rust", source="fn f(x: String) -> i32 { 1 }", args=[1]),
    Row(language="rust", source="fn f(x: Vec<i32>) -> i32 { 1 }", args=["12"]),
    Row(language="rust", source="fn f(x: (i32, i32)) -> i32 { 1 }", args=[[1, 2, 3]]),
    Row(language="rust", source="struct Node;\nfn f(x: Node) -> i32 { 1 }", args=[1]),
    Row(language="rust", source="struct Node;\nfn f(x: i32) -> Node { Node }", args=[1]),
    Row(language="rust", source="fn f() -> i32 { 1 }", args=[1]),
    Row(language="rust", source="fn main() { std::process::exit(0) }\nfn g(x: i32) -> i32 { x }", args=[1]),
]

_WRONG: Final = [
    Row(
        language="rust",
        source="struct Any;\nimpl PartialEq<Any> for i32 { fn eq(&self, _: &Any) -> bool { true } }\nfn f(x: i32) -> i32 { x + 1 }",
        args=[1],
        answer=1,
    ),
    Row(language="rust", source="fn f(x: i32) -> Result<i32, i32> { Err(x) }", args=[1], answer=1),
    Row(language="rust", source="fn f(x: f32) -> f32 { x }", args=[0.1], answer=0.2),
]

PROGRAMS: Final = Programs(
    everything=Row(language="rust", source=_EVERYTHING, args=MANY, answer=VALUES),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
