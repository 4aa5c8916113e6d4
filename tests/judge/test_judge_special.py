"""Checkers that are programs: what their ends mean, where their files lie, and whole judgements with them on real slots."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable, LanguageUnavailable, RequestError
from scalebox.core.limits import Limits, Usage
from scalebox.core.problem import (
    AskWhen,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
)
from scalebox.core.result import CheckResult, Exceeded, Judgement, RunResult
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.judge.local import LocalJudge
from scalebox.judge.plan import validate_problem
from scalebox.judge.programs import Effort, Soundness, check_text, laid_out
from scalebox.judge.special import excerpt, judge_texts, most_effort, read_end
from scalebox.languages.catalogue import load_languages
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import UNCAUGHT, Input

CALM = RunResult(exit_code=0, signal=None, exceeded=None, usage=Usage(), stdout=b"", stderr=b"")
CRASH = replace(CALM, exit_code=None, signal=11)
LATE = replace(CALM, exit_code=None, signal=9, exceeded=Exceeded.TIME, reason="CPU time limit exceeded")


def text(source: str, language: str = "python") -> ProgramText:
    """A judge of one file."""
    return ProgramText(language=language, files={"source": source}, entry="source")


def checker(protocol: str, source: str = "", language: str = "python", **more: object) -> ProgramChecker:
    """A program checker that is asked about everything."""
    fields = {"when": AskWhen.ALWAYS, "program": text(source, language), **more}
    return ProgramChecker(protocol=CheckerProtocol(protocol), **fields)  # type: ignore[arg-type]  # rows of tests


def read(protocol: str, run: RunResult, weight: float = 1.0) -> CheckResult:
    """What an end means."""
    return read_end(checker(protocol), run, weight)


@pytest.mark.parametrize("protocol", list(CheckerProtocol))
@pytest.mark.parametrize(
    "run",
    [
        CRASH,
        LATE,
        replace(CALM, exit_code=UNCAUGHT),
        replace(CALM, exit_code=5),
        replace(CALM, exit_code=255),
        replace(CALM, reason="more processes than allowed"),
        replace(CALM, exceeded=Exceeded.OUTPUT, reason="output limit exceeded"),
    ],
)
def test_a_judge_that_ends_badly_is_broken(protocol: str, run: RunResult) -> None:
    assert read(protocol, run).verdict is Verdict.JE


@pytest.mark.parametrize(
    ("protocol", "code", "verdict"),
    [
        ("files", 0, "AC"),
        ("files", 1, "WA"),
        ("files", 2, "JE"),
        ("argv", 0, "AC"),
        ("argv", 1, "WA"),
        ("argv", 42, "JE"),
        ("kattis", 42, "AC"),
        ("kattis", 43, "WA"),
        ("kattis", 0, "JE"),
        ("kattis", 1, "JE"),
        ("testlib", 0, "AC"),
        ("testlib", 1, "WA"),
        ("testlib", 2, "WA"),
        ("testlib", 3, "JE"),
        ("testlib", 4, "WA"),
        ("testlib", 8, "WA"),
        ("testlib", 7, "JE"),  # points, and none given
        ("testlib", 16, "JE"),
        ("function", 0, "AC"),  # it exited by itself
        ("function", 1, "WA"),
    ],
)
def test_exit_codes(protocol: str, code: int, verdict: str) -> None:
    result = read(protocol, replace(CALM, exit_code=code))
    assert (result.verdict, result.stage, result.name) == (verdict, "judge", f"program:{protocol}")


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (b"true", "AC"),
        (b"1", "AC"),
        (b"false", "WA"),
        (b"null", "WA"),
        (b"0", "WA"),
        (b'{"$tuple":[false,"too short"]}', "JE"),  # true to Python, and meant as a rejection
        (b'"no"', "JE"),
        (b"2", "JE"),
        (b'{"$opaque":"Result"}', "JE"),
        (b"{", "JE"),
    ],
)
def test_what_a_function_returns(value: bytes, verdict: str) -> None:
    assert read("function", replace(CALM, value=value + b"\n")).verdict == verdict


def test_a_function_that_returned_and_then_failed_is_broken() -> None:
    assert read("function", replace(CALM, value=b"true\n", exit_code=1)).verdict is Verdict.JE


@pytest.mark.parametrize(
    ("stderr", "weight", "verdict", "points"),
    [
        (b"points 1.0 well done", 1.0, "AC", 1.0),
        (b"points 0.25 some", 1.0, "WA", 0.25),
        (b"points 0.25", 5.0, "WA", 0.05),
        (b"points 5 all", 5.0, "AC", 1.0),
        (b"points 37", 1.0, "JE", None),  # of how many?
        (b"points -1", 1.0, "JE", None),
        (b"points nan", 1.0, "JE", None),
        (b"points 1e999", 1.0, "JE", None),
        (b"points info=3", 1.0, "JE", None),
    ],
)
def test_testlib_points(stderr: bytes, weight: float, verdict: str, points: float | None) -> None:
    result = read("testlib", replace(CALM, exit_code=7, stderr=stderr), weight)
    assert (result.verdict, result.points) == (verdict, points)


def test_a_partially_correct_output_is_not_accepted_for_its_exit_code() -> None:
    run = replace(CALM, stderr=b"partially correct (0) nothing of it")  # testlib's _pc(0) exits with 0
    assert read("testlib", run).verdict is Verdict.JE


@pytest.mark.parametrize(
    ("files", "weight", "verdict", "points"),
    [
        ({}, 1.0, "AC", None),
        ({"score.txt": b"30\n"}, 60.0, "AC", 0.5),
        ({"score.txt": b"0"}, 1.0, "AC", 0.0),  # accepted is accepted
        ({"score.txt": b"37"}, 1.0, "AC", 37.0),
        ({"score_multiplier.txt": b"0.5"}, 60.0, "AC", 0.5),
        ({"score.txt": b"lots"}, 1.0, "JE", None),
        ({"score.txt": b""}, 1.0, "JE", None),
        ({"score.txt": b"-1"}, 1.0, "JE", None),
        ({"score.txt": b"\xff"}, 1.0, "JE", None),
        ({"score.txt": b"9" * 5000}, 1.0, "JE", None),
    ],
)
def test_kattis_scores(files: Mapping[str, bytes], weight: float, verdict: str, points: float | None) -> None:
    run = replace(CALM, exit_code=42, files={f"feedback/{name}": data for name, data in files.items()})
    result = read("kattis", run, weight)
    assert (result.verdict, result.points) == (verdict, points)


def test_what_a_judge_says_is_an_excerpt_and_no_reason() -> None:
    said = read("files", replace(CALM, exit_code=1, stderr=b"the answer is 4711"))
    assert said.answer_excerpt == "the answer is 4711"
    assert "4711" not in (said.detail or "")
    assert len(excerpt(b"x" * 100_000)) < 2100


def test_files_lie_beside_the_entry() -> None:
    files = {"val/check.cc": '#include "testlib.h"', "val/lib/a.h": "a", "other/b.h": "b"}
    given = ProgramText(language="cpp", files=files, entry="val/check.cc")
    source, beside = laid_out(given, {"testlib.h": b"T", "unnamed.h": b"U"})
    assert source == b'#include "testlib.h"'
    assert beside == {"lib/a.h": b"a", "other/b.h": b"b", "testlib.h": b"T"}


@pytest.mark.parametrize("name", ["main.cpp", "main", "input.txt", "feedback/x"])
def test_a_file_in_the_place_of_another_is_refused(name: str) -> None:
    language = load_languages().get("cpp")
    assert language is not None
    given = ProgramText(language="cpp", files={"a.cpp": "", name: ""}, entry="a.cpp")
    [judge] = judge_texts(Problem(tests=[], checker=checker("kattis", program=given)))
    with pytest.raises(RequestError) as refusal:
        check_text(judge, language, {})
    assert refusal.value.field == "problem.checker.files"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (checker("files", program=ProgramText(language="c", files={"a": ""}, entry="b")), "problem.checker.entry"),
        (
            checker("files", program=ProgramText(language="c", files={"../a": ""}, entry="../a")),
            "problem.checker.files",
        ),
        (checker("argv", order=()), "problem.checker.order"),
        (checker("argv", order=("input", "input")), "problem.checker.order"),
        (checker("argv", order=("stdin",)), "problem.checker.order"),
        (checker("testlib", flags=("a\0b",)), "problem.checker.flags.0"),
    ],
)
def test_a_checker_that_cannot_work_is_refused(given: ProgramChecker, field: str) -> None:
    with pytest.raises(RequestError) as refusal:
        validate_problem(Problem(tests=[StdioCase(name="0", input=b"", answer=b"")], checker=given))
    assert refusal.value.field == field


def test_a_judge_that_would_never_be_asked_is_refused() -> None:
    case = CallCase(name="0", function="f", args=[], answer=1)
    with pytest.raises(RequestError):
        validate_problem(Problem(tests=[case], checker=checker("files")))


# Whole judgements.

SUM = "import sys\nread = lambda name: list(map(int, open(name).read().split()))\n"
FUNCTION = SUM + "def validate_solution(given, answer, output):\n    return sum(read(output)) == read(given)[0]\n"
FILES = SUM + "sys.exit(0 if sum(read('answer.txt')) == read('stdin.txt')[0] else 1)\n"
ARGV = SUM + "sys.exit(0 if sum(read(sys.argv[1])) == read(sys.argv[2])[0] else 1)\n"
TESTLIB = SUM + "given, output, answer = map(read, sys.argv[1:4])\nsys.exit(0 if sum(output) == given[0] else 2)\n"
KATTIS = (
    SUM
    + "given, answer = map(read, sys.argv[1:3])\n"
    + "right = sum(map(int, sys.stdin.read().split())) == given[0]\n"
    + "open(sys.argv[3] + 'judgemessage.txt', 'w').write('sum ' + str(given[0]))\n"
    + "sys.exit(42 if right and sys.argv[4:] == ['strict'] else 43)\n"
)
CPP = """
#include <fstream>
#include "reader.h"
int main() { std::ifstream given("stdin.txt"), output("answer.txt"); return total(output) == total(given) ? 0 : 1; }
"""
READER = "#include <istream>\nlong total(std::istream &from);\n"
TOTAL = (
    '#include "reader.h"\nlong total(std::istream &from) { long x, sum = 0; while (from >> x) sum += x; return sum; }\n'
)
SEVERAL = ProgramText(
    language="cpp",
    files={"val/judge.cpp": CPP, "val/reader.h": READER, "val/total.cc": TOTAL},
    entry="val/judge.cpp",
)
MODULE = ProgramText(
    language="python",
    files={"val/judge.py": "import rules, sys\nsys.exit(rules.decide())\n", "val/rules.py": SUM + "def decide():\n"
           "    return 0 if sum(read('answer.txt')) == read('stdin.txt')[0] else 1\n"},
    entry="val/judge.py",
)  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def judge() -> AsyncIterator[LocalJudge]:
    """A judge of two slots."""
    try:
        async with open_judge(Settings(slots=2)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def judged(
    judge: LocalJudge, given: ProgramChecker | CheckerSpec, printed: str, *, answer: str = "1 9\n", cases: int = 1
) -> Judgement:
    """The judgement of a program that prints a text, where 10 is to be split in two."""
    tests = [StdioCase(name=str(n), input=b"10\n", answer=answer.encode()) for n in range(cases)]
    problem = Problem(tests=tests, checker=given, limits=Limits(cpu_seconds=5, judge_seconds=2))
    return await judge.judge(Submission(source=f"print({printed!r})", language="python"), problem, JudgeOptions())


CHECKERS: Sequence[tuple[str, ProgramChecker]] = [
    ("function", checker("function", FUNCTION)),
    ("files", checker("files", FILES)),
    ("argv", checker("argv", ARGV, order=("output", "input"))),
    ("testlib", checker("testlib", TESTLIB)),
    ("kattis", checker("kattis", KATTIS, flags=("strict",))),
    ("several files of C++", checker("files", program=SEVERAL)),
    ("a module of Python", checker("files", program=MODULE)),
]


@pytest.mark.sandbox
@pytest.mark.parametrize("given", [given for _, given in CHECKERS], ids=[name for name, _ in CHECKERS])
@pytest.mark.parametrize(("printed", "verdict"), [("1 9", "AC"), ("4 6", "AC"), ("4 7", "WA"), ("", "WA")])
async def test_a_protocol(judge: LocalJudge, given: ProgramChecker, printed: str, verdict: str) -> None:
    judgement = await judged(judge, given, printed)
    assert judgement.verdict == verdict, judgement.cases
    assert judgement.cases[0].check is not None
    assert judgement.cases[0].check.stage == "judge"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("protocol", "source", "words"),
    [
        ("files", "raise ValueError('1 9')", "raised an exception"),
        ("files", "import sys; sys.exit(256)", "raised an exception"),  # 256 errors are no success
        ("files", "import os; os.abort()", "SIGABRT"),
        ("files", "while True: pass", "CPU time limit"),
        ("files", "print('x' * (20 << 20))", "output limit"),
        ("files", "def (:", "does not compile"),
        ("function", "def validate(a, b, c): return True", "raised an exception"),
        ("function", "def validate_solution(a, b, c): return open('none')", "raised an exception"),
        ("function", "def validate_solution(a, b, c): return (False, 'no')", "returned a tuple"),
        ("kattis", "raise SystemExit(0)", "neither 42 nor 43"),
    ],
)
async def test_a_broken_judge_is_not_held_against_the_program(
    judge: LocalJudge, protocol: str, source: str, words: str
) -> None:
    judgement = await judged(judge, checker(protocol, source), "4 6", cases=2)
    assert (judgement.verdict, judgement.reward, judgement.score) == (Verdict.JE, None, None)
    assert words in (judgement.cases[0].reason or "")
    assert "1 9" not in (judgement.cases[0].reason or "")


READS = {
    "function": "def validate_solution(a, b, c): return int(open(b).read()) == int(open(c).read())",
    "files": "import sys\nsys.exit(int(open('stdout.txt').read()) != int(open('answer.txt').read()))",
    "kattis": "import sys\nsys.exit(42 if int(input()) == int(open(sys.argv[2]).read()) else 43)",
    "argv": "import os, sys\nif not open(sys.argv[3]).read().strip().isdecimal(): os.abort()\nsys.exit(0)",
    "testlib": "import sys\nsys.exit(0 if open(sys.argv[2]).read().strip().isdecimal() else 77)",
}
"""Judges of a number that break over anything else."""
SLOW = """
import time
end = time.process_time() + 0.05
while time.process_time() < end or open('answer.txt').read() != '3\\n': pass
"""


@pytest.mark.sandbox
@pytest.mark.parametrize("protocol", list(READS))
@pytest.mark.parametrize("printed", ["abc", "", "\udcff"])
async def test_an_output_that_a_sound_judge_cannot_read_is_wrong(
    judge: LocalJudge, protocol: str, printed: str
) -> None:
    given = checker(protocol, READS[protocol])
    judgement = await judged(judge, given, printed, answer="3\n", cases=2)
    assert [case.verdict for case in judgement.cases] == [Verdict.WA, Verdict.WA]
    assert "accepts the jury's own answer" in (judgement.cases[0].reason or "")
    checks = [case.check for case in judgement.cases]
    assert [(check.broke, check.said) for check in checks if check] == [(True, Verdict.JE)] * 2
    assert (await judged(judge, given, "3", answer="3\n")).verdict is Verdict.AC


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("protocol", "source", "answer"),
    [
        ("files", SLOW, "3\n"),
        ("files", "x = bytearray(2 << 30) if open('answer.txt').read() != '3\\n' else 0", "3\n"),
        ("files", "print('x' * (20 << 20)) if open('answer.txt').read() != '3\\n' else 0", "3\n"),
        ("function", "def validate_solution(a, b, c): return open(c).read() == '3\\n' or (False, 'no')", "3\n"),
        ("function", "def validate_solution(a, b, c): return open(c).read() == '3\\n' or open(c).read()", "3\n"),
        ("function", "def validate_solution(a, b, c): return open(c).read() == '3\\n' or -len(open(c).read())", "3\n"),
        ("function", "def validate_solution(a, b, c): return open(c).read() == '3\\n' or 'x' * (20 << 20)", "3\n"),
        (
            "function",
            "import os\ndef validate_solution(a, b, c): return open(c).read() == '3\\n' or os._exit(7)",
            "3\n",
        ),
        (
            "testlib",
            "import sys\nif open(sys.argv[2]).read() != '3\\n': sys.stderr.write('points nan'), sys.exit(7)",
            "3\n",
        ),
        ("testlib", "import sys\nif open(sys.argv[2]).read() != '3\\n': sys.exit('partially correct (50)')", "3\n"),
        (
            "files",
            "import sys\nt = open('answer.txt').read()\nsys.exit(int(t) == 3 if t else 1)",
            "",
        ),  # without an answer
    ],
)
async def test_an_output_that_a_sound_judge_cannot_bear_is_wrong(
    judge: LocalJudge, protocol: str, source: str, answer: str
) -> None:
    judgement = await judged(judge, checker(protocol, source), "abc", answer=answer)
    assert (judgement.verdict, judgement.reward) == (Verdict.WA, 0.0), judgement.cases[0].reason


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (READS["files"], "three\n"),  # it cannot read the answer either
        (READS["files"], ""),  # no answer to ask about
        ("import sys\nsys.exit(1 if open('answer.txt').read() == '3\\n' else 5)", "3\n"),  # rejects the answer
        ("if open('answer.txt').read() == '3\\n':\n    while True: pass\nraise SystemExit(5)", "3\n"),
        ("import os\nif open('answer.txt').read() != '3\\n': os.kill(os.getpid(), 9)", "3\n"),
        (SLOW.replace("0.05", "1.2"), "3\n"),  # it is slow about anything
    ],
)
async def test_a_judge_that_breaks_over_the_answer_too_is_broken(judge: LocalJudge, source: str, answer: str) -> None:
    judgement = await judged(judge, checker("files", source), "abc", answer=answer)
    assert (judgement.verdict, judgement.reward) == (Verdict.JE, None)


@pytest.mark.sandbox
async def test_a_judge_is_asked_about_an_answer_once(judge: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs: list[bytes] = []
    inspect = judge._runner.inspect

    async def noted(
        pair: Pair, program: Program, given: Input, limits: Limits, *, function: str | None = None
    ) -> RunResult:
        outputs.append(given.files["answer.txt"] if given.files else b"")
        return await inspect(pair, program, given, limits, function=function)

    monkeypatch.setattr(judge._runner, "inspect", noted)
    for printed in ("abc", "def"):
        assert (await judged(judge, checker("files", READS["files"]), printed, answer="17\n")).verdict is Verdict.WA
    assert outputs == [b"abc\n", b"17\n", b"def\n"]


@pytest.mark.sandbox
@pytest.mark.parametrize("stop", [False, True])
async def test_stopping_never_changes_a_verdict(judge: LocalJudge, stop: bool) -> None:
    source = "def validate_solution(a, b, c):\n    return (False, 'no') if open(a).read() == '1' else False"
    tests = [StdioCase(name=text, input=text.encode(), answer=b"3\n") for text in ("1", "2", "3")]
    problem = Problem(tests=tests, checker=checker("function", source))
    judgement = await judge.judge(
        Submission(source="print(4)", language="python"), problem, JudgeOptions(stop_on_failure=stop)
    )
    assert (judgement.verdict, judgement.reward) == (Verdict.WA, 0.0)
    assert judgement.cases[0].verdict is (Verdict.SK if stop else Verdict.JE)


def test_what_is_known_of_judges_is_bounded() -> None:
    known, effort = Soundness(2), Effort(cpu=0.1, memory=0.2)
    for key in (b"a", b"b", b"c"):
        known.put(key, effort)
    assert [known.get(key) for key in (b"a", b"b", b"c")] == [None, effort, effort]


ANY, QUICK, SMALL = Effort(cpu=1.0, memory=1.0), Effort(cpu=0.25, memory=1.0), Effort(cpu=1.0, memory=0.25)
SWOLLEN = replace(LATE, exceeded=Exceeded.MEMORY, reason="memory limit exceeded")


@pytest.mark.parametrize(
    ("protocol", "run", "most"),
    [
        ("files", CRASH, ANY),
        ("files", LATE, QUICK),
        ("files", SWOLLEN, SMALL),
        ("files", replace(CALM, exceeded=Exceeded.OUTPUT, reason="output limit exceeded"), ANY),
        ("files", replace(LATE, exceeded=None, reason="more processes than allowed"), ANY),
        ("files", replace(CALM, exit_code=None, signal=9), None),  # as the kernel kills for want of memory
        ("files", replace(CALM, exit_code=UNCAUGHT), ANY),
        ("files", replace(CALM, exit_code=1), None),
        ("function", replace(CALM, exit_code=1, value=b"true\n"), ANY),
        ("function", replace(CALM, value=b'"no"\n'), ANY),
        ("testlib", replace(CALM, exit_code=3), None),  # it may say that the answer is wrong, not the output
        ("testlib", replace(CALM, exit_code=50, stderr=b"partially correct (50)"), ANY),
        ("testlib", replace(CALM, exit_code=7, stderr=b"points 37"), ANY),
        ("testlib", replace(CALM, exit_code=77), ANY),
        ("kattis", replace(CALM, exit_code=0), ANY),
    ],
)
def test_what_a_judge_may_break_over(protocol: str, run: RunResult, most: Effort | None) -> None:
    assert most_effort(checker(protocol), read(protocol, run), run) == most


@pytest.mark.sandbox
async def test_the_cheap_stage_decides_what_is_byte_equal(judge: LocalJudge) -> None:
    given = checker("files", "raise SystemExit(1)", when=AskWhen.UNDECIDED)
    judgement = await judged(judge, given, "1 9")
    assert judgement.verdict is Verdict.AC
    assert judgement.cases[0].check == CheckResult(verdict=Verdict.AC, name="exact")
    assert (await judged(judge, given, "1 9 ")).verdict is Verdict.WA
    assert (await judged(judge, replace(given, when=AskWhen.ALWAYS), "1 9")).verdict is Verdict.WA


@pytest.mark.sandbox
async def test_a_judge_that_is_not_asked_is_not_compiled(judge: LocalJudge) -> None:
    assert (await judged(judge, checker("files", "def (:", when=AskWhen.UNDECIDED), "1 9")).verdict is Verdict.AC


@pytest.mark.sandbox
async def test_a_run_that_failed_is_not_shown_to_a_judge(judge: LocalJudge) -> None:
    problem = Problem(
        tests=[StdioCase(name="0", input=b"", answer=b"")], checker=checker("files", "raise SystemExit(0)")
    )
    judgement = await judge.judge(Submission(source="raise SystemExit(3)", language="python"), problem)
    assert (judgement.verdict, judgement.cases[0].check) == (Verdict.RTE, None)


@pytest.mark.sandbox
async def test_a_program_leaves_nothing_for_its_judge(judge: LocalJudge) -> None:
    source = (
        "import os\n"
        "for name in ('answer.txt', 'math.py', 'sitecustomize.py'):\n"
        "    for folder in ('.', '/tmp'):\n"
        "        open(folder + '/' + name, 'w').write('import os; os._exit(0)')\n"
        "print('4 7')\n"
    )
    look = "import math, os, sys\nsys.exit(1 if sorted(os.listdir('.')) == ['answer.txt', 'main.py', 'stdin.txt', "
    look += (
        "'stdout.txt'] and not os.listdir('/tmp') and math.pi > 3 and open('answer.txt').read() == '4 7\\n' else 0)\n"
    )
    problem = Problem(tests=[StdioCase(name="0", input=b"", answer=b"")], checker=checker("files", look))
    assert (await judge.judge(Submission(source=source, language="python"), problem)).verdict is Verdict.WA


@pytest.mark.sandbox
async def test_bytes_reach_a_judge_unchanged(judge: LocalJudge) -> None:
    look = "import sys\nsys.exit(0 if open('answer.txt', 'rb').read() == b'\\xff\\0\\r\\n' else 1)\n"
    source = "import os; os.write(1, b'\\xff\\0\\r\\n')"
    problem = Problem(tests=[StdioCase(name="0", input=b"", answer=b"")], checker=checker("files", look))
    assert (await judge.judge(Submission(source=source, language="python"), problem)).verdict is Verdict.AC


@pytest.mark.sandbox
async def test_what_a_judge_says_is_told_with_its_verdict(judge: LocalJudge) -> None:
    judgement = await judged(judge, checker("kattis", KATTIS, flags=("strict",)), "4 7")
    assert judgement.cases[0].check is not None
    assert judgement.cases[0].check.answer_excerpt == "sum 10"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("given", "field"),
    [
        (checker("files", language="klingon"), "problem.checker.language"),
        (checker("function", language="cpp"), "problem.checker.protocol"),
    ],
)
async def test_a_judge_that_cannot_be_run_here_is_refused(judge: LocalJudge, given: ProgramChecker, field: str) -> None:
    with pytest.raises(RequestError) as refusal:
        await judged(judge, given, "4 6")
    assert refusal.value.field == field
    assert isinstance(refusal.value, LanguageUnavailable) is (field == "problem.checker.language")
