"""Who decides a conversation, by every way in which both sides can end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable, RequestError
from scalebox.core.limits import Limits, Usage
from scalebox.core.problem import (
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramText,
    StdioCase,
)
from scalebox.core.result import Exceeded, RunResult
from scalebox.core.submission import Submission
from scalebox.judge.ends import verdict_of_end
from scalebox.judge.interactor import DEADLOCK, DESERTED, decide, given_to
from scalebox.judge.local import LocalJudge
from scalebox.judge.plan import Mode, make_steps, validate_problem
from scalebox.languages.catalogue import load_languages
from scalebox.runner.dialogue import Interaction
from scalebox.runner.runner import UNCAUGHT
from scalebox.runner.transcript import Speaker

PROGRAM, INTERACTOR = Speaker.PROGRAM, Speaker.INTERACTOR
GOOD = RunResult(exit_code=0, signal=None, exceeded=None, usage=Usage(cpu_seconds=1), stdout=b"", stderr=b"")
CRASHED = replace(GOOD, exit_code=1)
KILLED = replace(GOOD, exit_code=None, signal=9)
LATE = replace(KILLED, exceeded=Exceeded.TIME, reason="CPU time limit exceeded")
TALKATIVE = replace(KILLED, exceeded=Exceeded.OUTPUT, reason="output limit exceeded")
TEXT = ProgramText(language="python", files={"judge.py": ""}, entry="judge.py")
CASE = InteractiveCase(name="case", input=b"in", answer=b"out", args=["0"])
TESTLIB, KATTIS, GCJ = (Interactor(protocol=protocol, program=TEXT, flags=["-f"]) for protocol in InteractorProtocol)


def ended(code: int, stderr: bytes = b"") -> RunResult:
    """An interactor's end."""
    return replace(GOOD, exit_code=code, stderr=stderr)


def conversation(program: RunResult, interactor: RunResult, first: Speaker, **more: bool) -> Interaction:
    """How both ended."""
    return Interaction(
        program=program,
        interactor=interactor,
        first=first,
        transcript=b"> 1\n",
        transcript_truncated=False,
        program_ended=more.get("program_ended", False),
        deadlock=more.get("deadlock", False),
        deserted=more.get("deserted", False),
    )


@pytest.mark.parametrize(
    ("program", "code", "first", "verdict"),
    [
        (GOOD, 42, INTERACTOR, "AC"),
        (GOOD, 42, PROGRAM, "AC"),
        (GOOD, 43, INTERACTOR, "WA"),
        (GOOD, 43, PROGRAM, "WA"),  # it ended too early, or said the wrong thing last
        (CRASHED, 42, INTERACTOR, "RTE"),  # right, but it crashed
        (CRASHED, 42, PROGRAM, "RTE"),
        (CRASHED, 43, INTERACTOR, "WA"),  # it crashed because the conversation was over
        (CRASHED, 43, PROGRAM, "RTE"),
        (LATE, 42, INTERACTOR, "TLE"),
        (LATE, 43, INTERACTOR, "WA"),
        (LATE, 43, PROGRAM, "TLE"),
        (TALKATIVE, 43, PROGRAM, "OLE"),
        (GOOD, 0, PROGRAM, "JE"),
        (GOOD, 1, INTERACTOR, "JE"),
        (GOOD, UNCAUGHT, PROGRAM, "JE"),
        (CRASHED, UNCAUGHT, PROGRAM, "RTE"),
        (LATE, UNCAUGHT, INTERACTOR, "TLE"),  # both at once; the program's own limit
    ],
)
def test_kattis(program: RunResult, code: int, first: Speaker, verdict: str) -> None:
    found = conversation(program, ended(code), first)
    assert decide(KATTIS, CASE, found, verdict_of_end(program)).verdict == verdict


ABORTED = replace(KILLED, signal=6)
SWOLLEN = replace(KILLED, exceeded=Exceeded.MEMORY, reason="memory limit exceeded")


@pytest.mark.parametrize(
    ("interactor", "end", "verdict"),
    [
        (KATTIS, ended(UNCAUGHT), "WA"),  # input() raised at the end of file
        (KATTIS, ABORTED, "WA"),
        (KATTIS, ended(1), "WA"),
        (KATTIS, ended(0), "WA"),  # Kattis' interactors never end so
        (KATTIS, ended(42), "AC"),
        (KATTIS, ended(43), "WA"),
        (
            KATTIS,
            replace(ended(42), files={"feedback/score.txt": b"much"}),
            "JE",
        ),  # it came to its end, and its score is none
        (KATTIS, LATE, "JE"),  # perhaps over a right program
        (KATTIS, SWOLLEN, "JE"),
        (GCJ, ended(UNCAUGHT), "WA"),
        (GCJ, ABORTED, "WA"),
        (GCJ, ended(0), "AC"),
        (TESTLIB, ended(99), "WA"),
        (TESTLIB, ABORTED, "WA"),
        (TESTLIB, ended(3), "JE"),  # it says itself that the fault is its own
        (TESTLIB, ended(7, b"points many"), "JE"),
    ],
)
def test_program_that_deserts_the_interactor_does_not_profit_from_its_crash(
    interactor: Interactor, end: RunResult, verdict: str
) -> None:
    left = decide(interactor, CASE, conversation(GOOD, end, PROGRAM, deserted=True), None)
    silent = conversation(
        KILLED, end, INTERACTOR, deserted=True, program_ended=True
    )  # it closed its output and went on
    closed = decide(interactor, CASE, silent, verdict_of_end(KILLED))
    assert (left.verdict, closed.verdict) == (verdict, verdict)


@pytest.mark.parametrize("end", [ended(UNCAUGHT), ABORTED, ended(1)])
def test_crash_of_an_interactor_that_asked_for_nothing_is_its_own(end: RunResult) -> None:
    for first in (PROGRAM, INTERACTOR):
        assert decide(KATTIS, CASE, conversation(GOOD, end, first), None).verdict == "JE"


@pytest.mark.parametrize("program", [CRASHED, KILLED, LATE, TALKATIVE])
@pytest.mark.parametrize("end", [ended(UNCAUGHT), ABORTED, LATE, ended(43), ended(42)])
def test_program_that_ended_badly_first_keeps_its_end(program: RunResult, end: RunResult) -> None:
    bad = verdict_of_end(program)
    assert bad is not None
    for deserted in (False, True):
        found = conversation(program, end, PROGRAM, deserted=deserted)
        assert decide(KATTIS, CASE, found, bad).verdict == bad[0]


def test_reason_of_a_deserted_interactor_names_both() -> None:
    end = replace(ended(UNCAUGHT), stderr=b"EOFError: wanted 4711")
    result = decide(GCJ, CASE, conversation(GOOD, end, PROGRAM, deserted=True), None)
    assert result.reason == f"{DESERTED} (the judge raised an exception)"
    assert result.check is not None
    assert (result.check.verdict, result.check.answer_excerpt) == ("WA", "EOFError: wanted 4711")


@pytest.mark.parametrize(
    ("interactor", "verdict"),
    [(ended(43), "WA"), (ended(3), "JE"), (LATE, "JE"), (replace(KILLED, signal=11), "JE")],
)
def test_program_that_was_ended_is_not_held_to_its_end(interactor: RunResult, verdict: str) -> None:
    found = conversation(KILLED, interactor, INTERACTOR, program_ended=True)
    result = decide(KATTIS, CASE, found, verdict_of_end(KILLED))
    assert result.verdict == verdict
    assert result.check is not None
    assert (result.check.name, result.check.stage) == ("interactor:kattis", "judge")


@pytest.mark.parametrize(
    ("interactor", "end", "verdict"),
    [
        (TESTLIB, ended(0), "AC"),
        (TESTLIB, ended(1), "WA"),
        (TESTLIB, ended(2), "WA"),
        (TESTLIB, ended(3), "JE"),
        (TESTLIB, ended(99), "JE"),
        (GCJ, ended(0), "AC"),
        (GCJ, ended(1), "WA"),
        (GCJ, ended(255), "WA"),
        (GCJ, ended(UNCAUGHT), "JE"),
        (GCJ, replace(KILLED, signal=6), "JE"),
        (GCJ, LATE, "JE"),
    ],
)
def test_other_protocols(interactor: Interactor, end: RunResult, verdict: str) -> None:
    assert decide(interactor, CASE, conversation(GOOD, end, PROGRAM), None).verdict == verdict


def test_partial_points_need_a_program_that_ends_well() -> None:
    end = ended(7, b"points 0.5 so so")
    result = decide(TESTLIB, CASE, conversation(GOOD, end, INTERACTOR), None)
    assert result.check is not None
    assert (result.verdict, result.check.points) == ("WA", 0.5)
    crashed = decide(TESTLIB, CASE, conversation(CRASHED, end, INTERACTOR), verdict_of_end(CRASHED))
    assert (crashed.verdict, crashed.check) == ("RTE", None)


def test_deadlock_is_charged_to_the_program() -> None:
    found = conversation(KILLED, KILLED, PROGRAM, deadlock=True)
    result = decide(KATTIS, CASE, found, verdict_of_end(KILLED))
    assert (result.verdict, result.reason, result.transcript) == ("TLE", DEADLOCK, b"> 1\n")


def test_reason_does_not_quote_the_interactor() -> None:
    result = decide(TESTLIB, CASE, conversation(GOOD, ended(1, b"wanted 4711"), PROGRAM), None)
    assert "4711" not in (result.reason or "")
    assert result.check is not None
    assert result.check.answer_excerpt == "wanted 4711"


@pytest.mark.parametrize(
    ("interactor", "args", "files"),
    [
        (TESTLIB, ["input.txt", "output.txt", "answer.txt", "-f"], {"input.txt": b"in", "answer.txt": b"out"}),
        (
            KATTIS,
            ["input.txt", "answer.txt", "feedback/", "-f"],
            {"input.txt": b"in", "answer.txt": b"out", "feedback/": b""},
        ),
        (GCJ, ["0", "-f"], None),
    ],
)
def test_interactor_is_given_what_its_protocol_has(
    interactor: Interactor, args: list[str], files: dict[str, bytes] | None
) -> None:
    given = given_to(interactor, CASE)
    assert (given.args, given.files) == (args, files)


def test_plan_has_a_step_for_an_interactive_case() -> None:
    python = load_languages().get("python")
    assert python is not None
    problem = Problem(tests=[CASE], interactor=KATTIS)
    validate_problem(problem)
    [step] = make_steps(python, "pass", problem)
    assert (step.mode, step.source) == (Mode.INTERACT, b"pass")


@pytest.mark.parametrize(
    ("problem", "field"),
    [
        (Problem(tests=[CASE]), "problem.interactor"),
        (Problem(tests=[StdioCase(name="1", input=b"", answer=b"")], interactor=GCJ), "problem.interactor"),
        (Problem(tests=[replace(CASE, args=["a\0"])], interactor=GCJ), "problem.tests.0.args.0"),
        (Problem(tests=[CASE], interactor=replace(GCJ, flags=["\0"])), "problem.interactor.flags.0"),
        (
            Problem(tests=[CASE], interactor=replace(GCJ, program=replace(TEXT, entry="other.py"))),
            "problem.interactor.entry",
        ),
    ],
)
def test_problem_that_cannot_be_judged_is_refused(problem: Problem, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        validate_problem(problem)
    assert caught.value.field == field


# The same over real boxes.


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def judge() -> AsyncIterator[LocalJudge]:
    """A judge of one slot."""
    try:
        async with open_judge(Settings(slots=1)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


ASKS = "import sys\nprint(7, flush=True)\nsys.exit(0 if int(input()) == 14 else 1)"
"""Asks once, and dies of an exception at the end of file."""


@pytest.mark.sandbox
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("program", "interactor", "verdict"),
    [
        ("print(int(input()) * 2)", ASKS, "AC"),
        ("print(int(input()) * 3)", ASKS, "WA"),
        ("pass", ASKS, "WA"),  # the program is first: it says nothing,
        ("input()", ASKS, "WA"),  # hears and says nothing,
        ("import os; input(); os._exit(0)", ASKS, "WA"),  # leaves by a back door,
        ("import os, sys; os.close(1); sys.stdin.read()", ASKS, "WA"),  # or stays and is silent;
        ("input(); 1 / 0", ASKS, "RTE"),  # it crashes,
        ("import os; input(); os.abort()", ASKS, "RTE"),
        ("input(); print(21, flush=True); 1 / 0", ASKS, "WA"),  # after the wrong word,
        ("input(); print(14, flush=True); 1 / 0", ASKS, "RTE"),  # after the right one
        ("print(int(input()) * 2)", ASKS.replace("sys.exit(0", "1 / 0; sys.exit(0"), "JE"),  # the interactor is first,
        ("print(int(input()) * 2)", "1 / 0", "JE"),
        ("import sys; sys.stdin.read()", "1 / 0", "JE"),
        ("import sys; sys.stdin.read(); 1 / 0", "import os; os.abort()", "JE"),
        ("print('a')", "int(input())", "WA"),  # over a word that it did not expect,
        ("import os; os.write(1, b'\\xff\\n'); input()", "a, b = map(int, input().split())", "WA"),
        ("print()", "import sys\nint(sys.stdin.readline())", "WA"),
        ("print(-9)", "print('abc'[int(input())])", "WA"),
        ("print(5)", "assert int(input()) < 5", "WA"),
        ("print('a')", "import sys\nt = sys.stdin.readline()\nint(t) if t else sys.exit(3)", "WA"),
        ("print('a')", "int('b'); input()", "JE"),  # before it asked for any,
        ("print('a')", "input(); undefined", "JE"),  # or by a fault that no word brings
        ("pass", "int('b')", "JE"),
    ],
)
async def test_who_dies_first_is_blamed(judge: LocalJudge, program: str, interactor: str, verdict: str) -> None:
    text = ProgramText(language="python", files={"judge.py": interactor}, entry="judge.py")
    limits = Limits(cpu_seconds=5, wall_seconds=60)
    problem = Problem(tests=[CASE], interactor=Interactor(protocol=InteractorProtocol.GCJ, program=text), limits=limits)
    judgement = await judge.judge(Submission(source=program, language="python"), problem)
    assert judgement.verdict == verdict, judgement.cases[0].reason


VFORKS = """
#include <stdio.h>
#include <unistd.h>
int main() { int x; scanf("%d", &x); if (vfork() == 0) pause(); return 0; }
"""


@pytest.mark.sandbox
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("language", "source"), [("python", "import os\ninput(); os.kill(os.getpid(), 19)"), ("cpp", VFORKS)]
)
async def test_program_that_stops_itself_does_not_hold_the_conversation(
    judge: LocalJudge, language: str, source: str
) -> None:
    text = ProgramText(language="python", files={"judge.py": ASKS}, entry="judge.py")
    limits = Limits(cpu_seconds=1, wall_seconds=1, judge_seconds=4)
    problem = Problem(tests=[CASE], interactor=Interactor(protocol=InteractorProtocol.GCJ, program=text), limits=limits)
    judgement = await judge.judge(Submission(source=source, language=language), problem)
    [case] = judgement.cases
    assert case.verdict == "TLE"
    assert case.usage.wall_seconds < 20  # the walls of both sides and all that they may be stretched are 50 and more
