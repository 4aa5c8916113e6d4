"""The lines of a data set, plain or gzipped, one after the other. Holds one at a time; says what a file is that has no lines."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from scalebox.core.errors import ScaleBoxError

_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"
_OTHERS: Final = {
    b"PAR1": "a Parquet file; write its rows as JSON lines first",
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed with zstd; unpack it first",
    b"\xfd7zXZ": "compressed with xz; unpack it first",
}


class DatasetError(ScaleBoxError):
    """The file cannot be read as JSON lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line that is not blank."""

    number: int
    """From 1, blank lines counted."""
    data: bytes


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of a file that are not blank.

    Raises:
        DatasetError: it is something else than lines, or its compression is damaged.
        OSError: it cannot be opened or read.
    """
    with path.open("rb") as raw:
        head = raw.read(8)
        raw.seek(0)
        kind = next((words for magic, words in _OTHERS.items() if head.startswith(magic)), None)
        if kind is not None:
            raise DatasetError(f"{path} is {kind}")
        try:
            if head.startswith(_GZIP):
                with gzip.open(raw) as unpacked:
                    yield from _lines(unpacked, path)
            else:
                yield from _lines(raw, path)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DatasetError(f"{path}: the compressed data is damaged: {error}") from None


def _lines(file: BinaryIO | gzip.GzipFile, path: Path) -> Iterator[Line]:
    for number, line in enumerate(file, 1):
        data = (line.removeprefix(_BOM) if number == 1 else line).strip()
        if number == 1 and data.startswith(b"["):
            raise DatasetError(f"{path} is a JSON array; write one object a line (jq -c '.[]')")
        if data:
            yield Line(number=number, data=data)
