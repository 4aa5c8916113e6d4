"""When the value of a call is its answer, and how the first difference is named."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.checkers.excerpts import describe
from scalebox.checkers.values import compare_values
from scalebox.core.plain import Opaque, dumps, loads
from scalebox.core.problem import Tolerance
from scalebox.core.verdict import Verdict

NEAR = Tolerance(absolute=1e-6, relative=1e-6)


@pytest.mark.parametrize(
    ("output", "answer", "tolerance", "accepted"),
    [
        (None, None, None, True),
        (None, False, None, False),
        (True, 1, None, True),
        (1, 1.0, None, True),
        ("3", 3, None, False),
        (b"x", "x", None, False),
        ([b"x", {b"y": {b"z"}}], [b"x", {b"y": {b"z"}}], None, True),
        ({frozenset({1, 2})}, {frozenset({2, 1})}, None, True),
        ({"1": {2: 3}}, {"1": {"2": 3}}, None, True),
        (10**40 + 1, 10**40, NEAR, False),
        (-(10**40), -(10**40), None, True),
        ((1, 2), [1, 2], None, True),
        ([(), (0,), [0, (1,)]], [[], [0], [0, [1]]], None, True),
        ([1, 2], [1, 2, 3], None, False),
        ([1], {1}, None, False),
        ({1, 2}, frozenset({2, 1}), None, True),
        ({(1, 2)}, {(1, 2)}, None, True),
        ({1, 2}, {1, 3}, None, False),
        (10**9 + 8, 10**9 + 7, Tolerance(relative=1.0), False),
        (0.1 + 0.2, 0.3, None, False),
        ([0.1 + 0.2, {"a": (0.1 + 0.2,)}], [0.3, {"a": [0.3]}], NEAR, True),
        (3, 3.0000001, NEAR, True),
        (True, 0.9999999, NEAR, False),
        (1e-9, 0.0, Tolerance(absolute=1e-6), True),
        (1e-9, 0.0, Tolerance(relative=1e-6), False),
        ({0.1 + 0.2, 1}, {0.3, 1}, NEAR, True),
        (complex(1, 1e-9), complex(1, 0), NEAR, True),
        (math.nan, math.nan, None, True),
        ([math.nan], [math.nan], None, True),
        ({math.nan, 1.0}, {1.0, math.nan}, None, True),
        (math.nan, 1.0, NEAR, False),
        (1.0, math.nan, NEAR, False),
        (math.inf, 1e300, Tolerance(relative=1.0), False),
        (math.inf, math.inf, None, True),
        (10**400, 1e308, Tolerance(relative=1.0), False),
        (10**5_000_000, 3, None, False),
        ("\ud800", "x", None, False),
        ({1: 2, 2: 1}, {"1": 2, "2": 1}, None, True),
        ({None: 1, True: 2, 2.5: 3}, {"null": 1, "true": 2, "2.5": 3}, None, True),
        ({1: 2, "1": 3}, {"1": 2, "2": 3}, None, False),
        ({"1": 2}, {1: 2}, None, False),  # a program's strings are not numbers
        ({10**5000: 1}, {"x": 1}, None, False),
        ({"a": 1}, {"a": 1, "b": 2}, None, False),
        (Opaque("X"), Opaque("X"), None, False),
        ([Opaque("X")], [1], None, False),
    ],
    ids=describe,
)
def test_values(output: object, answer: object, tolerance: Tolerance | None, accepted: bool) -> None:
    assert (compare_values(output, answer, tolerance).verdict is Verdict.AC) is accepted


@pytest.mark.parametrize(
    ("output", "answer", "detail", "shown"),
    [
        (
            [0, 1, {"a": [5, 6]}],
            [0, 1, {"a": [5, 7]}],
            "value[2]['a'][1]: the output has 6 (int), the answer another value",
            "7",
        ),
        ([1, 2], [9, 9, 9], "value: the output has 2 items, the answer 3", "[9, 9, 9]"),
        ({"x\x1b": 1}, {"secret": 1}, "value: the output has the key 'x\\x1b', the answer has not", "{'secret': 1}"),
        ({3}, {4}, "value: the output has the member 3, the answer has not", "{4}"),
        ([Opaque("R\n")], [1], "value[0]: the output is a R\\n, which is no plain value", "1"),
        (10**999, 3, "value: the output has an integer of 3319 bits (int), the answer another value", "3"),
    ],
    ids=describe,
)
def test_the_first_difference_is_named_without_the_answer(
    output: object, answer: object, detail: str, shown: str
) -> None:
    result = compare_values(output, answer, None)
    assert result.detail == detail
    assert result.answer_excerpt == shown


def test_deep_values_are_compared_without_recursion() -> None:
    left: object = 1
    right: object = 2
    for _ in range(20_000):
        left, right = [left], [right]
    result = compare_values(left, right, None)
    assert result.verdict is Verdict.WA
    assert result.detail is not None
    assert len(result.detail) < 200
    assert result.answer_excerpt == "2"


_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(_plain)
def test_a_value_equals_itself_after_the_trip(value: object) -> None:
    assert compare_values(loads(dumps(value)), value, None).verdict is Verdict.AC


@given(_plain, _plain)
def test_agrees_with_python_where_nothing_is_special(output: object, answer: object) -> None:
    if "nan" in repr((output, answer)):
        return
    assert (compare_values(output, answer, None).verdict is Verdict.AC) is (output == answer)
