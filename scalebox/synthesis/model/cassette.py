"""Recorded replies, found by the key of their request. Holds no prompt: what a problem says stays with the problem.

One JSON object a line: ``key``, ``text``, ``finish_reason``, ``model``, ``input_tokens``, ``output_tokens``. Only whole lines count:
one that a killed run tore off is left out, and is gone once something more is recorded.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scalebox.core.errors import ScaleBoxError
from scalebox.synthesis.model.request import Reply

_FIELDS: Final = ("text", "finish_reason", "model", "input_tokens", "output_tokens")

_ZIPPED: Final = ".gz"
_PIECE_BYTES: Final = 1 << 16


class CassetteError(ScaleBoxError):
    """The file holds something else than replies."""


class Cassette:
    """Replies in a file.

    Args:
        path: JSON lines, or the same under gzip where its name ends in ``.gz``; it may be absent where it is written to.

    Raises:
        CassetteError: a line is no reply.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        text, self._torn = _whole_lines(path) if path.exists() else (b"", False)
        self._replies = dict(_read(text, path))

    def __len__(self) -> int:
        return len(self._replies)

    def find(self, key: str) -> Reply | None:
        """The reply to a request."""
        return self._replies.get(key)

    def record(self, key: str, reply: Reply) -> None:
        """Keep a reply; the file is appended to."""
        self._replies[key] = reply
        if self._torn:
            self._write_anew()
            self._torn = False
            return
        with self._path.open("ab") as file:
            file.write(self._packed(_line(key, reply)))

    def _write_anew(self) -> None:
        """Put a file without the torn line in the place of this one."""
        made = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        made.write_bytes(self._packed(b"".join(_line(key, reply) for key, reply in self._replies.items())))
        made.replace(self._path)

    def _packed(self, lines: bytes) -> bytes:
        return gzip.compress(lines) if self._path.suffix == _ZIPPED else lines


def _line(key: str, reply: Reply) -> bytes:
    return json.dumps({"key": key, **{name: getattr(reply, name) for name in _FIELDS}}).encode() + b"\n"


def _whole_lines(path: Path) -> tuple[bytes, bool]:
    """The lines of a file that have an end, and whether more was torn off.

    Raises:
        CassetteError: it is no gzip file, though its name says so.
    """
    data, torn = path.read_bytes(), False
    if path.suffix == _ZIPPED:
        try:
            data, torn = _unzipped(data)
        except zlib.error:
            raise CassetteError(f"{path} is no gzip file") from None
    whole, _, rest = data.rpartition(b"\n")
    return (whole + b"\n" if whole else b""), torn or bool(rest)


def _unzipped(data: bytes) -> tuple[bytes, bool]:
    """All that can be read, and whether the end of the last part is missing. Each part holds what was appended at once."""
    found, unzip = bytearray(), None
    for start in range(0, len(data), _PIECE_BYTES):
        piece = data[start : start + _PIECE_BYTES]
        while piece:
            unzip = unzip or zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            found += unzip.decompress(piece)
            piece = unzip.unused_data
            if unzip.eof:
                unzip = None
    return bytes(found), unzip is not None


def _read(text: bytes, path: Path) -> Iterator[tuple[str, Reply]]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
            yield record["key"], Reply(**{name: record[name] for name in _FIELDS})
        except (ValueError, KeyError, TypeError):
            raise CassetteError(f"{path}, line {number} is no recorded reply") from None
