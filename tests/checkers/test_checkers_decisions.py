"""Decision words in any case, and nothing else in any case."""

from __future__ import annotations

import pytest

from scalebox.checkers.catalogue import check
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

ANY_CASE = CheckerSpec(name="floats", decisions_any_case=True)


@pytest.mark.parametrize(
    ("output", "answer", "verdict"),
    [
        (b"Impossible\n", b"impossible\n", Verdict.AC),
        (b"YES 3\n", b"yes 3.0\n", Verdict.AC),
        (b"yes\n", b"no\n", Verdict.WA),
        (b"aB\n", b"Ab\n", Verdict.WA),
        (b"Hello\n", b"hello\n", Verdict.WA),
        (b"y\n", b"Y\n", Verdict.WA),
    ],
)
def test_only_decision_words_match_in_any_case(output: bytes, answer: bytes, verdict: Verdict) -> None:
    assert check(ANY_CASE, output, answer).verdict is verdict


def test_case_counts_unless_asked_otherwise() -> None:
    assert check(CheckerSpec(name="floats"), b"YES", b"yes").verdict is Verdict.WA
