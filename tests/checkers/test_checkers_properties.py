"""Properties: never a crash, and the fast checkers agree with slow ones that are plain to see through."""

from __future__ import annotations

import re
from fractions import Fraction
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from scalebox.checkers import batches
from scalebox.checkers.catalogue import CHECKERS, check
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

_BLANKS = b" \t\n\r\f\v"
_bytes = st.binary(max_size=60) | st.lists(
    st.sampled_from([b"a", b"A", b"1", b"1.0", b" ", b"\n", b"\r\n", b"\0"])
).map(b"".join)
_numbers = st.tuples(
    st.sampled_from([b"", b"-", b"+"]),
    st.sampled_from([
        b"0",
        b"1",
        b"2",
        b"10",
        b"007",
        b"1.0",
        b"1.1",
        b"1.5",
        b".5",
        b"1.",
        b"0.100000",
        b"1.000001",
        b"9.5",
    ]),
    st.sampled_from([b"", b"", b"", b"e0", b"E+1", b"e-6", b"e40"]),
).map(b"".join)
_number_texts = st.lists(_numbers | st.sampled_from([b"x", b"nan", b"1_0"]), max_size=4).map(b" ".join)
_tolerances = st.sampled_from([0.0, 1e-6, 0.1, 0.5, 1.0])


@given(st.sampled_from(sorted(CHECKERS)), _bytes, _bytes)
def test_arbitrary_bytes_never_crash_a_checker(name: str, output: bytes, answer: bytes) -> None:
    result = check(CheckerSpec(name=name), output, answer)
    assert result.verdict in ({Verdict.AC, Verdict.WA, Verdict.JE} if name == "yes_no" else {Verdict.AC, Verdict.WA})
    assert (result.detail is None) is (result.verdict is Verdict.AC)
    assert result.detail is None or result.detail.isprintable()
    assert check(CheckerSpec(name=name), answer, answer).verdict is Verdict.AC


def _tokens(text: bytes) -> list[bytes]:
    return [token for token in re.split(rb"[ \t\n\r\f\v]", text) if token]


def _lines(text: bytes) -> list[bytes]:
    lines = [line.rstrip(_BLANKS) for line in text.split(b"\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


@given(_bytes, _bytes, st.integers(1, 8))
def test_text_checkers_agree_with_slow_ones_at_any_batch_size(output: bytes, answer: bytes, batch: int) -> None:
    with mock.patch.object(batches, "BATCH_BYTES", batch):
        tokens = check(CheckerSpec(name="tokens"), output, answer).verdict
        lines = check(CheckerSpec(name="lines"), output, answer).verdict
    assert (tokens is Verdict.AC) is (_tokens(output) == _tokens(answer))
    assert (lines is Verdict.AC) is (_lines(output) == _lines(answer))


def _number(token: bytes) -> Fraction | None:
    text = token.decode()
    return None if text in {"x", "nan"} or "_" in text else Fraction(text if text[-1] != "." else text + "0")


def _close(token: bytes, due: bytes, spec: CheckerSpec) -> bool:
    ours, theirs = _number(token), _number(due)
    if ours is None or theirs is None:
        return token == due
    if spec.exact_integers and due.lstrip(b"+-").isdigit():
        if token.lstrip(b"+-").isdigit():
            return ours == theirs
        if abs(ours - theirs) >= Fraction(1, 2) and token != due:
            return False
    absolute, relative = Fraction(str(spec.absolute)), Fraction(str(spec.relative)) * abs(theirs)
    gap = abs(ours - theirs)
    return (spec.mode != "rel" and gap <= absolute) or (spec.mode != "abs" and gap <= relative)


def _repaired(text: bytes) -> bytes:
    """Fractions do not read ``1.e5``."""
    return re.sub(rb"\.(?=[eE]|$|\s)", b".0", text)


@settings(max_examples=200)
@given(
    _number_texts.map(_repaired),
    _number_texts.map(_repaired),
    st.builds(
        CheckerSpec,
        name=st.just("floats"),
        absolute=_tolerances,
        relative=_tolerances,
        mode=st.sampled_from(["either", "abs", "rel"]),
        exact_integers=st.booleans(),
    ),
)
def test_floats_agree_with_exact_arithmetic(output: bytes, answer: bytes, spec: CheckerSpec) -> None:
    ours, due = output.split(), answer.split()
    right = len(ours) == len(due) and all(_close(token, other, spec) for token, other in zip(ours, due, strict=True))
    assert (check(spec, output, answer).verdict is Verdict.AC) is right
