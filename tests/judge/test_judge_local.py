"""A whole judge on real slots: deadlines in queue and in run, cancellation, faults, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import NoReturn

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import (
    DeadlineExceeded,
    IsolationUnavailable,
    LanguageUnavailable,
    QueueFull,
    RequestError,
    SandboxError,
)
from scalebox.core.limits import Limits
from scalebox.core.problem import AssertCase, AssertStyle, CallCase, Problem, StdioCase
from scalebox.core.result import Judgement
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.core.verdict import Verdict
from scalebox.judge import local
from scalebox.judge.local import LocalJudge
from scalebox.judge.plan import Step, make_steps
from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import Language
from scalebox.runner.slot import tree_of

pytestmark = pytest.mark.sandbox

SLEEP = "import time; time.sleep(60)"
LIMITS = Limits(cpu_seconds=5, wall_seconds=60)
ONE = Problem(tests=[StdioCase(name="0", input=b"21\n", answer=b"42\n")], limits=LIMITS)
RIGHT = Submission(source="print(int(input()) * 2)", language="python")
WRONG = Submission(source="print(int(input()) * 3)", language="python")
PATIENCE_SECONDS = 20


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def judge() -> AsyncIterator[LocalJudge]:
    """A judge of one slot."""
    try:
        async with open_judge(Settings(slots=1, queue_limit=6)) as opened:
            await opened.judge(RIGHT, ONE)
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


def program(source: str) -> Submission:
    """A Python submission."""
    return Submission(source=source, language="python")


async def is_sound(judge: LocalJudge) -> bool:
    """Whether nothing is held, and a right and a wrong program are told apart."""
    health = await judge.health()
    pair = [(await judge.judge(given, ONE)).verdict for given in (RIGHT, WRONG)]
    return (health.busy, health.queued) == (0, 0) and pair == [Verdict.AC, Verdict.WA]


def processes(judge: LocalJudge) -> list[int]:
    """Every process of the judge's slot; three where a box runs at `strict`."""
    slot = judge._pool._pairs[0]._slots[0]
    return [] if slot is None else [slot.pid, *tree_of(slot.pid)]


async def busy(judge: LocalJudge) -> None:
    """Wait until a slot is in use and its box is there."""
    idle = 2  # a launcher and a parent
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(processes(judge)) <= idle:  # ruff: ignore[async-busy-wait] - other processes
            await asyncio.sleep(0.002)


async def test_right_and_wrong(judge: LocalJudge) -> None:
    assert await is_sound(judge)


async def test_deadline_while_running(judge: LocalJudge) -> None:
    judgement = await judge.judge(program(SLEEP), ONE, JudgeOptions(deadline_seconds=0.3))
    assert (judgement.verdict, judgement.reason, judgement.reward) == (Verdict.IE, "deadline", None)
    assert [case.verdict for case in judgement.cases] == [Verdict.SK]
    assert (await judge.health()).busy == 0
    assert await is_sound(judge)


async def test_deadline_in_the_queue(judge: LocalJudge) -> None:
    holder = asyncio.create_task(judge.judge(program(SLEEP), ONE))
    await busy(judge)
    judgement = await judge.judge(RIGHT, ONE, JudgeOptions(deadline_seconds=0.1))
    assert (judgement.verdict, judgement.reason) == (Verdict.IE, "deadline")
    assert (await judge.health()).queued == 0
    holder.cancel()
    await asyncio.gather(holder, return_exceptions=True)
    assert await is_sound(judge)


async def test_deadline_keeps_what_was_found(judge: LocalJudge) -> None:
    cases = [StdioCase(name=str(n), input=line, answer=b"ok\n") for n, line in enumerate((b"go", b"wait"))]
    source = "import time\nif input() == 'wait': time.sleep(60)\nprint('ok')"
    judgement = await judge.judge(
        program(source), Problem(tests=cases, limits=LIMITS), JudgeOptions(deadline_seconds=1.5)
    )
    assert judgement.verdict is Verdict.IE
    assert [case.verdict for case in judgement.cases] == [Verdict.AC, Verdict.SK]
    assert judgement.score is None


@pytest.mark.parametrize("first", ["print('no')", "raise SystemExit(3)", "while True: pass"])
async def test_a_program_cannot_sleep_its_failure_away(judge: LocalJudge, first: str) -> None:
    cases = [StdioCase(name=str(n), input=line, answer=b"ok\n") for n, line in enumerate((b"go", b"wait", b"wait"))]
    source = f"import time\nif input() == 'wait': time.sleep(60)\n{first}"
    problem = Problem(tests=cases, limits=replace(LIMITS, cpu_seconds=0.5))
    judgement = await judge.judge(program(source), problem, JudgeOptions(deadline_seconds=3))
    assert judgement.verdict in {Verdict.WA, Verdict.RTE, Verdict.TLE}
    assert [case.verdict for case in judgement.cases] == [judgement.verdict, Verdict.SK, Verdict.SK]
    assert (judgement.reward, judgement.reason) == (0.0, "deadline: 2 of 3 cases were not run")


async def test_deadline_of_a_run(judge: LocalJudge) -> None:
    with pytest.raises(DeadlineExceeded, match=r"0\.2 s"):
        await judge.run(program(SLEEP), RunSpec(limits=LIMITS, deadline_seconds=0.2))
    assert await is_sound(judge)


async def test_cancelled_judgement_frees_its_slot(judge: LocalJudge) -> None:
    for _ in range(5):
        task = asyncio.create_task(judge.judge(program(SLEEP), ONE))
        await busy(judge)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await judge.health()).busy == 0
    assert await is_sound(judge)


async def test_queue_full(judge: LocalJudge) -> None:
    fresh = JudgeOptions(fresh=True)
    tasks = [asyncio.create_task(judge.judge(program(SLEEP), ONE, fresh)) for _ in range(6)]
    await busy(judge)
    with pytest.raises(QueueFull):
        await judge.judge(RIGHT, ONE)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert await is_sound(judge)


async def test_slot_killed_again_and_again_is_our_error(judge: LocalJudge) -> None:
    task = asyncio.create_task(judge.judge(program(SLEEP), ONE))
    while not task.done():
        for pid in processes(judge)[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.005)
    judgement = task.result()
    assert (judgement.verdict, judgement.reward) == (Verdict.IE, None)
    assert await is_sound(judge)


async def test_poison_then_a_known_pair(judge: LocalJudge) -> None:
    poison = """
import os, sys, builtins
for fd in range(3, 256):
    try: os.write(fd, b"AC\\n" * 99)
    except OSError: pass
try: os.kill(os.getppid(), 9)
except OSError: pass
open("json.py", "w").write("raise SystemExit")
os._exit(0)
"""
    for _ in range(3):
        assert (await judge.judge(program(poison), ONE)).verdict is not Verdict.AC
        assert await is_sound(judge)


async def test_long_submission_lets_later_ones_in(judge: LocalJudge) -> None:
    long = Problem(tests=[replace(ONE.tests[0], name=str(n)) for n in range(40)], limits=LIMITS)
    slow = program("import time; time.sleep(0.05); print(int(input()) * 2)")
    order: list[str] = []

    async def judged(name: str, given: Submission, problem: Problem) -> None:
        judgement = await judge.judge(given, problem)
        assert judgement.verdict is Verdict.AC
        order.append(name)

    first = asyncio.create_task(judged("long", slow, long))
    await busy(judge)
    await asyncio.gather(first, judged("short", RIGHT, ONE))
    assert order == ["short", "long"]


@pytest.mark.parametrize(
    ("cases", "source", "verdicts"),
    [
        ("ok wa ok", "w = input()\nprint('ok' if w == 'ok' else 'no')", "AC WA SK"),
        ("ok ok", "print('ok')", "AC AC"),
        ("re ok", "w = input()\nassert w != 're'\nprint('ok')", "RTE SK"),
    ],
)
async def test_stop_on_failure(judge: LocalJudge, cases: str, source: str, verdicts: str) -> None:
    tests = [StdioCase(name=str(n), input=word.encode(), answer=b"ok\n") for n, word in enumerate(cases.split())]
    judgement = await judge.judge(
        program(source), Problem(tests=tests, limits=LIMITS), JudgeOptions(stop_on_failure=True)
    )
    assert " ".join(case.verdict for case in judgement.cases) == verdicts
    assert judgement.score == judgement.reward


async def test_compile_error_runs_nothing(judge: LocalJudge) -> None:
    judgement = await judge.judge(program("print("), ONE)
    assert (judgement.verdict, judgement.reward, judgement.ran) == (Verdict.CE, 0.0, 0)
    assert "SyntaxError" in (judgement.reason or "")


async def test_no_code(judge: LocalJudge) -> None:
    judgement = await judge.judge(Completion(text="I cannot say."), ONE)
    assert (judgement.verdict, judgement.reason, judgement.ran) == (Verdict.CE, "no_code", 0)
    report = await judge.run(Completion(text="I cannot say."), RunSpec())
    assert (report.run, report.compile) == (None, None)


async def test_second_judgement_finds_the_program_compiled(judge: LocalJudge) -> None:
    given = program("print(42) # compiled once")
    judgements = [await judge.judge(given, ONE) for _ in range(2)]
    assert [told.compile.cached for told in judgements if told.compile is not None] == [False, True]


@pytest.mark.parametrize(
    ("case", "verdict"),
    [
        (CallCase(name="0", function="f", args=[4], answer=5), Verdict.AC),
        (CallCase(name="0", function="f", args=[4], answer=6), Verdict.WA),
        (CallCase(name="0", function="g", args=[4], answer=5), Verdict.RTE),
        (AssertCase(name="0", code="assert f(4) == 5", style=AssertStyle.BARE), Verdict.AC),
        (AssertCase(name="0", code="assert f(4) == 4711", style=AssertStyle.BARE), Verdict.WA),
        (AssertCase(name="0", code="assert g(4) == 4711", style=AssertStyle.BARE), None),
        (AssertCase(name="0", code="def check(c): assert c(1) == 2", style=AssertStyle.CHECK, entry_point="f"), "AC"),
    ],
)
async def test_call_and_assert(judge: LocalJudge, case: CallCase | AssertCase, verdict: Verdict | None) -> None:
    judgement = await judge.judge(program("def f(x): return x + 1"), Problem(tests=[case], limits=LIMITS))
    [result] = judgement.cases
    assert verdict is None or result.verdict == verdict, result
    assert result.verdict is Verdict.AC or judgement.verdict is not Verdict.AC
    assert "4711" not in f"{result.reason} {None if result.check is None else result.check.detail}"


@pytest.mark.parametrize(("shares", "hardened"), [("", True), ("from unittest.mock import patch\n", False)])
@pytest.mark.parametrize(
    "ends", ["", "if __name__ == '__main__':\n    unittest.main()\n", "unittest.main(exit=False)\n"]
)
async def test_classes_of_unittest(judge: LocalJudge, shares: str, ends: str, *, hardened: bool) -> None:
    code = f"import unittest\n{shares}class T(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(f(4), 5)\n{ends}"
    problem = Problem(tests=[AssertCase(name="0", code=code, style=AssertStyle.APPEND)], limits=LIMITS)
    for source, verdict in (("def f(x): return x + 1", Verdict.AC), ("def f(x): return x", Verdict.WA)):
        judgement = await judge.judge(program(source), problem)
        assert (judgement.verdict, judgement.hardened) == (verdict, hardened), judgement.cases


@pytest.mark.parametrize(
    ("options", "verdict", "hardened"),
    [(JudgeOptions(), Verdict.AC, False), (JudgeOptions(hardened_only=True), Verdict.JE, True)],
)
async def test_hardened_only(judge: LocalJudge, options: JudgeOptions, verdict: Verdict, hardened: bool) -> None:
    """Source text cannot cross between boxes: this test code wants the program's own process."""
    code = "import inspect\nassert 'x + 1' in inspect.getsource(f)\nassert f(1) == 2"
    case = AssertCase(name="0", code=code, style=AssertStyle.BARE)
    judgement = await judge.judge(program("def f(x): return x + 1"), Problem(tests=[case], limits=LIMITS), options)
    assert (judgement.verdict, judgement.hardened) == (verdict, hardened)


@pytest.mark.parametrize(
    ("given", "problem", "error"),
    [
        (RIGHT, Problem(tests=[]), RequestError),
        (Submission(source="", language="klingon"), ONE, LanguageUnavailable),
        (RIGHT, Problem(tests=[StdioCase(name="", input=b"", answer=b"", files={"main.py": b""})]), RequestError),
    ],
)
async def test_refused(judge: LocalJudge, given: Submission, problem: Problem, error: type[Exception]) -> None:
    with pytest.raises(error):
        await judge.judge(given, problem)
    assert (await judge.health()).busy == 0


@pytest.mark.parametrize(
    "spec",
    [
        RunSpec(files={"../a": b""}),
        RunSpec(files={"main.py": b""}),
        RunSpec(fetch_files=["/etc/passwd"]),
        RunSpec(args=["\0"]),
        RunSpec(files={"a": b"xx"}, limits=Limits(disk_bytes=1)),
    ],
)
async def test_run_refused(judge: LocalJudge, spec: RunSpec) -> None:
    with pytest.raises(RequestError):
        await judge.run(RIGHT, spec)


async def test_run(judge: LocalJudge) -> None:
    report = await judge.run(
        program("import sys; open('out', 'w').write(sys.argv[1]); print(input()); sys.exit(3)"),
        RunSpec(stdin=b"in", args=["arg"], fetch_files=["out", "none"]),
    )
    assert report.run is not None
    assert (report.run.stdout, report.run.exit_code, report.run.files) == (b"in\n", 3, {"out": b"arg"})


async def test_id_is_echoed_and_bounded(judge: LocalJudge) -> None:
    assert (await judge.judge(RIGHT, ONE, JudgeOptions(id="mine"))).id == "mine"
    ids = {(await judge.judge(RIGHT, ONE)).id for _ in range(2)}
    assert len(ids) == 2
    with pytest.raises(RequestError):
        await judge.judge(RIGHT, ONE, JudgeOptions(id="x" * 129))


async def test_many_at_once_are_all_right(judge: LocalJudge) -> None:
    judgements: list[Judgement] = []
    for _ in range(5):
        judgements += await asyncio.gather(*(judge.judge(given, ONE) for given in (RIGHT, WRONG, RIGHT, WRONG)))
    assert [told.verdict for told in judgements] == [Verdict.AC, Verdict.WA] * 10


@pytest.mark.parametrize("body", ["return ['x' * 100] * 10**6", "return 'x' * (80 << 20)", "return [2] * (6 << 20)"])
async def test_value_larger_than_the_output_limit_is_said_to_be_so(judge: LocalJudge, body: str) -> None:
    problem = Problem(tests=[CallCase(name="0", function="f", args=[], answer=[1])], limits=LIMITS)
    judgement = await judge.judge(program(f"def f():\n    {body}"), problem)
    assert (judgement.verdict, judgement.cases[0].reason) == (Verdict.OLE, "output limit exceeded by the value")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("b'[' + b'[],' * 4_100_000 + b'0]\\n'", Verdict.OLE),
        ("b'[' + b'{},' * 2_000_000 + b'0]\\n'", Verdict.WA),
        ("b'[\"' + b'[' * 8_000_000 + b'\"]\\n'", Verdict.AC),  # brackets in text are text
    ],
)
async def test_value_written_by_hand_is_bounded_in_containers(judge: LocalJudge, text: str, verdict: Verdict) -> None:
    source = f"import os\ndef f():\n    left = {text}\n    while left: left = left[os.write(4, left):]\n    os._exit(0)"
    problem = Problem(tests=[CallCase(name="0", function="f", args=[], answer=["[" * 8_000_000])], limits=LIMITS)
    case = (await judge.judge(program(source), problem)).cases[0]
    assert case.verdict is verdict, case.reason
    reasons = {"OLE": "output limit exceeded by the value", "WA": "the value holds far more than the answer"}
    assert case.reason == reasons.get(verdict)


async def test_a_large_problem_is_planned_beside_the_loop(judge: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def noted(language: Language, source: str, problem: Problem, catalogue: Catalogue) -> list[Step]:
        threads.append(threading.current_thread().name)
        return make_steps(language, source, problem, catalogue)

    monkeypatch.setattr(local, "make_steps", noted)
    call = CallCase(name="0", function="f", args=[[[1] * 10] * 6000], answer=6000)
    given = program("def f(rows): return len(rows)")
    assert (await judge.judge(given, Problem(tests=[call], limits=LIMITS))).verdict is Verdict.AC
    assert (await judge.judge(given, Problem(tests=[replace(call, args=[[1]], answer=1)]))).verdict is Verdict.AC
    assert [name == threading.main_thread().name for name in threads] == [False, True]


async def test_language_whose_self_test_found_no_slot_is_judged_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_a_slot(*_: object) -> NoReturn:
        raise SandboxError("a slot died")

    async with open_judge(Settings(slots=1)) as judge:
        with monkeypatch.context() as patch:
            patch.setattr(local, "prove", without_a_slot)
            failed = await judge.judge(RIGHT, ONE)
            assert [language.id for language in await judge.languages(["python"]) if language.available]
        assert (failed.verdict, failed.reason, failed.reward) == (Verdict.IE, "a slot died", None)
        assert (await judge.judge(RIGHT, ONE)).verdict is Verdict.AC
