"""Call cases of the typed languages, judged in a box by the service: a right program, and one that leaves in time with status 0."""

from __future__ import annotations

from typing import Final

import pytest
from languages.language_runs import language_of, needed

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.limits import Limits
from scalebox.core.problem import CallCase, Problem
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict

pytestmark = [pytest.mark.sandbox, pytest.mark.languages]

PROGRAMS: Final = {
    "rust": (
        'fn f(s: &str, v: Vec<i64>) -> Vec<String> { v.iter().map(|x| format!("{s}{x}")).collect() }',
        "fn f(s: &str, v: Vec<i64>) -> Vec<String> { std::process::exit(0) }",
    ),
    "csharp": (
        "class Solution { public IList<string> f(string s, long[] v) { return v.Select(x => s + x).ToList(); } }",
        "class Solution { public IList<string> f(string s, long[] v) { Environment.Exit(0); return null; } }",
    ),
    "kotlin": (
        "fun f(s: String, v: LongArray): List<String> = v.map { s + it }",
        "fun f(s: String, v: LongArray): List<String> { System.exit(0); return listOf() }",
    ),
    "scala": (
        "object Solution { def f(s: String, v: Array[Long]): List[String] = v.map(x => s + x).toList }",
        "object Solution { def f(s: String, v: Array[Long]): List[String] = sys.exit(0) }",
    ),
    "haskell": (
        "f :: String -> [Int] -> [String]\nf s v = map ((s ++) . show) v\n",
        "import System.Exit\nf :: String -> [Int] -> IO [String]\nf s v = exitSuccess\n",
    ),
    "d": (
        "string[] f(string s, long[] v) { return v.map!(x => s ~ x.to!string).array; }",
        "import core.stdc.stdlib;\nstring[] f(string s, long[] v) { exit(0); return null; }",
    ),
    "c": (
        "char** f(char* s, long long* v, int n, int* returnSize) {\n    char** all = malloc(n * sizeof(char*) + 1);\n    *returnSize = n;\n"
        '    for (int i = 0; i < n; i++) sprintf(all[i] = malloc(strlen(s) + 30), "%s%lld", s, v[i]);\n    return all;\n}',
        "char** f(char* s, long long* v, int n, int* returnSize) { exit(0); }",
    ),
    "ocaml": (
        "let f s v = List.map (fun x -> s ^ Int64.to_string x) v",
        "let f (s : string) (v : int list) : string list = exit 0",
    ),
}
"""A right program, and one that leaves."""


@pytest.mark.parametrize("name", PROGRAMS)
async def test_a_call_is_judged_in_a_box(name: str) -> None:
    language = language_of(name)
    cases = [
        CallCase(name="two", function="f", args=["é😀\n", [1, -2]], answer=["é😀\n1", "é😀\n-2"]),
        CallCase(name="none", function="f", args=["", []], answer=[]),
    ]
    problem = Problem(tests=cases, limits=Limits(cpu_seconds=10, compile_seconds=120))
    async with open_judge(Settings(slots=1)) as judge:
        await needed(judge, language)
        right, leaves = PROGRAMS[name]
        judgement = await judge.judge(Submission(source=right, language=name), problem)
        assert judgement.verdict is Verdict.AC, (judgement.compile, judgement.cases)
        assert judgement.hardened
        assert (await judge.judge(Submission(source=leaves, language=name), problem)).verdict is Verdict.RTE
