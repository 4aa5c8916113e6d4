"""From a framework's report to a verdict: AC only where all that counts has passed, and nothing is earned by what was not finished."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import UnitCase
from scalebox.core.result import UnitOutcome, UnitResult
from scalebox.core.unit_report import End, UnitReport
from scalebox.core.verdict import Verdict
from scalebox.judge.aggregate import earned_share
from scalebox.judge.plan import MOST_TEST_NAME, check_unit
from scalebox.judge.unit import required, unit_result
from scalebox.runner.zygote.harness import unit_report

CASE = UnitCase(name="0", framework="pytest", files={"test_a.py": ""})
END = (Verdict.TLE, "CPU time limit exceeded")
CRASH = (Verdict.RTE, "exit code 1")


def some(*told: str) -> tuple[UnitResult, ...]:
    """``name=outcome``; a ``!`` in front: it does not count."""
    pairs = [one.partition("=") for one in told]
    return tuple(
        UnitResult(name=n.lstrip("!"), outcome=UnitOutcome(o), counts=not n.startswith("!")) for n, _, o in pairs
    )


def report(*told: str, end: End = End.FINISHED) -> UnitReport:
    return UnitReport(end=end, message="", tests=some(*told))


@pytest.mark.parametrize(
    ("said", "end", "verdict", "share"),
    [
        (report("a=passed", "b=passed"), None, Verdict.AC, 1.0),
        (report("a=passed", "!b=skipped"), None, Verdict.AC, 1.0),
        (report("a=passed", "b=passed"), CRASH, Verdict.RTE, 0.0),
        (report("a=passed", "b=failed"), None, Verdict.WA, 0.5),
        (report("a=passed", "b=failed"), CRASH, Verdict.WA, 0.5),
        (report("a=passed", "b=skipped"), None, Verdict.WA, 0.5),
        (report("a=passed", "b=not_run"), None, Verdict.WA, 0.5),
        (report("a=passed", "b=error"), None, Verdict.WA, 0.5),
        (report("a=passed", "b=failed"), END, Verdict.TLE, 0.5),
        (report("!a=skipped"), None, Verdict.JE, 0.0),
        (report(), None, Verdict.JE, 0.0),
        (report("a=passed", "b=failed", end=End.PROGRAM_DIED), None, Verdict.RTE, 0.5),
        (report("a=passed", "b=failed", end=End.PROGRAM_DIED), END, Verdict.TLE, 0.5),
        (report("a=passed", "b=passed", end=End.UNFINISHED), None, Verdict.RTE, 0.0),
        (report("a=passed", end=End.UNFINISHED), END, Verdict.TLE, 0.0),
        (report("a=passed", end=End.BROKEN), None, Verdict.JE, 0.0),
        (report("a=passed", end=End.UNSUPPORTED), None, Verdict.JE, 0.0),
    ],
)
def test_report_and_end_make_the_verdict(
    said: UnitReport, end: tuple[Verdict, str] | None, verdict: Verdict, share: float
) -> None:
    whole = unit_result(CASE, said, end)
    assert whole.verdict is verdict
    assert (earned_share(whole) > 0) is (verdict is Verdict.AC), "all or nothing unless the case says otherwise"
    partial = unit_result(replace(CASE, partial=True), said, end)
    assert partial.verdict is verdict
    assert earned_share(partial) == pytest.approx(share)


def test_named_tests_must_run_and_others_need_not_pass() -> None:
    named = replace(CASE, tests=("a", "c"))
    assert unit_result(named, report("a=passed", "b=failed", "c=passed"), None).verdict is Verdict.AC
    found = unit_result(named, report("a=passed", "b=passed"), None)
    assert found.verdict is Verdict.WA
    assert [(test.name, test.outcome.value, test.counts) for test in found.tests or ()] == [
        ("a", "passed", True),
        ("c", "not_run", True),
        ("b", "passed", False),
    ]
    assert unit_result(named, report("a=passed", "!c=skipped"), None).verdict is Verdict.WA


def test_a_reason_names_no_parameter_and_no_message() -> None:
    said = report("test_f[1-4711]=failed")
    said = replace(said, tests=(replace(said.tests[0], message="assert 1 == 4711"),))
    found = unit_result(CASE, said, None)
    assert "test_f" in (found.reason or "")
    assert "4711" not in (found.reason or "") + str(found.check and found.check.detail)


def test_tests_that_the_text_tells_of_are_missed() -> None:
    known = some("a=not_run", "b=not_run", "!c=not_run")
    said = required(known, report("a[1]=passed", "a[2]=passed", "!c=skipped", "!d=skipped"))
    assert said.tests == some("a[1]=passed", "a[2]=passed", "!c=skipped", "d=skipped", "b=not_run")
    assert required(known, report(end=End.UNFINISHED)).tests == some("a=not_run", "b=not_run")


def test_names_that_no_report_could_hold_are_refused() -> None:
    longest = "t" * MOST_TEST_NAME
    assert unit_report.short(longest) == longest != unit_report.short(longest + "t")
    check_unit(replace(CASE, tests=(longest,)), Limits(), "tests.0")
    for names in ((longest + "t",), ("a", "b", "a")):
        with pytest.raises(RequestError) as refusal:
            check_unit(replace(CASE, tests=names), Limits(), "tests.0")
        assert refusal.value.field == "tests.0.tests"
