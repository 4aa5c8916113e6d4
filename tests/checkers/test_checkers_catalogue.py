"""Names and options that no checker can honour are refused before anything runs."""

from __future__ import annotations

import math

import pytest

from scalebox.checkers.catalogue import CHECKERS, check, validate
from scalebox.core.errors import RequestError
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict


@pytest.mark.parametrize("name", sorted(CHECKERS))
@pytest.mark.parametrize("text", [b"", b"\n", b"1 2\n3.5\n", b"\xff\x00 nan inf 1e999", b" \t\r\n\v\f"])
def test_every_checker_accepts_the_answer_itself(name: str, text: bytes) -> None:
    spec = CheckerSpec(name=name)
    validate(spec)
    result = check(spec, text, text)
    assert result.verdict is Verdict.AC
    assert result.name == name
    assert result.detail is None


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (CheckerSpec(name="token"), "checker.name"),
        (CheckerSpec(name="floats", mode="both"), "checker.mode"),
        (CheckerSpec(name="floats", absolute=-1e-9), "checker.abs"),
        (CheckerSpec(name="floats", relative=math.nan), "checker.rel"),
        (CheckerSpec(name="floats", relative=math.inf), "checker.rel"),
        (CheckerSpec(name="exact", case_sensitive=False), "checker.case_sensitive"),
        (CheckerSpec(name="unordered", unit="words"), "checker.unit"),
        (CheckerSpec(name="tokens", unit="tokens"), "checker.unit"),
        (CheckerSpec(name="lines", as_set=True), "checker.as_set"),
        (CheckerSpec(name="tokens", tokens_any_order=True), "checker.tokens_any_order"),
        (CheckerSpec(name="unordered", unit="tokens", tokens_any_order=True), "checker.tokens_any_order"),
        (CheckerSpec(name="floats", ordered=False), "checker.ordered"),
        (CheckerSpec(name="tokens", ordered=False, space_sensitive=True), "checker.space_sensitive"),
        (CheckerSpec(name="yes_no", space_sensitive=True), "checker.space_sensitive"),
    ],
)
def test_a_bad_spec_is_refused_by_field(spec: CheckerSpec, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        validate(spec)
    assert caught.value.field == field
    assert caught.value.hint


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(RequestError) as caught:
        check(CheckerSpec(name="diff"), b"", b"")
    assert caught.value.hint == "one of exact, floats, lines, tokens, unordered, yes_no"
