"""Output and answer side by side, batch by batch. Never holds the tokens or lines of a whole output at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

BATCH_BYTES: Final = 1 << 16
BLANKS: Final = b" \t\n\r\f\v"
"""White space, in ASCII: what ``bytes.split`` splits at. Unicode's other blanks are ordinary bytes here."""

_BLANK: Final = re.compile(rb"[ \t\n\r\f\v]")
_TOKEN: Final = re.compile(rb"[^ \t\n\r\f\v]+")

Item = bytes
Split = Callable[[bytes], list[Item]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Items at the same place of output and answer; equally many of both."""

    first: int
    """Number, from 0, of the first item."""
    output: list[Item]
    answer: list[Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many items each side has."""

    output: int
    answer: int


class Pairing:
    """Walks two texts in step. After the windows are used up, ``counts`` says how many items each side has.

    Args:
        output: the program's bytes.
        answer: the jury's bytes.
        pieces: cuts a text where no item is torn.
        split: makes the items of a piece.
    """

    def __init__(self, output: bytes, answer: bytes, pieces: Callable[[bytes], Iterator[bytes]], split: Split) -> None:
        self._output = (split(piece) for piece in pieces(output))
        self._answer = (split(piece) for piece in pieces(answer))
        self._rest: tuple[int, int] = (0, 0)
        self._paired = 0

    def windows(self) -> Iterator[Window]:
        """Windows in order, until one side ends."""
        left: list[Item] = []
        right: list[Item] = []
        while (left := left or _next(self._output)) and (right := right or _next(self._answer)):
            count = min(len(left), len(right))
            yield Window(first=self._paired, output=left[:count], answer=right[:count])
            self._paired += count
            left, right = left[count:], right[count:]
        self._rest = (len(left), len(right))

    def counts(self) -> Counts:
        """Items of each side in all."""
        left, right = self._rest
        return Counts(
            output=self._paired + left + sum(map(len, self._output)),
            answer=self._paired + right + sum(map(len, self._answer)),
        )


def token_pieces(data: bytes) -> Iterator[bytes]:
    """Pieces of about 64 KiB that end at white space."""
    start = 0
    while start < len(data):
        cut = _BLANK.search(data, min(start + BATCH_BYTES, len(data)))
        end = cut.end() if cut else len(data)
        yield data[start:end]
        start = end


def line_pieces(data: bytes) -> Iterator[bytes]:
    """Pieces of about 64 KiB that end where a line ends, without that line's end."""
    start = 0
    while start <= len(data):
        end = data.find(b"\n", min(start + BATCH_BYTES, len(data)))
        end = len(data) if end < 0 else end
        yield data[start:end]
        start = end + 1


def token_start(data: bytes, number: int) -> int:
    """Offset of token ``number`` (from 0); the end of the data where there are not so many."""
    offset = 0
    for piece in token_pieces(data):
        count = len(piece.split())
        if number < count:
            match = next(islice(_TOKEN.finditer(piece), number, None))
            return offset + match.start()
        number -= count
        offset += len(piece)
    return len(data)


def token_at(data: bytes, start: int) -> bytes:
    """The token that begins at offset ``start``."""
    match = _TOKEN.match(data, start)
    return match.group() if match else b""


def _next(batches: Iterator[list[Item]]) -> list[Item]:
    """The next batch that is not empty, or an empty one at the end."""
    return next(filter(None, batches), [])
