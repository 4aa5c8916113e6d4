"""From what a unit-test framework reported to the verdict of a case. Pure.

A case is AC only where the framework came to its end, every test that counts has passed and the program ended well; with ``tests``
these are the tests that count, all of them, and others may fail. Names and messages are the test code's: reasons hold no parameter and no message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from scalebox.core.problem import UnitCase
from scalebox.core.result import CaseResult, CheckResult, UnitOutcome, UnitResult, bare_name
from scalebox.core.unit_report import End, UnitReport
from scalebox.core.verdict import Verdict

_MOST_NAMED: Final = 120


def unit_result(case: UnitCase, report: UnitReport, end: tuple[Verdict, str] | None) -> CaseResult:
    """The result of a case.

    Args:
        case: which tests must run.
        report: what the framework said.
        end: what the end of the program says against it, if anything.
    """
    tests = _wanted(case, report.tests)
    counting = [test for test in tests if test.counts]
    passed = sum(test.outcome is UnitOutcome.PASSED for test in counting)
    verdict, reason = _decide(report, tests, passed, end)
    share = passed / len(counting) if counting else 0.0
    earns = case.partial and verdict not in {Verdict.AC, Verdict.JE} and report.end is not End.UNFINISHED
    check = CheckResult(
        verdict=verdict,
        name=case.framework,
        stage="judge",
        detail=reason,
        answer_excerpt=report.message or None,
        points=share if earns and share < 1 else None,
    )
    return CaseResult(name=case.name, verdict=verdict, reason=reason, check=check, tests=tests)


def required(known: Sequence[UnitResult], report: UnitReport) -> UnitReport:
    """A report in which tests that the test files' text tells of are there, whatever the program's own process said.

    Args:
        known: the tests that the text tells of, without parameters.
        report: what came out of the program's process.
    """
    told = {test.name.partition("[")[0] for test in report.tests}
    missing = [test for test in known if test.counts and test.name not in told]
    excused = {test.name for test in known if not test.counts}
    counted = (_counted(test, excused) for test in report.tests)
    return replace(report, tests=(*counted, *missing))


def _counted(test: UnitResult, excused: set[str]) -> UnitResult:
    """A test that need not pass only where the text of its file says so."""
    return test if test.counts or test.name.partition("[")[0] in excused else replace(test, counts=True)


def _wanted(case: UnitCase, tests: Sequence[UnitResult]) -> tuple[UnitResult, ...]:
    """The tests, with those that the case names and nobody ran; where it names some, no other has to pass."""
    if not case.tests:
        return tuple(tests)
    found = {test.name: test for test in tests}
    named = [replace(found[name], counts=True) if name in found else _unheard(name) for name in case.tests]
    others = [replace(test, counts=False) for test in tests if test.name not in set(case.tests)]
    return (*named, *others)


def _unheard(name: str) -> UnitResult:
    return UnitResult(name=name, outcome=UnitOutcome.NOT_RUN)


def _decide(
    report: UnitReport, tests: Sequence[UnitResult], passed: int, end: tuple[Verdict, str] | None
) -> tuple[Verdict, str | None]:
    counting = [test for test in tests if test.counts]
    match report.end:
        case End.BROKEN | End.UNSUPPORTED:
            return Verdict.JE, "the test files are broken"
        case End.UNFINISHED | End.PROGRAM_DIED:
            verdict, words = end or (Verdict.RTE, "the program ended before the tests did")
            return verdict, f"the tests could not be finished: {words}"
        case End.FINISHED:
            pass
    if end is not None and end[0] is not Verdict.RTE:
        return end  # a limit says more than the tests that failed by it
    if passed == len(counting) and counting:
        return (Verdict.AC, None) if end is None else end
    if not counting:
        return Verdict.JE, "no test of the test files has to pass"
    first = next(test for test in counting if test.outcome is not UnitOutcome.PASSED)
    name = bare_name(first.name)[:_MOST_NAMED]
    ways = {
        UnitOutcome.SKIPPED: "was skipped",
        UnitOutcome.NOT_RUN: "was not run",
        UnitOutcome.ERROR: "could not be run",
    }
    return Verdict.WA, f"{passed} of {len(counting)} tests passed; {name} {ways.get(first.outcome, 'failed')}"
