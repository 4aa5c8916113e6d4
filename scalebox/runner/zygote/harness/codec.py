"""Write plain data as tagged JSON text and read it back; never runs a participant's method, eval or pickle.

JSON says most of it. What JSON cannot say is an object with one key that starts with a dollar:
``{"$float": "nan|inf|-inf"}``, ``{"$tuple": [..]}``, ``{"$set": [..]}``, ``{"$frozenset": [..]}``, ``{"$bytes": base64}``,
``{"$dict": [[k, v]..]}``, ``{"$int": hex}``, ``{"$complex": [re, im]}``, ``{"$opaque": "type name"}``.
Imports only what a bare interpreter has loaded, and ``_json`` in C: importing ``json`` costs each case milliseconds.
"""

from __future__ import annotations

import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_DEPTH = 150
"""Containers inside containers; JSON nests at most twice as deep, which every reader's recursion limit allows."""
MAX_TEXT = 64 << 20
"""Characters of one encoded value."""
MAX_CONTAINERS = 4_000_000
"""Containers of one encoded value, each counted as often as it is met: ``x = [x, x]`` doubles them."""
_BIG = 1 << 512
"""Integers up to here are written in decimals, well under the interpreter's limit on digits; larger ones in hex."""

quote: Callable[[str], str] = _json.encode_basestring
"""A JSON string, its characters as they are: two lone surrogates stay two, where their escapes would be read as one character."""

TOO_LARGE = "too large"
"""In place of a value that no channel takes; no value is written so."""


class TooLarge(ValueError):
    """The value is larger than any channel takes."""


def int_text(value: int) -> str:
    """An exact int of any size."""
    return int.__repr__(value) if -_BIG < value < _BIG else f'{{"$int":"{value:#x}"}}'


def float_text(value: float) -> str:
    """An exact float, to the last bit."""
    text = float.__repr__(value)
    return f'{{"$float":"{text}"}}' if "n" in text else text


_SCALARS: dict[type, Callable[..., str]] = {
    type(None): lambda _value: "null",
    bool: lambda value: "true" if value else "false",
    int: int_text,
    float: float_text,
    str: quote,
}


class Encoder:
    """Encodes by exact type; whatever is not plain goes to ``other``, which a subclass defines."""

    __slots__ = ("left", "path")

    def __init__(self) -> None:
        self.left = MAX_CONTAINERS
        self.path: set[int] = set()
        """Identities of the containers around the value being written: a cycle shows here."""

    def other(self, value: object) -> str:
        """Text for a value that is not plain, contains itself or nests too deep."""
        raise NotImplementedError

    def text(self, value: object) -> str:
        """The text of any value.

        Raises:
            TooLarge: it would be longer than ``MAX_TEXT``, or has over ``MAX_CONTAINERS``.
        """
        kind = type(value)
        scalar = _SCALARS.get(kind)
        if scalar is not None:
            return scalar(value)
        container = _CONTAINERS.get(kind)
        if container is None:
            return self.other(value)
        key = id(value)
        if key in self.path or len(self.path) >= MAX_DEPTH:
            return self.other(value)
        self.path.add(key)
        self.left -= 1
        try:
            text = container(self, value)
        finally:
            self.path.discard(key)
        if len(text) > MAX_TEXT or self.left < 0:
            raise TooLarge("the value is larger than 64 MiB, or holds more than 4 million containers")
        return text

    def items(self, values: list[object]) -> str:
        """A JSON array; lists of one scalar type take a path without a call per item."""
        kinds = set(map(type, values))
        if kinds == _ONLY_INT and _are_small(values):  # type: ignore[arg-type]  # all are int
            return list.__repr__(values)
        if kinds == _ONLY_STR:
            return f"[{','.join(map(quote, values))}]"  # type: ignore[arg-type]  # all are str
        if kinds == _ONLY_FLOAT:
            text = list.__repr__(values)
            return text if "n" not in text else f"[{','.join(map(float_text, values))}]"  # type: ignore[arg-type]
        write = self.text
        return f"[{','.join([write(value) for value in values])}]"

    def pairs(self, value: dict[object, object]) -> str:
        """Key-value pairs, in order."""
        write = self.text
        return f"[{','.join([f'[{write(key)},{write(item)}]' for key, item in dict.items(value)])}]"


def _are_small(values: list[int]) -> bool:
    return min(values) > -_BIG and max(values) < _BIG


_ONLY_INT = {int}
_ONLY_STR = {str}
_ONLY_FLOAT = {float}


def _dict_text(encoder: Encoder, value: dict[object, object]) -> str:
    kinds = set(map(type, value))
    if (kinds and kinds != _ONLY_STR) or _looks_tagged(value):
        return f'{{"$dict":{encoder.pairs(value)}}}'
    write = encoder.text
    return f"{{{','.join([f'{quote(str(key))}:{write(item)}' for key, item in value.items()])}}}"


def _looks_tagged(value: dict[object, object]) -> bool:
    return len(value) == 1 and str(next(iter(value))).startswith("$")


def _bytes_text(_encoder: Encoder, value: bytes) -> str:
    return f'{{"$bytes":"{base64(value)}"}}'


def base64(value: bytes | bytearray) -> str:
    """Base64 text of some bytes."""
    from binascii import b2a_base64  # a shared object in some builds: loaded only where bytes cross

    return b2a_base64(value, newline=False).decode()


def _complex_text(_encoder: Encoder, value: complex) -> str:
    return f'{{"$complex":[{float_text(value.real)},{float_text(value.imag)}]}}'


_CONTAINERS: dict[type, Callable[..., str]] = {
    list: Encoder.items,
    tuple: lambda encoder, value: f'{{"$tuple":{encoder.items(list(value))}}}',
    set: lambda encoder, value: f'{{"$set":{encoder.items(list(value))}}}',
    frozenset: lambda encoder, value: f'{{"$frozenset":{encoder.items(list(value))}}}',
    dict: _dict_text,
    bytes: _bytes_text,
    complex: _complex_text,
}


def to_bytes(text: str) -> bytes:
    """UTF-8, lone surrogates as three bytes each."""
    return text.encode("utf-8", "surrogatepass")


class Undecodable(ValueError):
    """The text is not what an encoder writes."""


_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)


class _Context:
    """What the C scanner reads its options from."""

    strict = True
    object_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}  # ruff: ignore[mutable-class-default] - the Python scanner's, unused by the C one

    def __init__(self, pairs_hook: Callable[[list[tuple[str, object]]], object]) -> None:
        self.object_pairs_hook = pairs_hook

    @staticmethod
    def parse_constant(name: str) -> object:
        raise Undecodable(name)


def decoder(more: Mapping[str, Callable[[object], object]]) -> Callable[[str], object]:
    """A function from text to value that knows the plain tags and ``more``; it raises Undecodable and nothing else."""
    tags = {**_PLAIN_TAGS, **more}

    def from_pairs(pairs: list[tuple[str, object]]) -> object:
        if len(pairs) == 1 and pairs[0][0].startswith("$"):
            return tags[pairs[0][0]](pairs[0][1])
        return dict(pairs)

    scan = _json.make_scanner(_Context(from_pairs))  # type: ignore[arg-type]  # typed as JSONDecoder, which it only reads

    def decode(text: str) -> object:
        try:
            value, end = scan(text, 0)
        except _UNREADABLE as error:
            raise Undecodable(str(error)) from error
        if end != len(text):
            raise Undecodable("more follows the value")
        return value

    return decode


def bytes_from(value: object) -> bytes:
    """The bytes that ``base64`` wrote."""
    from binascii import a2b_base64

    return a2b_base64(text_of(value))


def text_of(value: object) -> str:
    """The value, which is to be a str."""
    if type(value) is not str:
        raise Undecodable("a string was due")
    return value


def list_of(value: object) -> list[object]:
    """The value, which is to be a list."""
    if type(value) is not list:
        raise Undecodable("a list was due")
    return value


def pairs_of(value: object) -> list[tuple[object, object]]:
    """The value, which is to be a list of two-item lists."""
    return [(key, item) for key, item in map(list_of, list_of(value))]


def _number(value: object) -> float:
    if type(value) is not float and type(value) is not int:
        raise Undecodable("a number was due")
    return value


_PLAIN_TAGS: dict[str, Callable[[object], object]] = {
    "$float": lambda value: {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}[text_of(value)],
    "$int": lambda value: int(text_of(value), 16),
    "$tuple": lambda value: tuple(list_of(value)),
    "$set": lambda value: set(list_of(value)),
    "$frozenset": lambda value: frozenset(list_of(value)),
    "$dict": lambda value: dict(pairs_of(value)),
    "$bytes": bytes_from,
    "$complex": lambda value: complex(*map(_number, list_of(value))),
}
