"""Plain values survive the trip, and hostile data is refused cheaply and by path."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections import OrderedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalebox.core import plain
from scalebox.core.plain import (
    MAX_DECIMAL_DIGITS,
    MAX_DEPTH,
    Opaque,
    PlainError,
    as_plain,
    dumps,
    from_json,
    holds_far_more,
    holds_too_much,
    is_larger,
    loads,
    outside_strings,
    to_json,
)

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
    | st.complex_numbers(allow_nan=False)
)
_hashable = st.recursive(
    _scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=6
)
_values = st.recursive(
    _hashable,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.sets(_hashable, max_size=4)
        | st.dictionaries(_hashable, inner, max_size=4)
        | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(_values)
def test_a_value_comes_back_as_it_was(value: object) -> None:
    back = loads(dumps(value))
    assert type(back) is type(value)
    assert back == value


@pytest.mark.parametrize("more", [0, 5000])
@given(_values)
def test_marks_are_counted_outside_strings_only(more: int, value: object) -> None:
    text = dumps([value, "[" * more])  # with long strings it is done another way
    expected = json.loads(text.decode("utf-8", "surrogatepass"), parse_int=str)

    def containers(tree: object) -> int:
        if isinstance(tree, dict):
            return 1 + sum(map(containers, tree.values()))
        return 1 + sum(map(containers, tree)) if isinstance(tree, list) else 0

    assert outside_strings(text, b"[", b"{") == containers(expected)


@pytest.mark.parametrize(
    ("text", "commas"),
    [
        (b'[",",1]', 1),
        (rb'["\",\\",1]', 1),
        (rb'["\\",1,"\\\",",2]', 3),
        (b'["' + b"," * 200_000 + b'",' + b'"",' * 100_000 + b"0]", 100_001),  # strings lie across pieces
        (b'["' + b"," * 200_000 + rb'\",\\",1,"\\\",",2,"\\\\"]', 4),  # quotes are rare
    ],
)
def test_strings_end_where_json_ends_them(text: bytes, commas: int) -> None:
    assert len(json.loads(text)) == commas + 1
    assert outside_strings(text, b",") == commas


@pytest.mark.parametrize(
    ("text", "too_much"),
    [
        (b"[" + b"[]," * 3_999_998 + b"[]]", False),
        (b"[" + b"[]," * 4_000_000 + b"0]", True),
        (b"[" + b'{"a":[]},' * 2_000_000 + b"0]", True),
        (b"[" + b'{"$tuple":[]},' * 2_100_000 + b"0]", False),  # a tag is no container of its own
        (b'["' + b"[{" * 4_000_000 + b'"]', False),  # text is not
    ],
)
def test_containers_are_bounded(text: bytes, too_much: bool) -> None:
    assert holds_too_much(text) is too_much


@pytest.mark.parametrize(
    ("value", "most", "larger"),
    [
        ([1, 2, 3], 3, False),
        ([1, 2, 3], 2, True),
        ({"a": [1, (2, {3})]}, 6, False),
        ({"a": [1, (2, {3})]}, 5, True),
        ("a" * 100, 0, False),
        ([[]] * 10, 9, True),
        ({(1, 2, 3): 4}, 4, False),
        ({(1, 2, 3): 4}, 3, True),
    ],
)
def test_items_are_counted_at_any_depth(value: object, most: int, larger: bool) -> None:
    assert is_larger(value, most) is larger


_RICH = st.recursive(
    st.integers() | st.complex_numbers(allow_nan=False) | st.binary(max_size=3) | st.just(math.inf),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.sets(_hashable, max_size=4)
        | st.dictionaries(_hashable, inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(_RICH)
def test_a_value_never_holds_far_more_than_itself(value: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "_LARGE_TEXT", 0)
        assert not holds_far_more(dumps(value), value)
        assert holds_far_more(dumps([value] * 30), None)


@pytest.mark.parametrize(
    ("text", "answer", "more"),
    [
        (b"[" + b"0," * 200_000 + b"0]", [0], True),
        (b"[" + b"0," * 200_000 + b"0]", [0] * 200_001, False),
        (b"[" + b"0," * 200_000 + b"0]", [1] * 150_000, False),  # not far more
        (b'"' + b"[," * 200_000 + b'"', 0, False),
        (b"[" + b"0," * 40_000 + b"0]", 0, False),  # small
    ],
)
def test_what_holds_far_more_need_not_be_decoded(text: bytes, answer: object, more: bool) -> None:
    assert holds_far_more(text, answer) is more


@pytest.mark.parametrize(
    "value",
    [
        {complex(n, 1): complex(1, n) for n in range(20_000)},
        {(complex(n, 1), frozenset({n})): complex(1, n) for n in range(20_000)},
        {(n, n): (n, [n]) for n in range(20_000)},
        [[[()]]] * 20_000,
    ],
    ids=["complex", "nested keys", "pairs", "empty"],
)
def test_a_large_value_never_holds_far_more_than_itself(value: object) -> None:
    assert len(dumps(value)) > 100_000
    assert not holds_far_more(dumps(value), value)


def test_decoding_changes_no_tree() -> None:
    tree = [1, [{"$tuple": [1]}, {"a": {"$set": [2]}, "b": 3}], {"c": [{"$int": "0x5"}]}]
    before = json.dumps(tree)
    assert from_json(tree) == [1, [(1,), {"a": {2}, "b": 3}], {"c": [5]}]
    assert json.dumps(tree) == before


@given(st.binary(max_size=200))
def test_arbitrary_bytes_decode_or_are_refused(data: bytes) -> None:
    with contextlib.suppress(PlainError):
        loads(data)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ([1, "a", None, True], b'[1,"a",null,true]'),
        ((1, {2}), b'{"$tuple":[1,{"$set":[2]}]}'),
        ({"$a": 1}, b'{"$dict":[["$a",1]]}'),
        ({"$a": 1, "b": 2}, b'{"$a":1,"b":2}'),
        ({1: 2}, b'{"$dict":[[1,2]]}'),
        (math.inf, b'{"$float":"inf"}'),
        (-0.0, b"-0.0"),
        (b"ab", b'{"$bytes":"YWI="}'),
        (2**4096, b'{"$int":"0x1' + b"0" * 1024 + b'"}'),
    ],
)
def test_the_form_is_the_documented_one(value: object, data: bytes) -> None:
    assert dumps(value) == data
    assert loads(data) == value


class _LyingInt(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class _Pretender:
    """Claims to be an int, as mocks do."""

    @property  # type: ignore[misc]  # the lie is the point
    def __class__(self) -> type:
        return int


def test_subclasses_are_read_as_what_they_extend() -> None:
    value = to_json([_LyingInt(7), type("S", (str,), {"__str__": lambda self: "x"})("s"), type("D", (dict,), {})(a=1)])
    assert value == [7, "s", {"a": 1}]
    assert type(value) is list
    assert type(value[0]) is int


@pytest.mark.parametrize(
    "value", [object(), range(3), print, pytest.param(_Pretender(), id="pretender"), type("T", (), {})()]
)
def test_what_is_no_plain_value_is_opaque_and_equal_to_nothing(value: object) -> None:
    back = loads(dumps(value))
    assert isinstance(back, Opaque)
    assert back.type_name == type(value).__name__
    assert back != Opaque(back.type_name)
    assert back != value


def test_nan_stays_nan() -> None:
    assert dumps(math.nan) == b'{"$float":"nan"}'
    back = loads(b'{"$float":"nan"}')
    assert isinstance(back, float)
    assert math.isnan(back)


def test_lone_surrogates_come_back_and_never_join() -> None:
    assert loads(dumps("\ud83d\ude00")) == "\ud83d\ude00"
    assert loads(dumps("\ud83d\ude00")) != "\U0001f600"
    assert loads(b'"\\ud800x"') == "\ud800x"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"NaN", 'value: bare NaN is not JSON; write {"$float": "nan"}, "inf" or "-inf"'),
        (b"[1e400]", 'value[0]: not a finite number; write {"$float": "nan"}, "inf" or "-inf"'),
        (b'[0,{"a":{"$set":[[1]]}}]', "value[1]['a'][0]: a list cannot be a member or key; write a $tuple"),
        (b'{"$dict":[[1]]}', "value[0]: a member of $dict is [key, value]"),
        (b'{"$bytes":"a"}', "value: $bytes is base64"),
        (b'{"$int":"0x1_0"}', "value: $int is a hexadecimal integer"),
        (b'{"$float":"1"}', 'value: $float is "nan", "inf" or "-inf"'),
        (b'{"$complex":[1,true]}', "value: $complex is [real, imaginary]"),
        (b'"\xff"', "value: not UTF-8 at byte 1"),
        (b"", "value: not JSON: Expecting value at character 0"),
    ],
)
def test_a_refusal_names_the_place_and_the_fix(data: bytes, message: str) -> None:
    with pytest.raises(PlainError) as caught:
        loads(data)
    assert str(caught.value) == message


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(PlainError, match=r"unknown tag '\$eval'"):
        loads(b'{"$eval":"1"}')


@pytest.mark.parametrize("data", [b"[" * 100_000, b"[" * 500 + b"]" * 500, b'{"$tuple":[' * 300 + b"1" + b"]}" * 300])
def test_deep_data_is_refused(data: bytes) -> None:
    with pytest.raises(PlainError, match=r"deep|not JSON"):
        loads(data)


def test_a_cycle_is_refused() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(PlainError, match="deep"):
        dumps(cycle)


def test_the_deepest_value_allowed_comes_back() -> None:
    value: object = 1
    for _ in range(MAX_DEPTH):
        value = {1: value}
    assert dumps(loads(dumps(value))) == dumps(value)


@pytest.mark.parametrize("digits", [600, 601, 4301, 6007, MAX_DECIMAL_DIGITS])
def test_long_decimal_integers_need_no_global_setting(digits: int) -> None:
    before = sys.get_int_max_str_digits()
    assert loads(b"1" + b"0" * (digits - 1)) == 10 ** (digits - 1)
    if digits < MAX_DECIMAL_DIGITS:
        assert loads(b"-1" + b"0" * (digits - 1)) == -(10 ** (digits - 1))
    assert sys.get_int_max_str_digits() == before


def test_longer_decimal_integers_are_refused_with_the_way_out() -> None:
    with pytest.raises(PlainError, match=r"write it as \$int"):
        loads(b"1" * (MAX_DECIMAL_DIGITS + 1))


@pytest.mark.parametrize("tag", ["$set", "$frozenset", "$dict"])
def test_members_that_collide_on_purpose_are_refused(tag: str) -> None:
    colliding = [number * sys.hash_info.modulus for number in range(10_000)]
    with pytest.raises(PlainError, match="equal hashes"):
        from_json({tag: [[number, 0] for number in colliding] if tag == "$dict" else colliding})


def test_honest_collisions_are_not() -> None:
    powers = {2**exponent for exponent in range(3000)}
    assert loads(dumps(powers)) == powers


@settings(max_examples=30)
@given(st.integers(min_value=-(10**1000), max_value=10**1000))
def test_integers_of_any_size_come_back(number: int) -> None:
    assert loads(dumps(number**3)) == number**3


class _Numpy:
    """Stands for numpy's values: those classes are known by module and name."""

    def __init__(self, content: object) -> None:
        self.content = content

    def tolist(self) -> object:
        return self.content


NumpyArray = type("ndarray", (_Numpy,), {"__module__": "numpy"})
NumpyNumber = type("int64", (type("generic", (_Numpy,), {"__module__": "numpy"}),), {"__module__": "numpy"})


@pytest.mark.parametrize(
    ("value", "plain_value"),
    [
        (NumpyNumber(3), 3),
        (NumpyArray([[1, 2.5]]), [[1, 2.5]]),
        (NumpyArray(7), 7),
        ([NumpyArray([1]), {"a": (NumpyNumber(2),)}], [[1], {"a": (2,)}]),
        (NumpyArray([NumpyNumber(1)]), [1]),
        (OrderedDict(a=OrderedDict(b=1)), {"a": {"b": 1}}),
        (bytearray(b"x"), b"x"),
    ],
)
def test_what_stands_for_a_plain_value_becomes_one(value: object, plain_value: object) -> None:
    assert repr(as_plain(value)) == repr(plain_value)


@pytest.mark.parametrize("value", [None, 1.5, "x", b"x", [1, (2, {3}), {"a": [frozenset({1j})]}], 10**30])
def test_a_plain_value_is_handed_back_itself(value: object) -> None:
    assert as_plain(value) is value


@pytest.mark.parametrize("value", [object(), [range(3)], {"a": len}, Opaque("X"), NumpyArray([object()])])
def test_what_is_no_plain_value_is_refused(value: object) -> None:
    with pytest.raises(PlainError, match="no plain value"):
        as_plain(value)


def test_a_cycle_is_no_plain_value() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(PlainError, match="levels deep"):
        as_plain(cycle)
