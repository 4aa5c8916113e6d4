"""Short printable pieces of untrusted bytes and values for people to read. Never lets a control character out."""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import islice
from typing import Final

from scalebox.core.plain import Opaque

EXCERPT_CHARACTERS: Final = 64
_BEFORE: Final = 16
_ESCAPES: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_LONGEST_INT_BITS: Final = 200
_MEMBERS: Final = 8
_LEVELS: Final = 3


def excerpt(data: bytes, at: int = 0) -> str:
    """At most 64 printable characters of ``data``, beginning shortly before byte ``at``; ``…`` marks what is left out."""
    start = max(0, at - _BEFORE)
    while start > 0 and data[start] & 0xC0 == 0x80 and start > at - _BEFORE - 3:
        start -= 1  # back to the first byte of a character
    piece = data[start : start + 4 * EXCERPT_CHARACTERS].decode("utf-8", "surrogateescape")
    text = printable(piece)
    if start:
        text = f"…{text}"
    if len(text) > EXCERPT_CHARACTERS or len(data) - start > 4 * EXCERPT_CHARACTERS:
        text = f"{text[: EXCERPT_CHARACTERS - 1]}…"
    return text


def printable(text: str) -> str:
    """The text with every character that is not plainly visible written as an escape."""
    return "".join(
        character if character.isprintable() and character != "\\" else _escape(character) for character in text
    )


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00  # a byte that is not UTF-8
    short = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return _ESCAPES.get(character, short)


def first_difference(left: bytes, right: bytes) -> int:
    """Index of the first byte that differs; the shorter length where one begins with the other. Linear time."""
    low, high = 0, min(len(left), len(right))
    if left[:high] == right[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low


def position(data: bytes, at: int) -> tuple[int, int]:
    """Line and column (in bytes), both from 1, of byte ``at``."""
    return data.count(b"\n", 0, at) + 1, at - (data.rfind(b"\n", 0, at) + 1) + 1


def describe(value: object) -> str:
    """At most 64 printable characters that tell what a plain value is, whatever its size or depth."""
    text = _describe(value, _LEVELS)  # repr has escaped it
    return text if len(text) <= EXCERPT_CHARACTERS else f"{text[: EXCERPT_CHARACTERS - 1]}…"


def _describe(value: object, levels: int) -> str:
    if isinstance(value, int) and value.bit_length() > _LONGEST_INT_BITS:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, (str, bytes)):
        return repr(value[:EXCERPT_CHARACTERS])
    if isinstance(value, Opaque):
        return f"<{printable(value.type_name)}>"
    if isinstance(value, (list, tuple, Set, Mapping)):
        return _describe_container(value, levels - 1) if levels else "…"
    return repr(value)


def _describe_container(
    value: list[object] | tuple[object, ...] | Set[object] | Mapping[object, object], levels: int
) -> str:
    parts = [_describe(item, levels) for item in islice(value, _MEMBERS)]
    if isinstance(value, Mapping):
        items = islice(value.values(), _MEMBERS)
        parts = [f"{key}: {_describe(item, levels)}" for key, item in zip(parts, items, strict=True)]
    if len(value) > _MEMBERS:
        parts.append("…")
    inner = ", ".join(parts)
    if isinstance(value, list):
        return f"[{inner}]"
    if isinstance(value, tuple):
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return f"{{{inner}}}" if value else f"{type(value).__name__}()"
