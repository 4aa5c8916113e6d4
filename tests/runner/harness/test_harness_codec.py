"""Values are written without a participant's methods and read back exactly; hostile text is an error and nothing else."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import pytest

from scalebox.core import plain
from scalebox.runner.zygote.harness import codec, typed
from scalebox.runner.zygote.harness.codec import TooLarge, Undecodable, decoder, to_bytes
from scalebox.runner.zygote.harness.plainvalue import ValueEncoder
from scalebox.runner.zygote.harness.typed import TypedEncoder


def written(value: object) -> object:
    """What the service reads of a value that a call returned."""
    return plain.loads(to_bytes(ValueEncoder().text(value)))


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(10**3000),
        1.5,
        -0.0,
        math.inf,
        5e-324,
        "",
        'a"b\\\n\x00é😀\ud800\udfff',
        b"\x00\xff",
        1j,
        [],
        [1, True, None, 2.5, "x", [2**600]],
        [1.0, math.inf],
        (1, (2,), []),
        {1, 2},
        frozenset({"a"}),
        {},
        {"a": {"b": [1]}},
        {"$tuple": [1]},
        {"$a": 1, "b": 2},
        {1: "x", (1, 2): None, None: 3, "a": 4},
    ],
)
def test_plain_value_is_read_back_exactly(value: object) -> None:
    assert repr(written(value)) == repr(value)


def test_integer_beyond_the_limit_on_digits_is_read_back() -> None:
    assert written([10**5000, 1]) == [10**5000, 1]


class _Rank(IntEnum):
    HIGH = 3


class _Liar(list[int]):
    def __iter__(self) -> object:  # type: ignore[override]  # the lie
        raise SystemExit

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None


class _Number(int):
    def __pos__(self) -> int:
        return 42

    def __repr__(self) -> str:
        return "42"


class _Pretender:
    __class__ = property(lambda self: int)  # the pretence


_Pair = namedtuple("_Pair", "x y")


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (_Liar([1, 2]), [1, 2]),
        (_Number(7), 7),
        (_Rank.HIGH, 3),
        (Counter("aab"), {"a": 2, "b": 1}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (OrderedDict(a=1), {"a": 1}),
        (_Pair(1, [2]), (1, [2])),
        (bytearray(b"ab"), b"ab"),
    ],
)
def test_subclass_is_reduced_to_its_own_content(value: object, content: object) -> None:
    assert repr(written(value)) == repr(content)


def _cycle() -> list[object]:
    items: list[object] = []
    items.append(items)
    return items


@pytest.mark.parametrize(
    "value",
    [
        object(),
        pytest.param(_Pretender(), id="pretender"),
        range(3),
        iter([1]),
        deque([1]),
        {}.keys(),
        len,
        int,
        (1).__add__,
        str,
    ],
)
def test_what_is_no_plain_value_equals_nothing(value: object) -> None:
    read = written(value)
    assert isinstance(read, plain.Opaque)
    assert read != value


def test_cycles_and_depths_are_opaque_inside() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert isinstance(written(_cycle()), list)
    assert isinstance(written(deep), list)
    while deep:
        deep = deep[0]  # type: ignore[assignment]  # taken apart from outside, or its destructor would nest


def test_value_that_doubles_without_end_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_CONTAINERS", 1000)
    value: list[object] = [1]
    for _ in range(100):
        value = [value, value]
    with pytest.raises(TooLarge):
        ValueEncoder().text(value)


class _Encoder(TypedEncoder):
    def stay(self, value: object) -> str:
        raise AssertionError(type(value))


@pytest.mark.parametrize(
    "value",
    [
        [1, "a", (None,), {"k": {1: 2.5}}, {1}, frozenset(), b"x", 1j],
        bytearray(b"x"),
        range(1, 9, 2),
        slice(1, None),
        ...,
        NotImplemented,
        Counter("abca"),
        Counter({"a": -1}),
        OrderedDict([(2, 1), (1, 2)]),
        defaultdict(int, {1: 2}),
        deque([1, [2]], 5),
        date(2024, 2, 29),
        datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC),
        timedelta(days=-1, seconds=5),
        Decimal("1.10"),
        Fraction(1, 3),
        int,
        ValueError,
        Counter,
    ],
)
def test_types_are_kept_between_program_and_test_code(value: object) -> None:
    read = decoder(typed.TAGS)(_Encoder().text(value))
    assert type(read) is type(value)
    assert repr(read) == repr(value)


def test_named_tuple_keeps_its_names_and_views_their_kind() -> None:
    pair = decoder(typed.TAGS)(_Encoder().text(_Pair(1, 2)))
    assert pair == (1, 2)
    assert pair.y == 2  # type: ignore[attr-defined]  # a named tuple
    assert decoder(typed.TAGS)(_Encoder().text({1: 2}.items())) == {1: 2}.items()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[1] 2",
        "NaN",
        "-Infinity",
        "[" * 100_000,
        "1" * 5000,
        '{"$nothing":1}',
        '{"$set":[[1]]}',
        '{"$set":1}',
        '{"$float":"1.5"}',
        '{"$float":[]}',
        '{"$bytes":1}',
        '{"$bytes":"a"}',
        '{"$dict":[[1]]}',
        '{"$dict":[[[],1]]}',
        '{"$complex":["1",2]}',
        '{"$int":5}',
        '{"$range":[1,2,0]}',
        '{"$class":"eval"}',
        '{"$class":"os.system"}',
        '{"$class":"subprocess.Popen"}',
        '{"$date":[2024,13,1]}',
        '{"$Decimal":"x"}',
        '{"$Fraction":[1,0]}',
        '{"$named":["a b",["x"],[1]]}',
        '{"$named":["P",["x"],[1,2]]}',
        '{"$defaultdict":["eval",[]]}',
        '{"$array":["object",[1],[1]]}',
        '{"$items":[1]}',
    ],
)
def test_hostile_text_is_undecodable(text: str) -> None:
    with pytest.raises(Undecodable):
        decoder(typed.TAGS)(text)


def test_containers_are_walked_in_one_order_on_both_sides() -> None:
    values = [[1, [2], {"a": [3]}], ({4}, 5), deque([6]), "x"]
    copies = decoder(typed.TAGS)(_Encoder().text(values))
    assert isinstance(copies, list)
    assert [repr(item) for item in typed.containers(copies)] == [repr(item) for item in typed.containers(values)]
    assert len(typed.containers(values)) == 6
