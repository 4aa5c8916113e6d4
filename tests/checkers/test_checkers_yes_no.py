"""Decisions: yes and no in any case, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.checkers.catalogue import check
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

SPEC = CheckerSpec(name="yes_no")


@pytest.mark.parametrize(
    ("output", "answer", "verdict"),
    [
        (b"yes\n", b"YES\n", Verdict.AC),
        (b"Yes nO\nYES", b"YES\nNO\nYES\n", Verdict.AC),
        (b"\r\n yEs \r\n", b"YES\n", Verdict.AC),
        (b"NO", b"YES\n", Verdict.WA),
        (b"Y", b"YES\n", Verdict.WA),
        (b"true", b"YES\n", Verdict.WA),
        (b"YES.", b"YES\n", Verdict.WA),
        (b"YES YES", b"YES\n", Verdict.WA),
        (b"YES\nbecause", b"YES\n", Verdict.WA),
        (b"", b"YES\n", Verdict.WA),
        (b"YES", b"YES\nNO\n", Verdict.WA),
        (b"YES", b"", Verdict.WA),
        (b"YES 3", b"YES 4\n", Verdict.JE),
        (b"possible", b"impossible\n", Verdict.JE),
        (b"YES 4\n", b"YES 4\n", Verdict.AC),
    ],
)
def test_decisions(output: bytes, answer: bytes, verdict: Verdict) -> None:
    assert check(SPEC, output, answer).verdict is verdict


@pytest.mark.parametrize(
    ("output", "answer", "detail", "shown"),
    [
        (
            b"YES\nNO",
            b"YES\nYES",
            "line 2, token 1 (column 1): the output has 'NO' where the answer has the other word",
            "YES",
        ),
        (b"ye", b"NO", "line 1, token 1 (column 1): the output has 'ye' which is neither yes nor no", "NO"),
        (b"YES NO", b"YES", "line 1, token 2 (column 5): the output goes on with 'NO' after all 1 tokens", None),
        (b"YES", b"YES NO", "the output ends after 1 of 2 tokens", "NO"),
    ],
)
def test_the_first_difference_is_named(output: bytes, answer: bytes, detail: str, shown: str | None) -> None:
    result = check(SPEC, output, answer)
    assert (result.detail, result.answer_excerpt) == (detail, shown)


_words = st.lists(st.sampled_from([b"yes", b"Yes", b"YES", b"no", b"NO", b"y", b"maybe", b"\xff"]), max_size=4)


@given(_words, _words, st.sampled_from([b" ", b"\n", b"\r\n"]))
def test_agrees_with_a_slow_reading(output: list[bytes], answer: list[bytes], blank: bytes) -> None:
    ours, due = [word.lower() for word in output], [word.lower() for word in answer]
    verdict = check(SPEC, blank.join(output), b" ".join(answer) + b"\n").verdict
    if not set(due) <= {b"yes", b"no"}:
        assert verdict is Verdict.JE
    else:
        assert (verdict is Verdict.AC) is (ours == due)
