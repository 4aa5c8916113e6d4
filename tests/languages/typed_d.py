"""D."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
import std.algorithm, std.array, std.typecons;
auto f(int[] ints, ref const(ubyte[])[] grid, long big, double x, const string[] words, bool truth, Nullable!int none,
       int[][string] named, string[long] numbered)
{
    ints.reverse();
    grid ~= [ubyte(9)];
    return tuple(ints, grid, big, [x, 1e300, 1e-9, 3.0, double.nan, -1 / 0.0], words.dup.reverse, !truth, none, named, numbered);
}
"""

_FUNCTIONS: Final = [
    Row(
        language="d",
        source="class Solution {\n    int[] twoSum(int[] nums, int target) { return [nums[0], target]; }\n}",
        function="twoSum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="d",
        source="// A comment\nmodule solution;\nimport std.conv;\nstruct Solution { int n = 2; static int f(string s) { return 1; } }\n"
        "private string f(string s) { return s ~ \"z\"; }\nint f(string s, int[] k, char c = 'x') { return s.to!int + k[0] + (c == 'x'); }\nint main() { return 3; }",
        args=["12", [3]],
        answer=16,
    ),
    Row(
        language="d",
        source="import std.typecons, std.bigint;\n"
        "auto f(Tuple!(int, dchar) p, BigInt b, float[2] q, ulong u, char[][] g) { return tuple(p[1], b * b, q[].dup, u, g); }",
        args=[{"$tuple": [1, "é"]}, -(2**70), [1, 0.1], 2**64 - 1, [["a", "b"], "cd"]],
        answer=["é", 2**140, [1.0, 0.1], 2**64 - 1, ["ab", "cd"]],
    ),
    Row(
        language="d",
        source="struct Solution { int n = 5; int f(int x) { return n + x; } private int f(int x, int y) { return 0; } }",
        args=[2],
        answer=7,
    ),
    Row(
        language="d",
        source="class A { static string f(dstring s) { return s.to!string; } }",
        function="A.f",
        args=["é😀"],
        answer="é😀",
    ),
    Row(language="d", source="string f() { return null; }", args=[], answer=""),
    Row(language="d", source="void f(int[] v) { v[0] = 4; }", args=[[1]], answer=[4], mutated=0),
    Row(language="d", source='void f(ref string v, int k) { v ~= "x"; }', args=["a", 1], answer="ax", mutated=0),
]

_NAMES: Final = [
    Row(
        language="d",
        source="""module main;
import std.stdio;
@safe:
nothrow:
alias string = int; alias size_t = byte; struct Tuple {} struct Nullable {} struct BigInt {} int snprintf, exit, to, array, decode;
struct Value { bool opEquals(T)(T x) const { return true; } }
int write(int x) { return 1; }
int read(int x) { return 1; }
double[] f(double x) @trusted { try { stdout.write("{\\"$int\\":1}\\n"); } catch (Throwable) {} return [x, x / 10]; }
int main() { return 4; }
""",
        args=[2.5],
        answer=[2.5, 0.25],
    ),
]

_FAILURES: Final = [
    Row(language="d", source="import core.stdc.stdlib;\nint f(int x) { exit(0); return x; }", args=[1]),
    Row(language="d", source='int f(int x) { throw new Exception(""); }', args=[1]),
    Row(
        language="d", source="static this() { import core.stdc.stdlib; exit(0); }\nint f(int x) { return x; }", args=[1]
    ),
    Row(language="d", source="int f(int x) { return x; }", args=[3000000000]),
    Row(language="d", source="int f(ubyte x) { return x; }", args=[-1]),
    Row(language="d", source="int f(string x) { return 1; }", args=[1]),
    Row(language="d", source="int f(int x) { return 1; }", args=["1"]),
    Row(language="d", source="int f(int x) { return 1; }", args=[None]),
    Row(language="d", source="int f(int[2] x) { return 1; }", args=[[1, 2, 3]]),
    Row(language="d", source="struct Node { Node* next; } int f(Node x) { return 1; }", args=[[1]]),
    Row(language="d", source="struct Node { Node* next; } Node f(int x) { return Node(); }", args=[1]),
    Row(language="d", source="int f() { return 1; }", args=[1]),
    Row(language="d", source="void main() {} int g(int x) { return x; }", args=[1]),
]

_WRONG: Final = [
    Row(language="d", source='string f(int x) { return "1"; }', args=[1], answer=1),
]

PROGRAMS: Final = Programs(
    everything=Row(language="d", source=_EVERYTHING, args=MANY, answer=VALUES),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
