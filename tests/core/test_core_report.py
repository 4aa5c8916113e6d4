"""Reports of test code are read as untrusted bytes: a complete one or a ValueError."""

from __future__ import annotations

import pytest

from scalebox.core.report import MAX_REPORT_BYTES, Outcome, Report, parse_report
from scalebox.runner.zygote.harness import reporting


def test_complete_report_is_read() -> None:
    report = parse_report(b'{"outcome":"failed","message":"line 2","exception":"AssertionError"}\n')
    assert report == Report(outcome=Outcome.FAILED, message="line 2", exception="AssertionError")


def test_lone_surrogates_do_not_survive() -> None:
    report = parse_report(b'{"outcome":"failed","message":"\\ud800\xed\xa0\x80","exception":""}\n')
    assert report.message.encode("utf-8").isascii() or "\ufffd" in report.message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"passed\n",
        b'{"outcome":"passed","message":"","exception":""}',  # no end: a partial write
        b'{"outcome":"passed","message":"","exception":""}\n{"outcome":"passed","message":"","exception":""}\n',
        b'{"outcome":"AC","message":"","exception":""}\n',
        b'{"outcome":["passed"],"message":"","exception":""}\n',
        b'{"outcome":"passed","message":1,"exception":""}\n',
        b'{"outcome":"passed","message":""}\n',
        b'{"outcome":"passed","message":"","exception":"","more":1}\n',
        b'["passed"]\n',
        b"[" * 60000 + b"\n",
        b"9" * 60000 + b"\n",
        b"\xff\xfe\n",
        b" " * MAX_REPORT_BYTES + b"\n",
    ],
)
def test_anything_else_is_no_report(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_report(data)


def test_both_sides_use_the_same_words() -> None:
    words = {reporting.PASSED, reporting.FAILED, reporting.RAISED, reporting.PROGRAM_DIED}
    assert words | {reporting.BROKEN_TEST, reporting.UNSUPPORTED} == {outcome.value for outcome in Outcome}
