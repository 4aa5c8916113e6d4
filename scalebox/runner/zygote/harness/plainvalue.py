"""Encode what a call returned as plain data for the server to compare; never calls a method the program could have written.

Subclasses of plain types are reduced to the base's own content by the base's own methods (``Counter`` becomes a dict, a
named tuple a tuple, an ``IntEnum`` member an int), numpy's arrays and numbers to what ``tolist`` says. Everything else is
opaque, which equals nothing: iterators, ``range``, ``deque``, views, objects; so is what contains itself or nests too deep.
"""

from __future__ import annotations

import sys

from scalebox.runner.zygote.harness.codec import Encoder, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WHOLE = slice(None)

# issubclass(kind, base) and these methods ask the base only; isinstance would ask the value for its __class__.
_REDUCED: tuple[tuple[type, Callable[..., object]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (str, str.__str__),
    (list, lambda value: list.__getitem__(value, _WHOLE)),
    (tuple, lambda value: tuple.__getitem__(value, _WHOLE)),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
    (bytes, lambda value: bytes.__getitem__(value, _WHOLE)),
    (bytearray, lambda value: b"" + bytearray.__add__(bytearray(), value)),
    (complex, complex.__pos__),
)


def reduced(value: object) -> object:
    """The plain content of a subclass of a plain type or of a numpy value; the value itself where there is none."""
    kind = type(value)
    for base, content in _REDUCED:
        if issubclass(kind, base):
            return content(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(kind, (numpy.ndarray, numpy.generic)):
        content = numpy.ndarray.tolist if issubclass(kind, numpy.ndarray) else numpy.generic.item
        return content(value)
    return value


class ValueEncoder(Encoder):
    """Plain data, or ``{"$opaque": type name}``."""

    __slots__ = ()

    def other(self, value: object) -> str:
        """The reduced value's text, or the name of the type."""
        plain = reduced(value)
        if plain is value or type(plain) is type(value):
            return f'{{"$opaque":{quote(type.__dict__["__name__"].__get__(type(value))[:200])}}}'
        key = id(value)
        if key in self.path:
            return '{"$opaque":"cycle"}'
        self.path.add(key)
        try:
            return self.text(plain)
        finally:
            self.path.discard(key)
