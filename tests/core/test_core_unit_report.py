"""Reports of unit-test frameworks are read as untrusted bytes: only a last line with the token says that anything was finished."""

from __future__ import annotations

import json
import os

import pytest

from scalebox.core.result import UnitOutcome, UnitResult
from scalebox.core.unit_report import End, parse_unit_report
from scalebox.runner.zygote.harness import unit_report

TOKEN = "t0ken"  # ruff: ignore[hardcoded-password-string] - of a test
PASSED = ["a", "passed", True, ""]
FAILED = ["b", "failed", False, "why"]


def line(**tree: object) -> bytes:
    return json.dumps(tree).encode() + b"\n"


WHOLE = line(token=TOKEN, end="finished", message="", tests=[PASSED, FAILED])


def test_a_whole_report_is_read() -> None:
    report = parse_unit_report(line(test=PASSED) + WHOLE, TOKEN)
    assert report.end is End.FINISHED
    assert report.tests == (
        UnitResult(name="a", outcome=UnitOutcome.PASSED),
        UnitResult(name="b", outcome=UnitOutcome.FAILED, counts=False, message="why"),
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        WHOLE[:-1],  # no end: a partial write
        WHOLE + b"\n",
        WHOLE + b"{}\n",
        WHOLE + line(test=PASSED),
        line(end="finished", message="", tests=[PASSED]),
        line(token="", end="finished", message="", tests=[PASSED]),
        line(token=[TOKEN], end="finished", message="", tests=[PASSED]),
        line(token=TOKEN, end="won", message="", tests=[PASSED]),
        line(token=TOKEN, end=["finished"], message="", tests=[PASSED]),
        line(token=TOKEN, end="finished", message="", tests={"a": "passed"}),
        line(token=TOKEN, end="finished", message="", tests=[PASSED, PASSED]),
        line(token=TOKEN, end="finished", message="", tests=[["a", "passed", True]]),
        line(token=TOKEN, end="finished", message="", tests=[["a", ["passed"], True, ""]]),
        line(token=TOKEN, end="finished", message="", tests=[["a", "AC", True, ""]]),
        line(token=TOKEN, end="finished", message="", tests=[["a", "passed", 1, ""]]),
        line(token=TOKEN, end="finished", message="", tests=[[1, "passed", True, ""]]),
        line(token=TOKEN, end="finished", message="", tests=[[str(n), "passed", True, ""] for n in range(10_001)]),
        b"[" * 60000 + b"\n",
        b"\xff\xfe\n",
        b" " * (9 << 20) + b"\n",
    ],
)
def test_anything_else_is_unfinished(data: bytes) -> None:
    assert parse_unit_report(data, TOKEN).end is End.UNFINISHED


def test_what_ended_before_the_program_did_is_told() -> None:
    report = parse_unit_report(line(test=PASSED) + b"[]\n" + line(test=FAILED) + line(test=["c"]), TOKEN)
    assert (report.end, [test.name for test in report.tests]) == (End.UNFINISHED, ["a", "b"])


def test_long_names_that_begin_alike_stay_two() -> None:
    tests = unit_report.Tests()
    names = ["t[" + "x" * 5000 + end for end in "ab"]
    for name in names:
        tests.note(unit_report.short(name), unit_report.PASSED)
    assert len(tests.outcomes) == 2
    told = [[name, "passed", True, ""] for name in names]
    report = parse_unit_report(line(token=TOKEN, end="finished", message="", tests=told), TOKEN)
    assert (report.end, len(report.tests)) == (End.FINISHED, 2)
    assert all(len(test.name) < 1000 for test in report.tests)


def test_lone_surrogates_do_not_survive() -> None:
    report = parse_unit_report(
        line(token="", end="finished", message="\ud800", tests=[["\ud800", "passed", True, "\udfff"]]), ""
    )
    assert (report.message + report.tests[0].name + str(report.tests[0].message)).encode("utf-8")


def test_both_sides_use_the_same_words() -> None:
    ends = {unit_report.FINISHED, unit_report.PROGRAM_DIED, unit_report.BROKEN, unit_report.UNSUPPORTED}
    assert ends | {"unfinished"} == {end.value for end in End}
    words = {unit_report.PASSED, unit_report.FAILED, unit_report.ERROR, unit_report.SKIPPED, unit_report.NOT_RUN}
    assert words == {outcome.value for outcome in UnitOutcome}


def test_what_the_harness_writes_is_read() -> None:
    tests = unit_report.Tests()
    tests.note("a", unit_report.NOT_RUN)
    tests.note("a", unit_report.FAILED, 'it said "no"\n' + "x" * 5000)
    tests.note("b", unit_report.SKIPPED)
    tests.uncounted.add("b")
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe:
        tests.tell(writing, "a")
        tests.write(writing, unit_report.FINISHED, "", TOKEN)
        os.close(writing)
        report = parse_unit_report(pipe.read(), TOKEN)
    assert report.end is End.FINISHED
    assert [(test.name, test.outcome.value, test.counts) for test in report.tests] == [
        ("a", "failed", True),
        ("b", "skipped", False),
    ]
    assert (report.tests[0].message or "").startswith('it said "no"\nxxx')


def test_no_more_tests_are_kept_than_a_run_may_have() -> None:
    report = parse_unit_report(b"".join(line(test=[str(n), "passed", True, ""]) for n in range(10_001)), TOKEN)
    assert (report.end, len(report.tests)) == (End.UNFINISHED, 10_000)
