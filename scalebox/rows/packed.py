"""Test cases that a data set keeps as base64 of zlib of a pickled text. Never unpickles: it reads the one text and nothing else.

A pickle is a program; what LiveCodeBench publishes is the shortest one there is, which pushes one text and stops. Its
operations are listed here, not run, and any other operation is refused.
"""

from __future__ import annotations

import binascii
import pickletools
import zlib
from base64 import b64decode
from typing import Final

from scalebox.core.errors import RequestError

MAX_BYTES: Final = 512 << 20
"""Unpacked; more is refused before it is held."""

_TEXT: Final = frozenset({"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"})
_AROUND: Final = frozenset({"PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "STOP"})
_HINT: Final = "LiveCodeBench packs base64(zlib(pickle(JSON text))); write the JSON itself if in doubt"


def unpack(packed: str, field: str) -> str:
    """The text that was packed.

    Raises:
        RequestError: it was packed in another way, is cut off, or is too large.
    """
    try:
        squeezed = b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        raise RequestError("this is neither JSON nor base64", field=field, hint=_HINT) from None
    return _only_text(_inflated(squeezed, field), field)


def _inflated(squeezed: bytes, field: str) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(squeezed, MAX_BYTES)
    except zlib.error as error:
        raise RequestError(f"this is base64 but not zlib: {error}", field=field, hint=_HINT) from None
    if inflater.unconsumed_tail:
        raise RequestError(f"this unpacks to more than {MAX_BYTES >> 20} MiB", field=field)
    if not inflater.eof:
        raise RequestError("the zlib stream is cut off", field=field, hint=_HINT)
    return data


def _only_text(data: bytes, field: str) -> str:
    texts: list[str] = []
    try:
        for operation, argument, _ in pickletools.genops(data):
            if operation.name in _TEXT and isinstance(argument, str):
                texts.append(argument)
            elif operation.name not in _AROUND:
                message = f"the pickle does more than hold a text ({operation.name}), so it is not read"
                raise RequestError(message, field=field, hint=_HINT, code="unsafe_pickle")
    except ValueError as error:
        raise RequestError(f"this is no pickle: {error}", field=field, hint=_HINT) from None
    if len(texts) != 1:
        raise RequestError(f"the pickle holds {len(texts)} texts instead of one", field=field, hint=_HINT)
    return texts[0]
