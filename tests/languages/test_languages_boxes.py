"""Every language that is here judges its self-tests truly in a box, at both levels: a right, a wrong, a slow and a crashing program."""

from __future__ import annotations

from typing import Final

import pytest
from languages.language_runs import CATALOGUE, FAST, marks, needed
from languages.test_languages_append_proof import PROGRAMS, skip_without_library

from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import AssertCase, AssertStyle, Problem, StdioCase
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict
from scalebox.judge.local import LocalJudge
from scalebox.languages.definition import Language, SelfTest

pytestmark = pytest.mark.sandbox

_MEMORY: Final = 256 * MIB
_COMPILE_SECONDS: Final = 120.0
"""Much, as these tests are of verdicts; what compilers cost is measured elsewhere."""
_JUDGED: Final = frozenset({"python", "cpp"})
"""Judged in boxes by the shipped corpus in every run of the tests."""


def _marks(language: Language) -> list[pytest.MarkDecorator]:
    return [pytest.mark.languages] if language.id in _JUDGED else marks(language)


ROWS: Final = [
    pytest.param(language, test, id=f"{language.id}-{test.name}", marks=_marks(language))
    for language in CATALOGUE.tongues()
    for test in language.self_tests
]


@pytest.mark.parametrize(("language", "test"), ROWS)
async def test_self_tests_get_the_verdict_due_in_a_box(judge: LocalJudge, language: Language, test: SelfTest) -> None:
    await needed(judge, language)
    limits = Limits(cpu_seconds=test.cpu_seconds, memory_bytes=_MEMORY, compile_seconds=_COMPILE_SECONDS)
    problem = Problem(tests=[StdioCase(name=test.name, input=test.input, answer=test.answer)], limits=limits)
    judgement = await judge.judge(Submission(source=test.source, language=language.id), problem)
    told = (judgement.compile and judgement.compile.message, judgement.cases[0].reason, judgement.cases[0].stderr)
    assert judgement.verdict is test.verdict, told


JAVA = """
package a.b;
class Helper { static int twice(int x) { return 2 * x; } }
public class Deep_1 {
  static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
  public static void main(String... args) throws Exception {
    Thread[] threads = new Thread[40];
    for (int i = 0; i < 40; i++) { threads[i] = new Thread(() -> depth(1000)); threads[i].start(); }
    for (Thread thread : threads) thread.join();
    System.out.println(depth(Helper.twice(500000)) / 200000);
    %s
  }
}
"""
KOTLIN = "package a.b\n\nobject Start {\n  @JvmStatic fun main(args: Array<String>) { println(5) }\n}\n"
SCALA = "package a.b\n\nclass Other\nobject Start extends App {\n  println(5)\n}\n"
GO_BOMB = "package main\n\nvar all [][]byte\n\nfunc main() {\n\tfor {\n\t\tall = append(all, make([]byte, 1<<24))\n\t\tclear(all[len(all)-1])\n\t\tfor i := range all[len(all)-1] {\n\t\t\tall[len(all)-1][i] = 1\n\t\t}\n\t}\n}\n"
RUST_BOMB = "fn main() { let mut all = Vec::new(); loop { all.push(vec![1u8; 1 << 24]); } }"
CS_BOMB = "class Bomb { static void Main() { var all = new System.Collections.Generic.List<int[]>(); while (true) { var next = new int[1 << 20]; for (int i = 0; i < next.Length; i++) next[i] = i; all.Add(next); } } }"
# Texts are sorted as people read them, digests are taken, and the runtime writes no mark of its encoding.
CS_WHOLE = """
using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

class Program
{
    interface INamed { string Name => "n"; }
    class Named : INamed { }

    static string Told(object? thing) => thing switch { int n when n > 5 => "big", int n => $"{n}", (int a, int b) => $"{a + b}", null => "null", _ => "?" };

    static async Task Main()
    {
        Console.OutputEncoding = Encoding.UTF8;
        static int Twice(int n) => 2 * n;
        int[] all = { 1, 2, 3 };
        string[] words = { "b", "B", "a", "C" };
        Array.Sort(words);
        using var hash = SHA256.Create();
        await Task.Run(() => Thread.Sleep(1));
        string told = string.Join(',', Told(7), Told(Twice(2)), Told((1, 2)), Told(null), all[^1], all[1..].Length, ((INamed)new Named()).Name, string.Concat(words));
        string digest = hash.ComputeHash(Encoding.UTF8.GetBytes("abc"))[0].ToString("x");
        Console.WriteLine(told == "big,4,3,null,3,2,n,abBC" && digest == "ba" ? "5" : told + digest);
    }
}
"""
STANDARD = '#include <cstdio>\nint main() {{ std::puts(__cplusplus / 100 == {} ? "5" : "6"); }}'
MORE: Final = [
    ("java", "package", JAVA % "", Verdict.AC),
    (
        "java",
        "memory",
        JAVA % "java.util.List<int[]> all = new java.util.ArrayList<>(); while (true) all.add(new int[1 << 20]);",
        Verdict.MLE,
    ),
    ("kotlin", "object", KOTLIN, Verdict.AC),
    ("scala", "app", SCALA, Verdict.AC),
    ("go", "memory", GO_BOMB, Verdict.MLE),
    ("rust", "memory", RUST_BOMB, Verdict.MLE),
    ("csharp", "memory", CS_BOMB, Verdict.MLE),
    ("csharp", "C# 8 and its library", CS_WHOLE, Verdict.AC),
    ("csharp_mono", "memory", CS_BOMB, Verdict.MLE),
    ("d", "whole library", "import std;\nvoid main() { writeln(5); }", Verdict.AC),
    ("cpp11", "standard", STANDARD.format(2011), Verdict.AC),
    ("cpp14", "standard", STANDARD.format(2014), Verdict.AC),
    ("cpp17", "standard", STANDARD.format(2017), Verdict.AC),
    ("cpp20", "standard", STANDARD.format(2020), Verdict.AC),
    ("cpp23", "standard", STANDARD.format(2021), Verdict.AC),  # GCC 12 says 202100 of what it has of C++23
]


@pytest.mark.languages
@pytest.mark.parametrize(("name", "source", "verdict"), [pytest.param(n, s, v, id=f"{n}-{k}") for n, k, s, v in MORE])
async def test_programs_as_they_are_written_elsewhere(
    judge: LocalJudge, name: str, source: str, verdict: Verdict
) -> None:
    language = CATALOGUE.get(name)
    assert language is not None
    await needed(judge, language)
    limits = Limits(cpu_seconds=10, memory_bytes=_MEMORY, compile_seconds=_COMPILE_SECONDS)
    problem = Problem(tests=[StdioCase(name="one", input=b"", answer=b"5\n")], limits=limits)
    judgement = await judge.judge(Submission(source=source, language=name), problem)
    told = (judgement.compile and judgement.compile.message, judgement.cases[0].reason, judgement.cases[0].stderr)
    assert judgement.verdict is verdict, told


PEEKS: Final = {
    "javascript": "const fs = require('fs');\nfs.writeSync(4, fs.readFileSync('/proc/self/fd/3'));\nprocess.exit(0);\nfunction f(n) { return n; }",
    "lua": "io.open('/dev/fd/4', 'w'):write(io.open('/dev/fd/3'):read('a'))\nos.exit(0)",
    "perl": "open my $i, '<', '/dev/fd/3'; open my $o, '>&=4'; syswrite $o, <$i> // ''; exit 0;",
    "ruby": "IO.for_fd(4, 'w').syswrite(File.read('/dev/fd/3'))\nexit!(0)",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FAST else [pytest.mark.languages]) for name in PROGRAMS]
)
async def test_test_code_passes_in_a_box_and_its_proof_can_be_read_once(judge: LocalJudge, name: str) -> None:
    language = CATALOGUE.get(name)
    assert language is not None
    await needed(judge, language)
    skip_without_library(name)
    tests, right, wrong, leaves = PROGRAMS[name]
    limits = Limits(cpu_seconds=10, memory_bytes=_MEMORY, compile_seconds=_COMPILE_SECONDS)
    problem = Problem(tests=[AssertCase(name="one", code=tests, style=AssertStyle.APPEND)], limits=limits)
    for program, passes in ((right, True), (wrong, False), (leaves, False), (PEEKS.get(name, wrong), False)):
        judgement = await judge.judge(Submission(source=program, language=name), problem)
        told = (judgement.compile and judgement.compile.message, judgement.cases[0].reason, judgement.cases[0].stderr)
        assert (judgement.verdict is Verdict.AC) is passes, told
        assert not judgement.hardened
