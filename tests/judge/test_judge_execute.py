"""From the end of a run to a verdict, with a runner that only says what it is told to say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from scalebox.core.errors import SandboxError
from scalebox.core.limits import Limits, Usage
from scalebox.core.problem import AssertCase, AssertStyle, CallCase, Problem, StdioCase, TestCase
from scalebox.core.result import CaseResult, CompileResult, Exceeded, RunResult
from scalebox.core.verdict import Verdict
from scalebox.judge.ends import verdict_of_end
from scalebox.judge.execute import run_step
from scalebox.judge.plan import Mode, Step
from scalebox.judge.programs import JudgePrograms, Soundness
from scalebox.languages.catalogue import load_languages
from scalebox.languages.naming import Names
from scalebox.runner.memory_file import MemoryFile
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import Conversation, Input, Runner

SECRET = "4711"  # ruff: ignore[hardcoded-password-string] - an answer
GOOD = RunResult(exit_code=0, signal=None, exceeded=None, usage=Usage(cpu_seconds=1), stdout=b"", stderr=b"")
RAISED = replace(GOOD, exit_code=1, stderr=b"Traceback\nValueError: no\n")
LATE = replace(GOOD, exit_code=None, signal=9, exceeded=Exceeded.TIME, reason="CPU time limit exceeded")
TELLING = replace(RAISED, stderr=b"assertion failed: f() == 4711\n")
"""A process in which test code ran, and that quotes it."""
UNFINISHED = "the test code could not be finished: "
STDIO = StdioCase(name="case", input=b"", answer=b"4711\n")
CALL = CallCase(name="case", function="f", args=[], answer=4711)
ASSERT = AssertCase(name="case", code="assert f() == 4711", style=AssertStyle.BARE)


def program_in(name: str) -> Program:
    """A program of which only the language is looked at."""
    language = load_languages().get(name)
    assert language is not None
    return Program(
        language=language,
        version="",
        file=MemoryFile("x", b""),
        file_name="x",
        names=Names(file="x", main=""),
        code=None,
        manifest=None,
        compiled=CompileResult(verdict=None, cached=False, usage=Usage()),
    )


PYTHON, CPP = program_in("python"), program_in("cpp")


class FakeRunner:
    """Every run ends as told."""

    def __init__(self, run: RunResult | Conversation | Exception, one_box: RunResult = GOOD) -> None:
        self._run = run
        self._one_box = one_box
        self.boxes_shared = 0
        self.given: Mapping[str, object] = {}

    def _end(self) -> RunResult | Conversation:
        if isinstance(self._run, Exception):
            raise self._run
        return self._run

    async def run(self, pair: Pair, program: Program, given: Input, limits: Limits) -> RunResult | Conversation:
        return self._end()

    async def call(
        self, pair: Pair, program: Program, spec: Mapping[str, object], document: bytes, limits: Limits
    ) -> RunResult | Conversation:
        self.given = spec
        return self._end()

    async def converse(
        self, pair: Pair, program: Program, spec: Mapping[str, object], limits: Limits, driver_seconds: float
    ) -> RunResult | Conversation:
        return self._end()

    async def one_box(
        self, pair: Pair, program: Program, spec: Mapping[str, object], document: bytes, limits: Limits
    ) -> RunResult:
        self.boxes_shared += 1
        if self._one_box.value == b"TOKEN":
            return replace(self._one_box, value=document)
        return self._one_box


async def judged(
    runner: FakeRunner,
    case: TestCase,
    mode: Mode,
    program: Program = PYTHON,
    *,
    hardened_only: bool = False,
    keep_output: bool = False,
) -> CaseResult:
    """One case judged with a runner that is none."""
    return await run_step(
        cast(Runner, runner),
        cast(Pair, SimpleNamespace()),
        program,
        Step(index=0, case=case, mode=mode, source=b"", language=program.language),
        Problem(tests=[case]),
        judges=JudgePrograms(cast(Runner, runner), load_languages(), {}, Soundness()),
        hardened_only=hardened_only,
        keep_output=keep_output,
    )


def report(outcome: str, message: str = "", exception: str = "") -> bytes:
    """A driver's report."""
    return json.dumps({"outcome": outcome, "message": message, "exception": exception}).encode() + b"\n"


def conversation(value: bytes | None, program: RunResult = GOOD, driver: RunResult = GOOD) -> Conversation:
    """Both ends of an assert case."""
    return Conversation(program=program, driver=replace(driver, value=value))


@pytest.mark.parametrize(
    ("end", "verdict", "reason"),
    [
        (GOOD, None, ""),
        (replace(GOOD, exit_code=3), "RTE", "exit code 3"),
        (RAISED, "RTE", "exit code 1: ValueError: no"),
        (replace(GOOD, exit_code=None, signal=11), "RTE", "killed by SIGSEGV"),
        (replace(GOOD, exit_code=None, signal=99), "RTE", "killed by signal 99"),
        (replace(GOOD, exit_code=0, reason="more processes than allowed"), "RTE", "more processes than allowed"),
        (LATE, "TLE", "CPU time limit exceeded"),
        (replace(GOOD, exceeded=Exceeded.TIME), "TLE", "time limit exceeded"),
        (replace(GOOD, exceeded=Exceeded.MEMORY), "MLE", "memory limit exceeded"),
        (replace(GOOD, exceeded=Exceeded.OUTPUT), "OLE", "output limit exceeded"),
        (replace(RAISED, stderr=b"a\x1b[31m\x00b\xff"), "RTE", "exit code 1: a?[31m?b\ufffd"),  # nothing for a terminal
        (replace(RAISED, stderr=b"x" * 5000), "RTE", "exit code 1: " + "x" * 200),
        (replace(RAISED, stderr=b" \n\n"), "RTE", "exit code 1"),
    ],
)
def test_verdict_of_end(end: RunResult, verdict: str | None, reason: str) -> None:
    assert verdict_of_end(end) == (None if verdict is None else (verdict, reason))


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (replace(GOOD, stdout=b"4711"), "AC"),
        (replace(GOOD, stdout=b"4712"), "WA"),
        (GOOD, "WA"),
        (replace(GOOD, stdout=b"4711", exit_code=1), "RTE"),  # the right output does not make a crash right
        (replace(LATE, stdout=b"4711"), "TLE"),
    ],
)
async def test_stdio(run: RunResult, verdict: str) -> None:
    assert (await judged(FakeRunner(run), STDIO, Mode.STDIO)).verdict == verdict


@pytest.mark.parametrize(
    ("value", "verdict", "words"),
    [
        (b"4711\n", "AC", None),
        (b"4712\n", "WA", None),
        (b"4711", "RTE", "before the function returned"),  # cut off: no proof
        (b"", "RTE", "before the function returned"),
        (None, "RTE", "before the function returned"),
        (b"\n", "WA", "no plain data"),
        (b"4711\n4711\n", "WA", "no plain data"),
        (b"NaN\n", "WA", "no plain data"),
        (b'{"$opaque":"Liar"}\n', "WA", None),
        (b"[" * 3000 + b"\n", "WA", "no plain data"),
    ],
)
async def test_call(value: bytes | None, verdict: str, words: str | None) -> None:
    result = await judged(FakeRunner(replace(GOOD, value=value)), CALL, Mode.CALL)
    assert result.verdict == verdict
    assert words is None or words in (result.reason or "")


async def test_call_that_crashes_after_its_value_is_no_pass() -> None:
    assert (await judged(FakeRunner(replace(RAISED, value=b"4711\n")), CALL, Mode.CALL)).verdict is Verdict.RTE


async def test_answer_of_a_call_case_is_not_handed_to_the_box() -> None:
    runner = FakeRunner(replace(GOOD, value=b"1\n"))
    await judged(runner, CALL, Mode.CALL)
    assert set(runner.given) == {"function", "args", "kwargs", "mutated"}


@pytest.mark.parametrize(
    ("both", "verdict", "reason"),
    [
        (conversation(report("passed")), "AC", None),
        (conversation(report("passed"), RAISED), "RTE", "exit code 1: ValueError: no"),
        (conversation(report("passed"), LATE), "TLE", "CPU time limit exceeded"),
        (conversation(report("failed", SECRET, "AssertionError")), "WA", "the test code failed: AssertionError"),
        (conversation(report("failed", SECRET)), "WA", "the test code failed"),
        (conversation(report("raised", SECRET, "KeyError")), "RTE", "the program raised KeyError"),
        (conversation(report("program_died"), RAISED), "RTE", "exit code 1: ValueError: no"),
        (conversation(report("program_died"), LATE), "TLE", "CPU time limit exceeded"),
        (conversation(report("program_died")), "RTE", "the program ended before the test code did"),
        (conversation(report("broken_test", SECRET)), "JE", "the test code is broken"),
        # what the driver chokes on came from the program, and is charged to it
        (conversation(None), "RTE", UNFINISHED + "it ended without a report"),
        (conversation(b"passed"), "RTE", UNFINISHED + "it ended without a report"),
        (conversation(report("passed")[:-1]), "RTE", UNFINISHED + "it ended without a report"),  # cut off: no proof
        (conversation(report("solved")), "RTE", UNFINISHED + "it ended without a report"),
        (conversation(None, RAISED), "RTE", UNFINISHED + "exit code 1: ValueError: no"),
        (conversation(None, GOOD, LATE), "TLE", UNFINISHED + "CPU time limit exceeded"),
        (conversation(None, GOOD, TELLING), "RTE", UNFINISHED + "exit code 1"),
        (conversation(report("passed"), GOOD, TELLING), "RTE", UNFINISHED + "exit code 1"),
    ],
)
async def test_assert_in_two_boxes(both: Conversation, verdict: str, reason: str | None) -> None:
    result = await judged(FakeRunner(both), ASSERT, Mode.CONVERSE)
    assert (result.verdict, result.reason, result.hardened) == (verdict, reason, True)
    told = result.check
    assert SECRET not in f"{result.reason} {None if told is None else told.detail}"


async def test_message_of_the_test_code_is_kept_for_full_detail() -> None:
    both = conversation(report("failed", f"4712 != {SECRET}", "AssertionError"))
    check = (await judged(FakeRunner(both), ASSERT, Mode.CONVERSE)).check
    assert check is not None
    assert check.answer_excerpt == f"4712 != {SECRET}"


@pytest.mark.parametrize(
    ("one_box", "verdict"),
    [
        (replace(GOOD, value=report("passed")), "AC"),
        (replace(GOOD, value=report("failed", SECRET, "AssertionError")), "WA"),
        (GOOD, "RTE"),
        # in one box the program may have written it, and the driver found the test code sound
        (replace(GOOD, value=report("broken_test", SECRET)), "RTE"),
        (replace(GOOD, value=report("unsupported", SECRET)), "RTE"),
        (TELLING, "RTE"),
        (replace(RAISED, value=report("passed")), "RTE"),
        (LATE, "TLE"),
    ],
)
async def test_what_cannot_cross_falls_back_to_one_box(one_box: RunResult, verdict: str) -> None:
    runner = FakeRunner(conversation(report("unsupported")), one_box)
    result = await judged(runner, ASSERT, Mode.CONVERSE)
    assert (result.verdict, result.hardened, runner.boxes_shared) == (verdict, False, 1)
    assert SECRET not in (result.reason or "")


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (replace(GOOD, value=b"TOKEN"), "AC"),
        (replace(GOOD, value=b"passed\n"), "RTE"),
        (GOOD, "RTE"),
        (replace(GOOD, value=b"failed\n", exit_code=1), "WA"),
        (replace(GOOD, exit_code=None, signal=6, value=b""), "RTE"),
        (TELLING, "RTE"),
        (replace(RAISED, value=b"TOKEN"), "RTE"),
        (LATE, "TLE"),
    ],
)
async def test_token_proves_completion_in_other_languages(run: RunResult, verdict: str) -> None:
    result = await judged(FakeRunner(GOOD, run), ASSERT, Mode.ONE_BOX, CPP)
    assert (result.verdict, result.hardened) == (verdict, False)
    assert SECRET not in (result.reason or "")


@pytest.mark.parametrize(("mode", "program"), [(Mode.CONVERSE, PYTHON), (Mode.ONE_BOX, CPP)])
async def test_hardened_only_refuses_one_box_and_says_so(mode: Mode, program: Program) -> None:
    runner = FakeRunner(conversation(report("unsupported")), replace(GOOD, value=report("passed")))
    result = await judged(runner, ASSERT, mode, program, hardened_only=True)
    assert (result.verdict, runner.boxes_shared) == (Verdict.JE, 0)
    assert (result.reason or "").startswith("not_hardened: ")


@pytest.mark.parametrize(("case", "mode"), [(STDIO, Mode.STDIO), (CALL, Mode.CALL), (ASSERT, Mode.CONVERSE)])
async def test_failed_slot_is_our_fault(case: TestCase, mode: Mode) -> None:
    result = await judged(FakeRunner(SandboxError("a slot died")), case, mode)
    assert (result.verdict, result.reason) == (Verdict.IE, "a slot died")


async def test_answer_is_in_no_reason() -> None:
    stdio = await judged(FakeRunner(replace(GOOD, stdout=b"1 2 3")), STDIO, Mode.STDIO)
    call = await judged(FakeRunner(replace(GOOD, value=b"[1]\n")), CALL, Mode.CALL)
    for result in (stdio, call):
        assert result.check is not None
        assert SECRET not in f"{result.reason} {result.check.detail}"
        assert result.check.answer_excerpt is not None


async def test_output_is_carried_only_on_request() -> None:
    run = replace(GOOD, stdout=b"o" * 70000, stderr=b"e" * 70000)
    silent = await judged(FakeRunner(run), STDIO, Mode.STDIO)
    assert (silent.stdout, silent.stderr) == (None, None)
    kept = await judged(FakeRunner(run), STDIO, Mode.STDIO, keep_output=True)
    assert (kept.stdout, kept.stderr) == (b"o" * 65536, b"e" * 65536)
    assert (kept.stdout_truncated, kept.stderr_truncated) == (True, True)
    assert kept.usage == Usage(cpu_seconds=1)
