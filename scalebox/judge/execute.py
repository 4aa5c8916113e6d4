"""Run one case and check it. The program's failure is a verdict; a slot's failure is IE, caught here and only here."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from typing import Final

from scalebox.checkers.catalogue import check
from scalebox.checkers.values import compare_values
from scalebox.core import plain
from scalebox.core.errors import SandboxError
from scalebox.core.problem import AssertCase, CallCase, InteractiveCase, Problem, ProgramChecker, StdioCase
from scalebox.core.report import Outcome, Report, parse_report
from scalebox.core.result import CaseResult, CheckResult, RunResult
from scalebox.core.verdict import Verdict
from scalebox.judge.ends import not_hardened, quiet, verdict_of_end
from scalebox.judge.interactor import converse, decide
from scalebox.judge.plan import Mode, Step
from scalebox.judge.programs import JudgePrograms
from scalebox.judge.special import Evidence, check_output
from scalebox.judge.unit_run import run_unit
from scalebox.languages.definition import Kind
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import Input, Runner

_EXCERPT_BYTES: Final = 65536
_OFF_LOOP_BYTES: Final = 1 << 20
"""Larger outputs and values are compared in a thread, so that nobody else waits for it."""
VALUE_TOO_LARGE: Final = "output limit exceeded by the value"


async def run_step(
    runner: Runner,
    pair: Pair,
    program: Program,
    step: Step,
    problem: Problem,
    *,
    judges: JudgePrograms,
    hardened_only: bool,
    keep_output: bool,
) -> CaseResult:
    """Run one case to its verdict. Never raises for what a program, a judge or a slot does."""
    try:
        match step.mode:
            case Mode.STDIO:
                result, run = await _stdio(runner, pair, program, step, problem, judges)
            case Mode.CALL:
                result, run = await _call(runner, pair, program, step, problem)
            case Mode.CONVERSE | Mode.ONE_BOX:
                judge = _converse if step.mode is Mode.CONVERSE else _one_box
                result, run = await judge(runner, pair, program, step, problem, hardened_only)
            case Mode.UNIT | Mode.UNIT_ONE_BOX:
                result, run = await run_unit(runner, pair, program, step, problem.limits, hardened_only)
            case Mode.INTERACT:
                result, run = await _interact(pair, program, step, problem, judges)
    except SandboxError as error:
        return CaseResult(name=step.case.name, verdict=Verdict.IE, reason=str(error))
    if run is None:
        return result
    if not keep_output and result.transcript is not None:
        result = replace(result, transcript=None, transcript_truncated=False)
    result = replace(result, usage=run.usage, exit_code=run.exit_code, signal=run.signal)
    if not keep_output:
        return result
    return replace(
        result,
        stdout=run.stdout[:_EXCERPT_BYTES],
        stderr=run.stderr[:_EXCERPT_BYTES],
        stdout_truncated=len(run.stdout) > _EXCERPT_BYTES,
        stderr_truncated=run.stderr_truncated or len(run.stderr) > _EXCERPT_BYTES,
    )


Judged = tuple[CaseResult, RunResult | None]


async def _stdio(
    runner: Runner, pair: Pair, program: Program, step: Step, problem: Problem, judges: JudgePrograms
) -> Judged:
    case = step.case
    assert isinstance(case, StdioCase)  # ruff: ignore[assert] - the plan pairs mode and case
    given = Input(stdin=case.input, args=case.args, files=case.files)
    run = await runner.run(pair, program, given, problem.limits)
    end = verdict_of_end(run)
    if end is not None:
        return _ended(step, end), run
    spec = case.checker or problem.checker
    if isinstance(spec, ProgramChecker):
        evidence = Evidence(input=case.input, answer=case.answer, output=run.stdout, weight=case.weight)
        return _checked(step, await check_output(judges, pair, spec, evidence, problem.limits)), run
    if len(run.stdout) + len(case.answer) > _OFF_LOOP_BYTES:
        checked = await asyncio.to_thread(check, spec, run.stdout, case.answer)
    else:
        checked = check(spec, run.stdout, case.answer)
    return _checked(step, checked), run


async def _interact(pair: Pair, program: Program, step: Step, problem: Problem, judges: JudgePrograms) -> Judged:
    case, interactor = step.case, problem.interactor
    assert isinstance(case, InteractiveCase)  # ruff: ignore[assert] - the plan pairs mode and case
    assert interactor is not None  # ruff: ignore[assert] - the plan refuses such a problem
    found = await converse(judges, pair, program, interactor, case, problem.limits)
    if isinstance(found, CheckResult):
        return _checked(step, found), None
    return decide(interactor, case, found, verdict_of_end(found.program)), found.program


async def _call(runner: Runner, pair: Pair, program: Program, step: Step, problem: Problem) -> Judged:
    case = step.case
    assert isinstance(case, CallCase)  # ruff: ignore[assert] - the plan pairs mode and case
    spec: dict[str, object] = {
        "function": case.function,
        "args": list(case.args),
        "kwargs": dict(case.kwargs),
        "mutated": case.mutated,
    }
    if case.arg_types or case.return_type:
        spec["arg_types"] = [kind and str(kind) for kind in case.arg_types]
        spec["return_type"] = case.return_type and str(case.return_type)
    document = b"" if program.language.kind is Kind.ZYGOTE else plain.dumps(spec)
    run = await runner.call(pair, program, spec, document, problem.limits)
    end = verdict_of_end(run)
    if end is not None:
        return _ended(step, end), run
    if not run.value or not run.value.endswith(b"\n"):
        return _ended(step, (Verdict.RTE, "the program ended before the function returned a value")), run
    if len(run.value) > _OFF_LOOP_BYTES:
        return await asyncio.to_thread(_check_value, step, case, run.value), run
    return _check_value(step, case, run.value), run


def _check_value(step: Step, case: CallCase, line: bytes) -> CaseResult:
    """Compare the value a box wrote, which is hostile data, with the answer."""
    if plain.holds_too_much(line):
        return _ended(step, (Verdict.OLE, VALUE_TOO_LARGE))
    if plain.holds_far_more(line, case.answer):
        return _ended(step, (Verdict.WA, "the value holds far more than the answer"))
    try:
        value = plain.loads(line[:-1])
    except plain.PlainError as error:
        return _ended(step, (Verdict.WA, f"the value is no plain data: {error}"))
    return _checked(step, compare_values(value, case.answer, case.tolerance))


async def _converse(
    runner: Runner, pair: Pair, program: Program, step: Step, problem: Problem, hardened_only: bool
) -> Judged:
    case = step.case
    assert isinstance(case, AssertCase)  # ruff: ignore[assert] - the plan pairs mode and case
    spec = {
        "code": case.code,
        "style": case.style.value,
        "entry_point": case.entry_point,
        "setup": None,
        "prompt": case.prompt,
    }
    both = await runner.converse(pair, program, spec, problem.limits, problem.limits.judge_seconds)
    report = _report(both.driver)
    if report is not None and report.outcome is Outcome.UNSUPPORTED:
        if hardened_only:
            return not_hardened(step.case.name), both.program
        return await _one_box(runner, pair, program, step, problem, hardened_only)
    return _by_report(step, report, both.program, both.driver), both.program


async def _one_box(
    runner: Runner, pair: Pair, program: Program, step: Step, problem: Problem, hardened_only: bool
) -> Judged:
    if hardened_only:
        return not_hardened(step.case.name), None
    case = step.case
    assert isinstance(case, AssertCase)  # ruff: ignore[assert] - the plan pairs mode and case
    token = secrets.token_hex(16).encode()
    spec = {"code": case.code, "style": case.style.value, "entry_point": case.entry_point, "setup": None}
    run = await runner.one_box(pair, program, spec, token + b"\n", problem.limits)
    told = quiet(run)
    if program.language.kind is Kind.ZYGOTE:
        report = _report(run)
        if report is not None and report.outcome in {Outcome.BROKEN_TEST, Outcome.UNSUPPORTED}:
            # The driver has read the test code, in a box without the program, and found nothing wrong with it.
            report = None
        result = _by_report(step, report, told, told)
    else:
        result = _by_token(step, told, token)
    return replace(result, hardened=False), run


def _by_token(step: Step, run: RunResult, token: bytes) -> CaseResult:
    """The test code's proof of completion, in languages whose harness is text around the program."""
    lines = (run.value or b"").split(b"\n")
    if b"failed" in lines:
        return _ended(step, (Verdict.WA, "an assertion of the test code failed"))
    end = verdict_of_end(run)
    if end is not None:
        return _ended(step, end)
    if run.value != token + b"\n":
        return _ended(step, (Verdict.RTE, "the program ended before the test code did"))
    return CaseResult(name=step.case.name, verdict=Verdict.AC)


def _report(driver: RunResult) -> Report | None:
    """The driver's report; None where it did not get to write one."""
    try:
        return parse_report(driver.value or b"")
    except ValueError:
        return None


def _by_report(step: Step, report: Report | None, program: RunResult, driver: RunResult) -> CaseResult:
    end = verdict_of_end(program)
    driver_end = verdict_of_end(quiet(driver))
    if report is None or driver_end is not None:
        # What the driver chokes on came from the program: charged to us it would be a way to escape a verdict.
        end = end or driver_end or (Verdict.RTE, "it ended without a report")
        return _ended(step, (end[0], "the test code could not be finished: " + end[1]))
    match report.outcome:
        case Outcome.PASSED:
            return CaseResult(name=step.case.name, verdict=Verdict.AC) if end is None else _ended(step, end)
        case Outcome.FAILED:
            words = f"the test code failed: {report.exception}" if report.exception else "the test code failed"
            return _told(step, Verdict.WA, words, report)
        case Outcome.RAISED:
            return _told(step, Verdict.RTE, f"the program raised {report.exception or 'an exception'}", report)
        case Outcome.PROGRAM_DIED:
            return _ended(step, end or (Verdict.RTE, "the program ended before the test code did"))
        case Outcome.BROKEN_TEST | Outcome.UNSUPPORTED:
            return _told(step, Verdict.JE, "the test code is broken", report)


def _told(step: Step, verdict: Verdict, words: str, report: Report) -> CaseResult:
    """A result whose full story may quote the test code, which only a client that asked for everything is told."""
    check = CheckResult(
        verdict=verdict, name="assert", stage="judge", detail=words, answer_excerpt=report.message or None
    )
    return CaseResult(name=step.case.name, verdict=verdict, reason=words, check=check)


def _ended(step: Step, end: tuple[Verdict, str]) -> CaseResult:
    return CaseResult(name=step.case.name, verdict=end[0], reason=end[1])


def _checked(step: Step, checked: CheckResult) -> CaseResult:
    return CaseResult(name=step.case.name, verdict=checked.verdict, reason=checked.detail, check=checked)
