"""The same elements in any order: lines or tokens, counted or as sets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.checkers import batches
from scalebox.checkers.catalogue import check, validate
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

LINES = CheckerSpec(name="unordered")
LINE_SET = CheckerSpec(name="unordered", as_set=True)
LOOSE_LINES = CheckerSpec(name="unordered", tokens_any_order=True)
TOKENS = CheckerSpec(name="unordered", unit="tokens")
TOKEN_SET = CheckerSpec(name="unordered", unit="tokens", as_set=True)
ANY_CASE = CheckerSpec(name="unordered", case_sensitive=False)
BAG = CheckerSpec(name="tokens", ordered=False)


@pytest.mark.parametrize(
    ("spec", "output", "answer", "same"),
    [
        (LINES, b"b\na\n", b"a\nb\n", True),
        (LINES, b"b\r\na", b"a\nb\n", True),
        (LINES, b"\n b \n\n\ta\n\n", b"a\nb\n", True),
        (LINES, b"1  2\n3", b"3\n1 2\n", True),
        (LINES, b"2 1\n3", b"3\n1 2\n", False),
        (LINES, b"1 2 3", b"3\n1 2\n", False),
        (LINES, b"12\n", b"1 2\n", False),
        (LINES, b"a\na\nb", b"a\nb\n", False),
        (LINES, b"a\nb\nb", b"a\na\nb\n", False),
        (LINES, b"A\nb", b"b\na", False),
        (LINES, b"", b"\n\n", True),
        (LINES, b"", b"a\n", False),
        (LINE_SET, b"b\na\na", b"a\nb\n", True),
        (LINE_SET, b"a\n", b"a\nb\n", False),
        (LINE_SET, b"a\nb\nc", b"a\nb\n", False),
        (LOOSE_LINES, b"3\n2 1\n", b"1 2\n3\n", True),
        (LOOSE_LINES, b"3 1\n2\n", b"1 2\n3\n", False),
        (LOOSE_LINES, b"1 1 2\n", b"1 2 2\n", False),
        (ANY_CASE, b"B\nA", b"a\nb", True),
        (TOKENS, b"3 1\n2", b"1 2 3", True),
        (TOKENS, b"1 2 2", b"1 1 2", False),
        (TOKENS, b"1 2", b"1 2 3", False),
        (TOKEN_SET, b"2 2 1", b"1 1 2", True),
        (TOKEN_SET, b"1", b"1 2", False),
        (BAG, b"3 1\n2", b"1 2 3", True),
        (BAG, b"1 2 2", b"1 1 2", False),
        (replace(BAG, case_sensitive=False), b"B a", b"A b", True),
    ],
)
def test_elements(spec: CheckerSpec, output: bytes, answer: bytes, same: bool) -> None:
    validate(spec)
    assert (check(spec, output, answer).verdict is Verdict.AC) is same


@pytest.mark.parametrize(
    ("spec", "output", "answer", "detail", "missing"),
    [
        (LINES, b"b\n\nx\n", b"a\nb\n", "line 3: the output has 'x', no line of the answer", "a"),
        (LINES, b"b\nb\na", b"a\nb\nc", "line 2: the output has 'b', more often than the answer has that line", "c"),
        (LINES, b"b\n", b"b\n\na\n", "the output has 1 of 2 lines; line 3 of the answer is missing", "a"),
        (LINES, b"a\nb", b"b", "line 1: the output has 'a', no line of the answer", None),
        (
            TOKENS,
            b"1 2\n3 9",
            b"1 2 3 4",
            "line 2, token 2 (column 3): the output has '9', no token of the answer",
            "4",
        ),
        (
            TOKENS,
            b"1 2",
            b"1 2\n2",
            "the output has 2 of 3 tokens; line 2, token 1 (column 1) of the answer is missing",
            "2",
        ),
        (
            TOKEN_SET,
            b"1 1 1",
            b"2 1 1",
            "the output has 1 of 2 different tokens; line 1, token 1 (column 1) of the answer is missing",
            "2",
        ),
    ],
)
def test_what_is_surplus_or_missing_is_named(
    spec: CheckerSpec, output: bytes, answer: bytes, detail: str, missing: str | None
) -> None:
    result = check(spec, output, answer)
    assert (result.detail, result.answer_excerpt) == (detail, missing)


_text = st.binary(max_size=40) | st.lists(
    st.sampled_from([b"a", b"A", b"b", b"1", b" ", b"  ", b"\t", b"\n", b"\n", b"\r\n", b"\0", b"\xff"]), max_size=14
).map(b"".join)
_specs = st.builds(
    CheckerSpec,
    name=st.just("unordered"),
    unit=st.sampled_from(["lines", "tokens"]),
    as_set=st.booleans(),
    tokens_any_order=st.booleans(),
    case_sensitive=st.booleans(),
)


def _elements(spec: CheckerSpec, text: bytes) -> Counter[tuple[bytes, ...]]:
    lines = [line.split() for line in (text if spec.case_sensitive else text.lower()).split(b"\n")]
    if spec.unit == "tokens":
        lines = [[token] for line in lines for token in line]
    elif spec.tokens_any_order:
        lines = [sorted(line) for line in lines]
    counts = Counter(tuple(line) for line in lines if line)
    return Counter(counts.keys()) if spec.as_set else counts


@given(_specs, _text, _text, st.integers(1, 8))
def test_agrees_with_slow_counting_in_both_directions_at_any_batch_size(
    spec: CheckerSpec, output: bytes, answer: bytes, batch: int
) -> None:
    right = _elements(spec, output) == _elements(spec, answer)
    with mock.patch.object(batches, "BATCH_BYTES", batch):
        there, back = check(spec, output, answer), check(spec, answer, output)
    assert (there.verdict is Verdict.AC) is right
    assert (back.verdict is Verdict.AC) is right
    assert (there.detail is None) is right
    assert there.detail is None or there.detail.isprintable()


@given(_specs, _text, st.randoms(use_true_random=False))
def test_a_shuffled_answer_is_accepted(spec: CheckerSpec, answer: bytes, random: object) -> None:
    elements = answer.split(b"\n") if spec.unit == "lines" else answer.split()
    random.shuffle(elements)  # type: ignore[attr-defined]  # hypothesis' own kind of Random
    joined = (b"\n" if spec.unit == "lines" else b" ").join(elements)
    assert check(spec, joined, answer).verdict is Verdict.AC
