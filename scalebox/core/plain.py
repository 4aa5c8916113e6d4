"""Plain values as tagged JSON. Never evaluates or unpickles, and calls no method of what it encodes but numpy's ``tolist``.

A plain value is None, a bool, an int, a float, a complex, a str, bytes, or a list, tuple, set, frozenset or dict of plain
values. JSON stands for itself; what JSON cannot say is an object with one key:

=================  =====================================================
``{"$float": s}``    ``nan``, ``inf`` or ``-inf``
``{"$int": s}``      a hexadecimal integer, for integers too long for decimal
``{"$complex": p}``  ``[real, imaginary]``
``{"$bytes": s}``    base64
``{"$tuple": [v]}``  likewise ``$set`` and ``$frozenset``
``{"$dict": [[k, v]]}``  a dict whose keys are not all strings, or that looks like a tag
``{"$opaque": s}``   a value of type ``s`` that is no plain value
=================  =====================================================

Some languages cannot say what JSON tells apart. What their programs return is written as it is, and read as what it is compared with:

=================  =====================================================
``{"$list0": [v]}``  a list, or a dict with the keys 0, 1, …
``{"$list1": [v]}``  a list, or a dict with the keys 1, 2, …
``{"$vector": [v]}`` a list, or where it has one item that item, or where it has none nothing
``{"$scalar": s}``   a string, or the number it spells, or whether it counts as true
``{"$letter": n}``   an integer, or the character of that code; also as a key of ``$dict``
=================  =====================================================

What comes from a box is hostile: reading it costs time linear in its length (decimal integers: bounded length), nesting is
bounded, and members that collide on purpose in a hash table are refused.
"""

from __future__ import annotations

import binascii
import enum
import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NoReturn, Protocol, TypeGuard, TypeVar, cast

MAX_DEPTH: Final = 200
"""Levels of nesting. A level is at most three of JSON's, so that JSON readers stay far from the recursion limit."""

MAX_CONTAINERS: Final = 4_000_000
"""Arrays and objects of a value that a box wrote; each costs at least 56 bytes, though two are enough to write it."""

MAX_DECIMAL_DIGITS: Final = 20_000
"""Digits of an integer in decimal; longer ones cost more than linear time and are written as ``$int``."""

_HEX_FROM_BITS: Final = 2048
"""Integers of more bits are written as ``$int``: 640 digits is the lowest limit an interpreter can be given."""

_MAX_COLLISIONS: Final = 20_000_000
"""Comparisons that members of one set or dict with equal hashes may cost."""

_MAX_CONTAINER_RUN: Final = 64
"""Tuples or frozensets of one set or dict with one hash; comparing two of them may cost as much as reading them."""

_SAFE_DIGITS: Final = 600
_PIECE: Final = 1 << 16
_LONG_STRING: Final = 64
_LARGE_TEXT: Final = 100_000
_MARKS_OF_AN_ITEM: Final = 10
_SMALL: Final = 1 << 64
_MAX_PATH: Final = 120
_HEX: Final = re.compile(r"-?(?:0x)?[0-9a-fA-F]+", re.ASCII)
_FLOATS: Final = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_UNCHANGED: Final = frozenset({str, int, bool, type(None)})
_LEAVES: Final = _UNCHANGED | {float, complex, bytes}
_CONTAINERS: Final = frozenset({list, tuple, set, frozenset})


T = TypeVar("T")


class PlainError(ValueError):
    """The data is no plain value, or is too deep or too costly to be one.

    Args:
        message: what is wrong, in words.
        path: where, as subscripts (``[2]['a']``); empty for the value itself.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"value{path}: {message}")
        self.message = message
        self.path = path

    def within(self, step: object) -> PlainError:
        """The same error seen from the container that holds the value at ``step``."""
        shown = repr(step) if isinstance(step, int) else repr(str(step)[:40])
        path = f"[{shown}]{self.path}"
        return PlainError(self.message, path if len(path) <= _MAX_PATH else f"{path[:_MAX_PATH]}…")


class Form(enum.Enum):
    """What a value of a language with fewer kinds of values may stand for."""

    LIST0 = "$list0"
    LIST1 = "$list1"
    VECTOR = "$vector"
    SCALAR = "$scalar"
    LETTER = "$letter"


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """A value that is read as what it is compared with. Equal to nothing by itself."""

    form: Form
    items: list[object]
    """The items of a list; the one text of a scalar; the one integer of a letter."""

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


class Letter(int):
    """A key of a dict that is read as the integer that it is, or as the character of that code."""


class _NumpyValue(Protocol):
    def tolist(self) -> object: ...


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """Stands for a value that is no plain value. Equal to nothing, itself included."""

    type_name: str

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


def dumps(value: object) -> bytes:
    """Encode a value; what is no plain value becomes ``$opaque``.

    Lone surrogates are kept as three bytes each, so that what a program returned is read back as it was.

    Raises:
        PlainError: nested deeper than ``MAX_DEPTH`` (a cycle is).
    """
    text = json.dumps(to_json(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def loads(data: bytes) -> object:
    """Decode a value.

    Raises:
        PlainError: not UTF-8, not JSON, bare NaN or Infinity, an unknown tag, too deep.
    """
    try:
        tree = json.loads(
            data.decode("utf-8", "surrogatepass"), parse_int=_parse_decimal, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        msg = f"not UTF-8 at byte {error.start}"
        raise PlainError(msg) from None
    except json.JSONDecodeError as error:
        msg = f"not JSON: {error.msg} at character {error.pos}"
        raise PlainError(msg) from None
    except RecursionError:
        raise _too_deep() from None
    return from_json(tree)


def holds_too_much(data: bytes) -> bool:
    """Whether a value has over ``MAX_CONTAINERS`` of them; costs little, whatever it holds.

    A tag and the array in it are one container, as the box's encoder counts; a pair of a ``$dict`` is one too.
    """
    if data.count(b"[") + data.count(b"{") <= MAX_CONTAINERS:
        return False
    return outside_strings(data, b"[", b"{") - data.count(b'{"$') > MAX_CONTAINERS


def outside_strings(data: bytes, *marks: bytes) -> int:
    """How often single bytes occur in JSON text outside its strings; right up to where the text is no JSON.

    A piece at a time, each at C speed, so that other threads run in between.
    """
    if data.count(b'"') * _LONG_STRING < len(data):
        return _outside_long_strings(data, marks)
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    found = inside = 0
    for start in range(0, len(data), _PIECE):
        parts = data[start : start + _PIECE].split(b'"')
        outside = b"".join(parts[inside::2])
        found += sum(map(outside.count, marks))
        inside ^= (len(parts) - 1) & 1
    return found


def _outside_long_strings(data: bytes, marks: Sequence[bytes]) -> int:
    """The same where quotes are rare: looking at what is before each is quicker than looking for all backslashes."""
    found, inside = 0, False
    for part in data.split(b'"'):
        if not inside:
            found += sum(map(part.count, marks))
            inside = True
        elif part.endswith(b"\\"):
            inside = (len(part) - len(part.rstrip(b"\\"))) % 2 == 1
        else:
            inside = False
    return found


def is_larger(value: object, most: int) -> bool:
    """Whether there are more than so many items in a value, at whatever depth; looks at no more than that."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Loose):
            item = item.items
        if isinstance(item, dict):
            waiting.extend(item if len(item) <= most else ())  # keys may hold items too
            item = item.values()
        elif not isinstance(item, (list, tuple, set, frozenset)):
            continue
        most -= len(item)
        if most < 0:
            return True
        waiting.extend(item)
    return False


def holds_far_more(data: bytes, value: object) -> bool:
    """Whether an encoder's text holds so much more than a value that the two cannot be equal; spares decoding it.

    An item of a value takes at most nine brackets, braces and commas: a member of a ``$dict`` whose key and value are complex.
    """
    if len(data) < _LARGE_TEXT:
        return False
    marks = outside_strings(data, b"[", b"{", b",")
    return marks > _LARGE_TEXT and not is_larger([value], marks // _MARKS_OF_AN_ITEM - 1)


def as_plain(value: object) -> object:
    """The value itself if it is plain, else the plain value it stands for (numpy's numbers and arrays, subclasses of plain types).

    Raises:
        PlainError: it is, or holds, no plain value; or it is nested deeper than ``MAX_DEPTH``.
    """
    if _is_plain(value, 0):
        return value
    made = from_json(to_json(value))
    if not _is_plain(made, 0):
        msg = f"a {type(value).__name__} that is, or holds, no plain value"
        raise PlainError(msg)
    return made


def _is_plain(value: object, depth: int) -> bool:
    kind = type(value)
    if kind in _LEAVES:
        return True
    if depth >= MAX_DEPTH:
        return False
    if isinstance(value, dict) and kind is dict:
        return all(_are_plain(part, depth + 1) for part in (value.keys(), value.values()))
    if isinstance(value, (list, tuple, set, frozenset)) and kind in _CONTAINERS:
        return _are_plain(value, depth + 1)
    return False


def _are_plain(values: Collection[object], depth: int) -> bool:
    return _LEAVES.issuperset(map(type, values)) or all(_is_plain(value, depth) for value in values)


def to_json(value: object) -> object:
    """The tagged JSON tree of a value. Subclasses of plain types are read as those types, without their own methods.

    Raises:
        PlainError: nested deeper than ``MAX_DEPTH`` (a cycle is).
    """
    try:
        return _encode(value, 0)
    except RecursionError:
        raise _too_deep() from None


def from_json(tree: object) -> object:
    """The value of a tagged JSON tree, with which it may share lists and dicts: neither is to be changed.

    Raises:
        PlainError: the first thing that is wrong, with its path.
    """
    try:
        return _decode(tree, 0)
    except RecursionError:
        raise _too_deep() from None


def _too_deep() -> PlainError:
    return PlainError(f"nested more than {MAX_DEPTH} levels deep")


def _is(value: object, kind: type[T]) -> TypeGuard[T]:
    """``isinstance`` that a value cannot lie to (mocks and proxies set ``__class__``)."""
    return issubclass(type(value), kind)


def _encode(value: object, depth: int) -> object:
    if type(value) in _UNCHANGED and (type(value) is not int or abs(value) < _SMALL):
        return value
    if type(value) is float:
        return _encode_float(value)
    if _is(value, dict):
        return _encode_dict(value, _deeper(depth))
    sequence = _sequence(value)
    if sequence is None and _is_numpy_value(value):
        plain = value.tolist()
        return _encode_atom(value) if type(plain) is type(value) else _encode(plain, depth)
    if sequence is None:
        return _encode_atom(value)
    tag, items = sequence
    inner = _deeper(depth)
    encoded: list[object] = []
    for item in items:  # a comprehension is a frame more per level
        encoded.append(_encode(item, inner))
    return {tag: encoded} if tag else encoded


def _deeper(depth: int) -> int:
    if depth >= MAX_DEPTH:
        raise _too_deep()
    return depth + 1


def _encode_atom(value: object) -> object:
    if _is(value, str):
        return str.__str__(value)
    if _is(value, int):
        return _encode_int(int.__pos__(value))
    if _is(value, float):
        return _encode_float(float.__pos__(value))
    if _is(value, bytes) or _is(value, bytearray):
        return {"$bytes": binascii.b2a_base64(memoryview(value), newline=False).decode("ascii")}
    if _is(value, complex):
        number = complex.__pos__(value)
        return {"$complex": [_encode_float(number.real), _encode_float(number.imag)]}
    return {"$opaque": type.__dict__["__name__"].__get__(type(value))[:200]}


def _encode_int(value: int) -> object:
    return {"$int": hex(value)} if value.bit_length() > _HEX_FROM_BITS else value


def _encode_float(value: float) -> object:
    if math.isfinite(value):
        return value
    return {"$float": "nan" if value != value else "inf" if value > 0 else "-inf"}


def _sequence(value: object) -> tuple[str | None, Iterable[object]] | None:
    """Tag and members of a list, tuple or set."""
    if _is(value, list):
        return None, list.__iter__(value)
    if _is(value, tuple):
        return "$tuple", tuple.__iter__(value)
    if _is(value, set):
        return "$set", set.__iter__(value)
    if _is(value, frozenset):
        return "$frozenset", frozenset.__iter__(value)
    return None


def _encode_dict(value: dict[object, object], depth: int) -> object:
    pairs = list(dict.items(value))
    looks_tagged = len(pairs) == 1 and _is(pairs[0][0], str) and str.startswith(pairs[0][0], "$")
    encoded: list[object] = []
    named: dict[str, object] = {}
    plain = not looks_tagged and all(_is(key, str) for key, _ in pairs)
    for key, item in pairs:
        if plain and _is(key, str):
            named[str.__str__(key)] = _encode(item, depth)
        else:
            encoded.append([_encode(key, depth), _encode(item, depth)])
    return named if plain else {"$dict": encoded}


def _is_numpy_value(value: object) -> TypeGuard[_NumpyValue]:
    """Whether it is one of numpy's numbers or arrays, which programs return for plain ones without noticing."""
    return any(base.__module__ == "numpy" and base.__name__ in {"generic", "ndarray"} for base in type.mro(type(value)))


def _decode(tree: object, depth: int) -> object:
    kind = type(tree)
    if kind in _UNCHANGED:
        return tree
    if isinstance(tree, float):
        if not math.isfinite(tree):
            raise PlainError('not a finite number; write {"$float": "nan"}, "inf" or "-inf"')
        return tree
    if depth >= MAX_DEPTH:
        raise _too_deep()
    if isinstance(tree, list):
        return _decode_list(tree, depth + 1)
    if isinstance(tree, dict):
        return _decode_object(tree, depth + 1)
    raise PlainError(f"a {kind.__name__} is not JSON")


def _decode_list(tree: list[object], depth: int) -> list[object]:
    items = tree  # copied where an item is not what it stands for: a copy of everything doubles what hostile data costs
    for index, item in enumerate(tree):
        if type(item) in _UNCHANGED:
            continue
        try:
            made = _decode(item, depth)
        except PlainError as error:
            raise error.within(index) from None
        if made is not item:
            items = tree.copy() if items is tree else items
            items[index] = made
    return items


def _decode_object(tree: dict[str, object], depth: int) -> object:
    if len(tree) == 1:
        [(key, inner)] = tree.items()
        if isinstance(key, str) and key.startswith("$"):
            return _decode_tagged(key, inner, depth)
    value = tree  # as in a list
    for key, item in tree.items():
        if not isinstance(key, str):
            raise PlainError("an object's keys are strings")
        try:
            made = _decode(item, depth)
        except PlainError as error:
            raise error.within(key) from None
        if made is not item:
            value = tree.copy() if value is tree else value
            value[key] = made
    return value


def _decode_tagged(tag: str, inner: object, depth: int) -> object:
    if tag == "$dict":
        return _decode_pairs(_list_of(inner, tag), depth)
    if tag in _SCALAR_TAGS:
        return _SCALAR_TAGS[tag](inner)
    if tag in _LISTS:
        return Loose(Form(tag), _decode_list(_list_of(inner, tag), depth))
    if tag not in _SEQUENCE_TAGS:
        known = ", ".join(sorted([*_SCALAR_TAGS, *_SEQUENCE_TAGS, *_LISTS, "$dict"]))
        raise PlainError(f"unknown tag {tag[:40]!r}; known are {known}")
    return _SEQUENCE_TAGS[tag](_decode_list(_list_of(inner, tag), depth))


def _decode_pairs(pairs: list[object], depth: int) -> dict[object, object]:
    keys: list[object] = []
    values: list[object] = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise PlainError("a member of $dict is [key, value]").within(len(keys))
        try:
            key = _decode(pair[0], depth)
            keys.append(
                Letter(cast("int", key.items[0])) if isinstance(key, Loose) and key.form is Form.LETTER else key
            )
            values.append(_decode(pair[1], depth))
        except PlainError as error:
            raise error.within(len(values)) from None
    _refuse_collisions(keys)
    return dict(zip(keys, values, strict=True))


def _list_of(inner: object, tag: str) -> list[object]:
    if not isinstance(inner, list):
        raise PlainError(f"{tag} holds an array")
    return inner


def _text_of(inner: object, tag: str) -> str:
    if not isinstance(inner, str):
        raise PlainError(f"{tag} holds a string")
    return inner


def _decode_set(items: list[object]) -> set[object]:
    _refuse_collisions(items)
    return set(items)


def _decode_frozenset(items: list[object]) -> frozenset[object]:
    _refuse_collisions(items)
    return frozenset(items)


def _decode_float(inner: object) -> float:
    text = _text_of(inner, "$float")
    if text not in _FLOATS:
        raise PlainError('$float is "nan", "inf" or "-inf"')
    return _FLOATS[text]


def _decode_int(inner: object) -> int:
    text = _text_of(inner, "$int")
    if not _HEX.fullmatch(text):
        raise PlainError("$int is a hexadecimal integer")
    return int(text, 16)


def _decode_complex(inner: object) -> complex:
    parts = _decode_list(_list_of(inner, "$complex"), MAX_DEPTH - 1)  # only numbers have room below
    numbers = [part for part in parts if isinstance(part, (int, float)) and not isinstance(part, bool)]
    if len(parts) != 2 or len(numbers) != 2:
        raise PlainError("$complex is [real, imaginary]")
    try:
        return complex(*numbers)
    except OverflowError:
        raise PlainError("$complex holds a number too large for a float") from None


def _decode_bytes(inner: object) -> bytes:
    try:
        return binascii.a2b_base64(_text_of(inner, "$bytes").encode("ascii"), strict_mode=True)
    except (binascii.Error, UnicodeEncodeError):
        raise PlainError("$bytes is base64") from None


def _decode_scalar(inner: object) -> Loose:
    return Loose(Form.SCALAR, [_text_of(inner, Form.SCALAR.value)])


def _decode_letter(inner: object) -> Loose:
    if not isinstance(inner, int) or isinstance(inner, bool):
        raise PlainError(f"{Form.LETTER.value} holds an integer")
    return Loose(Form.LETTER, [inner])


def _decode_opaque(inner: object) -> Opaque:
    return Opaque(_text_of(inner, "$opaque")[:200])


_SCALAR_TAGS: Final[dict[str, Callable[[object], object]]] = {
    "$float": _decode_float,
    "$int": _decode_int,
    "$complex": _decode_complex,
    "$bytes": _decode_bytes,
    "$opaque": _decode_opaque,
    Form.SCALAR.value: _decode_scalar,
    Form.LETTER.value: _decode_letter,
}
_LISTS: Final = frozenset({Form.LIST0.value, Form.LIST1.value, Form.VECTOR.value})
_SEQUENCE_TAGS: Final[dict[str, Callable[[list[object]], object]]] = {
    "$tuple": tuple,
    "$set": _decode_set,
    "$frozenset": _decode_frozenset,
}


def _refuse_collisions(members: Iterable[object]) -> None:
    """Refuse members that would make a hash table quadratic, or that have no hash.

    Hashes of numbers are known to everyone (multiples of ``2**61 - 1`` hash to zero), so a program can choose them. A run of
    ``n`` members with one hash costs ``n * n`` comparisons; honest runs, as of powers of two, stay far below the bound.
    """
    hashes: list[tuple[int, bool]] = []
    for index, member in enumerate(members):
        if type(member) is str:  # salted per process, and by far the most common
            continue
        try:
            hashes.append((hash(member), isinstance(member, (tuple, frozenset))))
        except TypeError:
            hint = "; write a $tuple" if isinstance(member, list) else ""
            raise PlainError(f"a {type(member).__name__} cannot be a member or key{hint}").within(index) from None
    hashes.sort()
    runs = [(is_container, sum(1 for _ in run)) for (_, is_container), run in groupby(hashes)]
    longest_of_containers = max((length for is_container, length in runs if is_container), default=0)
    if longest_of_containers > _MAX_CONTAINER_RUN or sum(length**2 for _, length in runs) > _MAX_COLLISIONS:
        raise PlainError("too many members or keys have equal hashes")


def _parse_decimal(text: str) -> int:
    if len(text) <= _SAFE_DIGITS:
        return int(text)
    if len(text) > MAX_DECIMAL_DIGITS:
        raise PlainError(f"an integer of more than {MAX_DECIMAL_DIGITS} digits; write it as $int")
    if text.startswith("-"):
        return -_join_digits(text[1:])
    return _join_digits(text)


def _join_digits(digits: str) -> int:
    """Digits to integer by pairwise joining, so that no part reaches the interpreter's digit limit."""
    first = len(digits) % _SAFE_DIGITS or _SAFE_DIGITS
    parts = [int(digits[:first])]
    parts += [int(digits[at : at + _SAFE_DIGITS]) for at in range(first, len(digits), _SAFE_DIGITS)]
    power = int(10**_SAFE_DIGITS)
    while len(parts) > 2:
        odd = len(parts) % 2
        pairs = zip(parts[odd::2], parts[odd + 1 :: 2], strict=True)
        parts = [*parts[:odd], *(high * power + low for high, low in pairs)]
        power *= power
    return parts[0] if len(parts) == 1 else parts[0] * power + parts[1]


def _refuse_constant(name: str) -> NoReturn:
    raise PlainError(f'bare {name} is not JSON; write {{"$float": "nan"}}, "inf" or "-inf"')
