"""C#, by .NET and by Mono."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
using System;
using System.Collections.Generic;
using System.Linq;
public class Solution {
    public object[] F(List<int> ints, IList<IList<int>> grid, long big, double x, string[] words, bool truth, int? none,
                      Dictionary<string, int[]> named, SortedDictionary<long, string> numbered) {
        ints.Reverse();
        grid.Add(new[] {9});
        return new object[] {ints, grid, big, new[] {x, 1e300, 1e-9, 3.0, double.NaN, -1 / 0.0}, words.Reverse(), !truth, none, named, numbered};
    }
}
"""

_FUNCTIONS: Final = [
    Row(
        language="csharp",
        source="public abstract class Base { public int f(int x) => G(x) + 1; protected abstract int G(int x); } public class Solution : Base { protected override int G(int x) => x; }",
        args=[1],
        answer=2,
    ),
    Row(
        language="csharp",
        source='class Solution { public string f(double a) => "d"; public string f(object a) => "o"; public string f(int a) => "i"; }',
        args=[1],
        answer="i",
    ),
    Row(
        language="csharp",
        source="using System;\npublic class Solution { int k; public Solution(int k = 3) { this.k = k; } public List<int> f(int x) => new List<int> { Math.Max(k, x) }; }",
        args=[1],
        answer=[3],
    ),
    Row(
        language="csharp",
        source="public class Solution {\n    public int[] TwoSum(int[] nums, int target) { return new int[] {nums[0], target}; }\n}",
        function="TwoSum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="csharp",
        source="using System;\nnamespace A.B {\n    static class Problem { static string f(string s, char c = 'z') => s + c; }\n"
        "    class Program { static void Main() { Environment.Exit(0); } }\n}",
        args=["a"],
        answer="az",
    ),
    Row(
        language="csharp",
        source="class Other { string f(int a, int b) { return null; } }\n"
        "class Solution { int n = 5; int f(string s) { return s.Length; } int f(int x) => n + x; void f(int x, int y) { } }",
        function="Solution().f",
        args=[2],
        answer=7,
    ),
    Row(
        language="csharp",
        source="class Solution { public (int, string, HashSet<char>) f(int[,] m, ISet<int> s, (int, char) p, BigInteger b, Queue<float> q, ulong u) {\n"
        '    return (m[1, 0] + s.Count + q.Count, p.Item2 + b.ToString() + u, new HashSet<char>("aba")); } }',
        args=[[[1, 2], [3, 4]], {"$set": [1, 2]}, {"$tuple": [1, "é"]}, 2**70, [0.1], 2**64 - 1],
        answer=[6, f"é{2**70}{2**64 - 1}", {"$set": ["a", "b"]}],
    ),
    Row(
        language="csharp",
        source="class Solution { public BigInteger[] f(BigInteger x, decimal d, float y) => new[] { x * x, (BigInteger) (d * 10), (BigInteger) (y * 10) }; }",
        args=[-(2**70), 0.5, 2.5],
        answer=[2**140, 5, 25],
    ),
    Row(
        language="csharp",
        source="class Solution { public async Task<float[,]> f(float x) { await Task.Yield(); return new[,] {{x, 1}, {2, 3}}; } }",
        args=[0.1],
        answer=[[0.1, 1.0], [2.0, 3.0]],
    ),
    Row(
        language="csharp",
        source="class Solution { public object f(object x) { return x; } }",
        args=[[1, "a", None, [True, 2.5], 2**40]],
        answer=[1, "a", None, [True, 2.5], 2**40],
    ),
    Row(language="csharp", source='class Solution { public string f() { return ""; } }', args=[], answer=""),
    Row(
        language="csharp",
        source="class Solution { public void f(int[] v) { v[0] = 4; } }",
        args=[[1]],
        answer=[4],
        mutated=0,
    ),
    Row(
        language="csharp",
        source="class Solution { public void f(ref List<int> v, int k) { v = new List<int> { k }; } }",
        args=[[1], 4],
        answer=[4],
        mutated=0,
    ),
]

_NEWER: Final = [
    Row(
        language="csharp",
        source="class Solution { public (int, int, int, int, int, int, int, int, int) f(int x) => (1, 2, 3, 4, 5, 6, 7, 8, x); }",
        args=[9],
        answer=[1, 2, 3, 4, 5, 6, 7, 8, 9],
    ),
    Row(
        language="csharp",
        source="class Solution { public async ValueTask<int> f(int x) { await Task.Yield(); return x switch { 1 => 2, _ => 3 }; } }",
        args=[1],
        answer=2,
    ),
]
"""What Mono's compiler refuses."""

_NAMES: Final = [
    Row(
        language="csharp",
        source="""#define DEBUG
using S = System.Collections.Generic.List<int>;
class String { } class Console { static void WriteLine(object o) { System.Environment.Exit(3); } } class Array { } class Type { } class Activator { }
class List<T> { } class Dictionary<K, V> { } class Exception { } class Environment { } class BigInteger { } class Convert { } class StringBuilder { }
static class Extensions {
    public static string ToString(this object o, string form, System.IFormatProvider p) { return "no"; }
    public static System.Text.StringBuilder Append(this System.Text.StringBuilder b, object o) { return null; }
    public static bool Contains(this object o, object p) { return true; }
}
class Value { public static implicit operator string(Value v) { return "no"; } public static bool operator ==(Value a, object b) { return true; }
    public static bool operator !=(Value a, object b) { return false; } public override bool Equals(object o) { return true; } public override int GetHashCode() { return 0; } }
class Solution {
    static Solution() { System.Threading.Thread.CurrentThread.CurrentCulture = new System.Globalization.CultureInfo("de-DE"); }
    public double[] f(double x) { System.Console.Write("{\\"$int\\":1}\\n"); return new[] { x, x / 10 }; }
    static int Main() { return 4; }
}
""",
        args=[2.5],
        answer=[2.5, 0.25],
    ),
]

_FAILURES: Final = [
    Row(language="csharp", source="class Solution { int f(int x) { Environment.Exit(0); return x; } }", args=[1]),
    Row(language="csharp", source="class Solution { int f(int x) { throw new Exception(); } }", args=[1]),
    Row(
        language="csharp",
        source="class Solution { Solution() { Environment.Exit(0); } int f(int x) { return x; } }",
        args=[1],
    ),
    Row(language="csharp", source="class Solution { int f(int x) { return x; } }", args=[3000000000]),
    Row(language="csharp", source="class Solution { int f(int x) { return x; } }", args=[1.5]),
    Row(language="csharp", source="class Solution { byte f(byte x) { return x; } }", args=[-1]),
    Row(language="csharp", source="class Solution { int f(string x) { return 1; } }", args=[1]),
    Row(language="csharp", source="class Solution { int f(int x) { return 1; } }", args=["1"]),
    Row(language="csharp", source="class Solution { int f(int x) { return 1; } }", args=[None]),
    Row(language="csharp", source="class Solution { int f(int[,] x) { return 1; } }", args=[[[1], [1, 2]]]),
    Row(
        language="csharp",
        source="class Solution { object f(object x) { var l = new List<object>(); l.Add(l); return l; } }",
        args=[1],
    ),
    Row(language="csharp", source="class Node { } class Solution { int f(Node x) { return 1; } }", args=[[1]]),
    Row(language="csharp", source="class Solution { int f() { return 1; } }", args=[1]),
    Row(
        language="csharp",
        source="class Solution { static int Main() { return 0; } int g(int x) { return x; } }",
        args=[1],
    ),
]

_WRONG: Final = [
    Row(
        language="csharp",
        source='class Any { public override bool Equals(object o) => true; public override int GetHashCode() => 0; public override string ToString() => "1"; }\n'
        "class Solution { public object f(int x) { return new Any(); } }",
        args=[1],
        answer=1,
    ),
    Row(language="csharp", source='class Solution { public string f(int x) { return "1"; } }', args=[1], answer=1),
]

PROGRAMS: Final = Programs(
    everything=Row(language="csharp", source=_EVERYTHING, function="F", args=MANY, answer=VALUES),
    functions=_FUNCTIONS + _NEWER,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)


def _by_mono(rows: list[Row]) -> list[Row]:
    return [replace(row, language="csharp_mono") for row in rows]


MONO: Final = Programs(
    everything=replace(PROGRAMS.everything, language="csharp_mono"),
    functions=_by_mono(_FUNCTIONS),
    names=_by_mono(_NAMES),
    failures=_by_mono(_FAILURES),
    wrong=_by_mono(_WRONG),
)
