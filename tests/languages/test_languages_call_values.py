"""Values cross to programs of every dynamic language and back, and compare as they should; only a call that returns gives one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest
from languages.language_runs import call

from scalebox.checkers.values import compare_values
from scalebox.core import plain
from scalebox.core.verdict import Verdict

SAME: Final = {
    "javascript": "function f(x) { return x; }",
    "typescript": "const f = <T>(x: T): T => x;",
    "php": "<?php\nfunction f($x) { return $x; }",
    "lua": "local function f(x) return x end",
    "perl": "sub f { my ($x) = @_; return $x; }",
    "ruby": "def f(x) = x",
    "r": "f <- function(x) x",
    "racket": "#lang racket\n(define (f x) x)",
    "elixir": "defmodule Solution do\n  def f(x), do: x\nend",
    "pypy": "def f(x):\n    return x",
    "java": "class Solution {\n    public Object f(Object x) { return x; }\n}",
    "go": "package main\n\nfunc f(x any) any { return x }",
}
"""The function that returns its argument."""

METHOD: Final = {
    "javascript": "class Solution { f(a, b) { return a + b; } }",
    "typescript": "class Solution { private n = 0; f(a: number, b: number): number { return a + b + this.n; } }",
    "php": "<?php\nclass Solution { function f($a, $b) { return $a + $b; } } ?>",
    "perl": "package Solution;\nsub new { return bless {}, shift; }\nsub f { my ($self, $x, $y) = @_; return $x + $y; }\n1;",
    "ruby": "class Solution\n  def f(a, b)\n    a + b\n  end\nend",
    "pypy": "class Solution:\n    def f(self, a, b):\n        return a + b",
    "java": "class Solution {\n    public long f(int a, long b) { return a + b; }\n}",
}

EXITS: Final = {
    "javascript": "function f(x) { process.exit(0); }",
    "typescript": "function f(x: any) { process.exit(0); }",
    "php": "<?php\nfunction f($x) { exit(0); }",
    "lua": "function f(x) os.exit(0) end",
    "perl": "sub f { exit 0; }",
    "ruby": "def f(x) = exit(0)",
    "r": "f <- function(x) quit(status = 0)",
    "racket": "#lang racket\n(define (f x) (exit 0))",
    "elixir": "defmodule Solution do\n  def f(_), do: System.halt(0)\nend",
    "pypy": "import os\ndef f(x):\n    os._exit(0)",
    "java": "class Solution {\n    static int f(int x) { System.exit(0); return x; }\n}",
    "go": 'import "os"\n\nfunc f(x int) int { os.Exit(0); return x }',
}

VALUES: Final[list[object]] = [
    0,
    -7,
    1.5,
    1e-9,
    2**53 - 1,
    True,
    False,
    "",
    "5",
    'a "quoted" \\ line\n\ttab \x01',
    "žluťoučký 🐍",
    [],
    [1, 2, 3],
    [[1, 2], [], [3]],
    ["a", "b"],
    [1, "a", True, 2.5],
    {"a": 1, "b": [1, 2]},
    {"k": {"inner": "x"}},
]


QUICK: Final = frozenset({"javascript", "lua", "perl", "php", "ruby"})
"""Of these the default run takes part; the rest is `make test-languages`."""


def marked(names: Iterable[str]) -> list[object]:
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.languages) for name in names]


def verdict(
    name: str, source: str, args: list[object], answer: object, *, function: str = "f", **more: object
) -> Verdict | str:
    ran = call(source, function, args, name=name, **more)  # type: ignore[arg-type]
    if ran.exit_code != 0 or not ran.value.endswith(b"\n"):
        return f"exit {ran.exit_code}, {ran.value!r}, {ran.stderr[-600:]}"
    found = compare_values(plain.loads(ran.value[:-1]), answer, None)
    return found.verdict if found.verdict is Verdict.AC else f"{found.detail}: {ran.value!r}"


@pytest.mark.parametrize("name", marked(SAME))
def test_a_value_comes_back_as_it_went(name: str) -> None:
    """All at once, each in a list of its own, so that each language's process starts once."""
    assert verdict(name, SAME[name], [[[value] for value in VALUES]], [[value] for value in VALUES]) is Verdict.AC


@pytest.mark.parametrize("name", marked(SAME))
def test_another_value_is_another(name: str) -> None:
    assert verdict(name, SAME[name], [[1, 2, 3]], [1, 2, 4]) is not Verdict.AC
    assert verdict(name, SAME[name], ["5 "], 5) is not Verdict.AC


@pytest.mark.parametrize("name", marked(METHOD))
def test_a_method_of_the_solution_is_called(name: str) -> None:
    assert verdict(name, METHOD[name], [2, 3], 5) is Verdict.AC


@pytest.mark.parametrize("name", marked(EXITS))
def test_an_exit_gives_no_value(name: str) -> None:
    assert call(EXITS[name], "f", [1], name=name).value == b""


AS_WRITTEN: Final = [
    ("perl", "use strict;\nuse warnings;\nsub f { my ($x, $y) = @_; return $x / $y; }\n1;\n", [7, 2], 3.5),
    ("perl", "use v5.36;\nsub f ($x, $y) { return [$x, $y]; }\n", [1, "é"], [1, "é"]),
    (
        "perl",
        "package Solution;\nuse strict;\nsub new { return bless {}, shift; }\nsub f { return $_[1]; }\n1;\n",
        [5],
        5,
    ),
    (
        "elixir",
        "defmodule Helper do\n  def g(x), do: x\nend\ndefmodule Doubled do\n  def f(x), do: 2 * Helper.g(x)\nend\n",
        [2],
        4,
    ),
    ("ocaml", "let f x = x + 1\n\nlet () =\n  let n = read_int () in\n\n  print_int (f n)\n\nlet g = f\n", [1], 2),
    ("ocaml", 'let f x = x + 1\nlet () = Scanf.scanf " %d" (fun n -> print_int (f n))\n', [1], 2),
    ("ocaml", "let t = Hashtbl.create 3\nlet () = Hashtbl.add t 1 2\nlet f x : int = Hashtbl.find t x\n", [1], 2),
    (
        "ocaml",
        "let t = Hashtbl.create 3\nlet () = (* not from stdin *) Hashtbl.add t 1 2\n\nlet f x : int = Hashtbl.find t x\n\nlet main () = let n = read_int () in print_int (f n)\n",
        [1],
        2,
    ),
    (
        "scala",
        "abstract class B { def f(x: Int): Int = g(x) + 1; def g(x: Int): Int }\nclass Solution extends B { def g(x: Int) = x }\n",
        [1],
        2,
    ),
    ("lua", "local function f(x) return x end\nreturn f\n", [1], 1),
    ("lua", "function f(x)\n  return x\nend\nreturn {\n  f = f,\n}\n", [2], 2),
    ("lua", "function f(x)\nreturn x\nend\n", [3], 3),
    ("ruby", "def f(x) = x\nif __FILE__ == $PROGRAM_NAME\n  puts f(Integer(gets))\nend\n", [3], 3),
    (
        "javascript",
        "function f(x) { return x; }\nif (require.main === module) { console.log(f(1)); process.exit(0); }\n",
        [3],
        3,
    ),
]
"""What programs of the quick languages say beside their function."""


@pytest.mark.parametrize(("name", "source", "args", "answer"), AS_WRITTEN)
def test_a_program_says_more_than_its_function(name: str, source: str, args: list[object], answer: object) -> None:
    assert verdict(name, source, args, answer) is Verdict.AC


TYPED: Final = [
    ("pypy", "def f(x):\n    return x\nif __name__ == '__main__':\n    print(f(int(input())))\n", [3], 3),
    (
        "pypy",
        "class Solution:\n    def f(self, x: List[int]) -> int:\n        return gcd(*x) + len(Counter(x))\n",
        [[4, 6]],
        4,
    ),
    ("pypy", "def f(n):\n    return pow(2, n, 1000) + isqrt(n)\n", [10], 27),
    ("pypy", "from __future__ import annotations\nimport math\ndef f(x):\n    return math.gcd(x, 6)\n", [4], 2),
    (
        "typescript",
        "export const f = (x: number) => x;\nif (require.main === module) { console.log(f(1)); process.exit(0); }\n",
        [3],
        3,
    ),
    (
        "cpp",
        "class Solution { public: tuple<int, queue<int>, stack<vector<int>>, priority_queue<int>, unordered_map<char, int>> "
        "f(queue<int> a, stack<vector<int>>& b, priority_queue<int> c, unordered_map<char, int> d) { int n = a.front(); a.pop(); d['b'] = 1; return {n, a, b, c, d}; } };",
        [[3, 1, 2], [[1], [2]], [1, 3, 2], {"a": 7}],
        [3, [1, 2], [[1], [2]], [3, 2, 1], {"a": 7, "b": 1}],
    ),
    ("java", "interface S { default int f(int x) { return x + 1; } } class Solution implements S { }", [1], 2),
    (
        "java",
        "public class Main { class Solution { int f(int x) { return x + 1; } } public static void main(String[] a) { } }",
        [1],
        2,
    ),
    ("java", "class Other { int g; } class TwoSum { static int f(int x) { return x + 1; } }", [1], 2),
    (
        "java",
        "class Solution { int f(double a) { return -1; } int f(Object a) { return -1; } int f(int a) { return a; } }",
        [1],
        1,
    ),
    (
        "java",
        "import java.util.ArrayList;\nclass Solution { List<Integer> f(int a) { return new ArrayList<>(List.of(a)); } }",
        [1],
        [1],
    ),
    (
        "java",
        "class Solution { List<Object> f(int a) { return Arrays.asList(OptionalInt.of(a), OptionalDouble.empty(), Map.entry(a, 2), IntStream.range(0, 2)); } }",
        [1],
        [1, None, [1, 2], [0, 1]],
    ),
    ("cpp", "multiset<int> f(int n) { return {2, n, n}; }", [1], [1, 1, 2]),
    ("cpp", "multimap<int, int> f(int n) { return {{n, 2}, {n, 3}}; }", [1], [[1, 2], [1, 3]]),
    (
        "cpp",
        "long long f(int a[], int n, string* s, const double* x) { a[0] = n; return a[0] + a[1] + (int)s[1].size() + (int)x[0]; }",
        [[7, 1], 2, ["", "abc"], [4.5]],
        10,
    ),
    ("cpp", "int f(int n, vector<int> near[]) { return near[n - 1][0]; }", [2, [[], [5]]], 5),
    (
        "java",
        "class Solution {\n  public List<Object> f(PriorityQueue<Integer> a, Stack<Integer> b, ArrayDeque<Integer> c, SortedSet<Integer> d, NavigableMap<Integer, String> e,\n"
        "      Optional<Integer> g, Optional<Integer> h, List<Integer>[][] i, Iterable<Integer> j, Object k) {\n"
        "    return Arrays.asList(a.peek(), b.peek(), c.peekLast(), d.first(), e.firstKey(), g.orElse(7), h.get(), i[0][1].get(0), j.iterator().next(), k);\n  }\n}",
        [[3, 1, 2], [3, 1, 2], [3, 1, 2], [3, 1, 2], {"3": "x", "2": "y"}, None, 5, [[[1], [2]]], [9], [1]],
        [1, 2, 2, 1, 2, 7, 5, 2, 9, [1]],
    ),
    (
        "java",
        "import java.util.*;\nclass Solution { public int[][] f(int[][] m, char c, List<List<Integer>> l, Map<String, Double> d) "
        "{ return new int[][] {{m[0][0] + l.get(0).get(1), c - 'a', (int) (d.get(\"k\") * 2)}}; } }",
        [[[1]], "c", [[2, 3]], {"k": 2.5}],
        [[4, 2, 5]],
    ),
    (
        "java",
        "class Solution { public boolean[] f(String[] s) { return new boolean[] {s[0] == s[1], s[0].equals(s[1])}; } }",
        [["a", "b"]],
        [False, False],
    ),
    (
        "go",
        "func f(m [][]int, c byte, d map[string]float64) []float64 { return []float64{float64(m[0][0]), float64(c - 'a'), d[\"k\"]} }",
        [[[1]], "c", {"k": 2.5}],
        [1, 2, 2.5],
    ),
    ("go", "func f(s []byte) [][]byte { s[0], s[1] = s[1], s[0]; return [][]byte{s} }", [["h", "i"]], [["i", "h"]]),
    ("go", "func f(s string) []rune { return []rune(s) }", ["é!"], ["é", "!"]),
    (
        "go",
        "func f(s string) []any { m, n := map[rune]int{}, map[byte]bool{}; for _, c := range s { m[c]++; n[byte(c)] = true }; return []any{m, n} }",
        ["aab"],
        [{"a": 2, "b": 1}, {"97": True, "98": True}],
    ),
    ("go", "func f(n int32, b byte) []any { return []any{n, b, map[int32]int{n: 1}} }", [65, 66], [65, 66, {"65": 1}]),
    (
        "java",
        'class Solution { private int f(String s) { return 3; } public int f(int[] a) { return a.length + f("x"); } '
        "public int f(String[] a) { return -1; } public int f(double x) { return -2; } }",
        [[1, 2]],
        5,
    ),
    (
        "java",
        "class Base { public int f(Map<Character, Integer> m) { return m.get('a'); } } class Solution extends Base { }",
        [{"a": 7}],
        7,
    ),
]
"""Signatures as LeetCode has them."""


@pytest.mark.languages
@pytest.mark.parametrize(("name", "source", "args", "answer"), TYPED)
def test_declared_types_decide_what_an_argument_becomes(
    name: str, source: str, args: list[object], answer: object
) -> None:
    assert verdict(name, source, args, answer) is Verdict.AC


@pytest.mark.languages
@pytest.mark.parametrize(
    ("name", "source", "mutated"),
    [
        ("javascript", "var f = function(nums) { nums.push(4); };", [1, 4]),
        ("php", "<?php\nfunction f(&$nums) { $nums[] = 4; }", [1, 4]),
        ("java", "class Solution { public void f(int[] nums) { nums[0] = 4; } }", [4]),
        ("go", "func f(nums []int) { nums[0] = 4 }", [4]),
        ("ruby", "def f(nums)\n  nums << 4\nend", [1, 4]),
    ],
)
def test_an_argument_that_is_changed_in_place_is_the_value(name: str, source: str, mutated: list[int]) -> None:
    assert verdict(name, source, [[1]], mutated, mutated=0) is Verdict.AC


NAMED: Final = [
    ("racket", "(define (pair->sum p) (apply + p))", "pair->sum"),
    ("racket", "(define (all-of? p) (apply + p))", "all-of?"),
    ("ruby", "def sum!(p) = p.sum", "sum!"),
    ("ruby", "class Solution\n  def sum?(p) = p.sum\nend", "Solution().sum?"),
    ("elixir", "defmodule Solution do\n  def sum!(p), do: Enum.sum(p)\nend", "sum!"),
    ("r", "sum.of <- function(p) sum(p)", "sum.of"),
    ("haskell", "sum' :: [Int] -> Int\nsum' = sum", "sum'"),
    ("ocaml", "let sum' p = List.fold_left ( + ) 0 p", "sum'"),
    ("javascript", "module.exports = { $f: (p) => p[0] + p[1] };", "module.exports.$f"),
    ("php", "<?php\nclass A { static function f($p) { return array_sum($p); } }", "A.f"),
]
"""Programs with the names that their languages have."""


@pytest.mark.parametrize(
    ("name", "source", "function"),
    [pytest.param(*row, marks=() if row[0] in QUICK else pytest.mark.languages) for row in NAMED],
)
def test_functions_are_called_as_the_language_has_it(name: str, source: str, function: str) -> None:
    assert verdict(name, source, [[2, 3]], 5, function=function) is Verdict.AC
