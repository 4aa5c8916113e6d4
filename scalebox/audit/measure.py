"""Run the reference of a row on its cases and hold its outputs against the answers. Decides nothing about what is found.

One judgement a run gives the end, the usage and the output of every case, and the verdict of the problem's own checker; all other
comparisons are made here, over that output. Only what a judgement cannot carry is run again: outputs longer than it shows,
and calls whose value differs, once more with a tolerance.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.audit.comparisons import (
    ACCEPTED,
    FLOATS,
    MAIN,
    RUNGS,
    VALUE_RUNGS,
    VALUE_TOLERANCE,
    Compared,
    Difference,
    compare,
)
from scalebox.audit.measurement import Case, Fault, Kind, Measurement, Variation
from scalebox.audit.repetitions import repetitions
from scalebox.core.errors import LanguageUnavailable, RequestError, ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.core.problem import CallCase, Problem, ProgramChecker, StdioCase, TestCase
from scalebox.core.result import CaseResult, Judgement
from scalebox.core.submission import JudgeOptions, RunSpec
from scalebox.core.verdict import Verdict
from scalebox.rows.row import Row
from scalebox.wire.fields import clean

DEADLINE_SECONDS: Final = 3600.0
"""For one run over all cases of a problem, the wait for a slot included."""
_NORMAL: Final = frozenset({Verdict.AC, Verdict.WA, Verdict.JE})
_MESSAGE_CHARACTERS: Final = 2000
"""Of what a compiler says."""
_REJECTED: Final = Compared(accepts=frozenset(), differences={})
_OPTIONS: Final = JudgeOptions(keep_output=True, deadline_seconds=DEADLINE_SECONDS, fresh=True, registered_judge=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of one case."""

    kind: Kind
    result: CaseResult
    compared: Compared
    digest: bytes
    """Of what it printed."""


class Unjudged(ScaleBoxError):
    """A case was not judged, through our fault."""


async def measure(judge: Judge, row: Row, runs: int) -> Measurement:
    """Measure one row. Never raises for what the reference, the row or the judge does.

    Args:
        judge: any judge.
        row: with its reference.
        runs: how often every case runs; more than one tells flaky cases.
    """
    if row.problem is None:
        return _measurement(row, None, runs=0)
    problem = replace(row.problem, tests=[_exact(test) for test in row.problem.tests])
    every: list[list[Run]] = []
    try:
        for _ in range(runs):
            judgement = await judge.judge(row.reference, problem, _OPTIONS)
            if judgement.verdict is Verdict.CE:
                return _measurement(row, problem, runs=0, fault=Fault.COMPILE, message=_compile_message(judgement))
            every.append(await _runs(judge, row, problem, judgement))
    except RequestError as error:
        return _measurement(row, problem, runs=0, fault=Fault.REFUSED, message=_words(error))
    except ScaleBoxError as error:
        return _measurement(row, problem, runs=0, fault=Fault.UNJUDGED, message=str(error))
    cases = [_case(test, list(tries)) for test, *tries in zip(problem.tests, *every, strict=True)]
    return _measurement(row, problem, runs=runs, cases=cases)


def _measurement(
    row: Row,
    problem: Problem | None,
    *,
    runs: int,
    cases: Sequence[Case] = (),
    fault: Fault | None = None,
    message: str = "",
) -> Measurement:
    limits = Problem(tests=()).limits if problem is None else problem.limits
    return Measurement(
        row=row.number,
        id=row.id,
        shape=row.shape,
        declared=_declared(row),
        cpu_limit_seconds=limits.cpu_seconds,
        memory_limit_bytes=limits.memory_bytes,
        runs=runs,
        total=0 if problem is None else len(problem.tests),
        cases=cases,
        repetitions=[] if problem is None else repetitions(problem.tests),
        fault=fault,
        message=message,
    )


def _declared(row: Row) -> str | None:
    if row.problem is None or not row.declares_checker:
        return None
    checker = row.problem.checker
    if row.problem.interactor is not None:
        return f"interactor ({row.problem.interactor.protocol})"
    return f"program ({checker.protocol})" if isinstance(checker, ProgramChecker) else checker.name


def _exact(test: TestCase) -> TestCase:
    """A call without its tolerance, so that equality is measured first."""
    return replace(test, tolerance=None) if isinstance(test, CallCase) else test


async def _runs(judge: Judge, row: Row, problem: Problem, judgement: Judgement) -> list[Run]:
    """What one judgement shows of each case.

    Raises:
        Unjudged: a case was not run, through our fault.
    """
    assert row.problem is not None  # ruff: ignore[assert] - there is a judgement
    _refuse_unjudged(judgement)
    near = await _values_within_tolerance(judge, row, problem, judgement)
    return [
        await _run(judge, row, problem, number, case, near.get(number)) for number, case in enumerate(judgement.cases)
    ]


async def _values_within_tolerance(
    judge: Judge, row: Row, problem: Problem, judgement: Judgement
) -> dict[int, tuple[CaseResult, CaseResult]]:
    """By number: what a tolerance, and the case's own, make of the calls whose values are not equal.

    Raises:
        Unjudged: a call was not made again, through our fault.
    """
    wrong = {
        number: test
        for number, (test, case) in enumerate(zip(problem.tests, judgement.cases, strict=True))
        if isinstance(test, CallCase) and case.verdict is Verdict.WA
    }
    if not wrong:
        return {}
    tolerant = [replace(test, tolerance=VALUE_TOLERANCE) for test in wrong.values()]
    assert row.problem is not None  # ruff: ignore[assert] - there is a judgement
    declared = [row.problem.tests[number] for number in wrong]
    again = await judge.judge(row.reference, replace(problem, tests=[*tolerant, *declared]), _OPTIONS)
    _refuse_unjudged(again)
    half = len(wrong)
    pairs = zip(again.cases[:half], again.cases[half:], strict=True)
    return dict(zip(wrong, pairs, strict=True))


def _refuse_unjudged(judgement: Judgement) -> None:
    for case in judgement.cases:
        if case.verdict in {Verdict.IE, Verdict.SK}:
            raise Unjudged(f"case {case.name}: {case.reason or judgement.reason or 'not run'}")


async def _run(
    judge: Judge,
    row: Row,
    problem: Problem,
    number: int,
    case: CaseResult,
    again: tuple[CaseResult, CaseResult] | None,
) -> Run:
    test = problem.tests[number]
    kind = Kind.OUTPUT if isinstance(test, StdioCase) else Kind.VALUE if isinstance(test, CallCase) else Kind.OTHER
    if case.verdict not in _NORMAL:
        return Run(kind=kind, result=case, compared=_REJECTED, digest=b"")
    if isinstance(test, StdioCase):
        output = await _whole_output(judge, row, problem, test, case)
        compared = await asyncio.to_thread(compare, output, test.answer)
        return Run(kind=kind, result=case, compared=compared, digest=hashlib.sha256(output).digest())
    if case.verdict is Verdict.AC:
        return Run(kind=kind, result=case, compared=ACCEPTED, digest=b"")
    if again is None:
        return Run(kind=kind, result=case, compared=_REJECTED, digest=b"")
    near, own = again
    return Run(kind=kind, result=own, compared=_compared_value(case, near), digest=b"")


async def _whole_output(judge: Judge, row: Row, problem: Problem, test: StdioCase, case: CaseResult) -> bytes:
    """All that the program printed; where the judgement shows only the beginning, of another run.

    Raises:
        Unjudged: the other run did not end as the first one did.
    """
    if not case.stdout_truncated:
        return case.stdout or b""
    spec = RunSpec(
        stdin=test.input,
        args=test.args,
        files=test.files,
        limits=problem.limits,
        deadline_seconds=DEADLINE_SECONDS,
    )
    report = await judge.run(row.reference, spec)
    if report.run is None or report.run.exceeded is not None or report.run.exit_code != 0:
        raise Unjudged(f"case {test.name}: its long output was to be fetched by a second run, which ended otherwise")
    return report.run.stdout


def _compared_value(exact: CaseResult, near: CaseResult) -> Compared:
    """What the comparisons say of a value that is not equal; ``near`` is its verdict within a tolerance."""
    differences = dict.fromkeys(MAIN, _difference(exact))
    if near.verdict is Verdict.AC:
        del differences[FLOATS]
        return Compared(accepts=VALUE_RUNGS, differences=differences)
    differences[FLOATS] = _difference(near)
    return Compared(accepts=frozenset(), differences=differences)


def _difference(case: CaseResult) -> Difference:
    check = case.check
    words = (check.detail if check else None) or case.reason or "another value"
    return Difference(words=words, answer=check.answer_excerpt if check else None)


def _case(test: TestCase, tries: Sequence[Run]) -> Case:
    """One case over its runs."""
    worst = min(tries, key=_goodness)
    accepts = frozenset(RUNGS).intersection(*(one.compared.accepts for one in tries))
    result = worst.result
    verdicts = {(one.result.verdict, one.compared.accepts) for one in tries}
    varies = Variation.VERDICT if len(verdicts) > 1 else Variation.NONE
    if varies is Variation.NONE and len({one.digest for one in tries}) > 1:
        varies = Variation.OUTPUT
    return Case(
        name=test.name,
        kind=worst.kind,
        end=None if result.verdict in _NORMAL else result.verdict,
        own=result.verdict,
        reason="" if result.verdict is Verdict.AC else clean(result.reason or ""),
        accepts=accepts,
        differences=dict(worst.compared.differences),
        cpu_seconds=max(one.result.usage.cpu_seconds for one in tries),
        memory_bytes=max(one.result.usage.memory_bytes for one in tries),
        variation=varies,
    )


def _goodness(run: Run) -> tuple[bool, bool, int]:
    """How well a run went: to its end, accepted, by how many comparisons."""
    return run.result.verdict in _NORMAL, run.result.verdict is Verdict.AC, len(run.compared.accepts)


def _compile_message(judgement: Judgement) -> str:
    if judgement.reason == "no_code":
        return "there is no code in the reference"
    message = clean(judgement.compile.message).strip() if judgement.compile else "it does not compile"
    return message if len(message) <= _MESSAGE_CHARACTERS else f"{message[:_MESSAGE_CHARACTERS]}…"


def _words(error: RequestError) -> str:
    if isinstance(error, LanguageUnavailable):
        return " ".join(filter(None, (error.message, error.hint and f"({error.hint})")))
    where = f"{error.field}: " if error.field else ""
    return f"{where}{error.message}"
