"""A page of memory that a server's cells share: which are up, how many connections each has ended, and whether its loop still turns. Each word has one writer."""

from __future__ import annotations

import mmap
import os
from typing import Final

_WORD: Final = 8
_UP: Final = 0
_ENDED: Final = 1
_BEATS: Final = 2
_WORDS: Final = 3
"""Of each cell. A store of one aligned word is never seen half done."""


class Board:
    """The page.

    Args:
        fd: of a memory file that ``make`` has made; it stays the caller's.
        cells: how many there are.
    """

    def __init__(self, fd: int, cells: int) -> None:
        self._map = mmap.mmap(fd, cells * _WORDS * _WORD)
        self._words = memoryview(self._map).cast("Q")
        self._cells = cells

    @staticmethod
    def make(cells: int) -> int:
        """A memory file with all words 0."""
        fd = os.memfd_create("scalebox-cells")
        os.ftruncate(fd, cells * _WORDS * _WORD)
        return fd

    def set_up(self, cell: int, up: bool) -> None:
        """Say whether a cell takes work; its supervisor's to say."""
        self._words[cell * _WORDS + _UP] = up

    def up(self) -> list[int]:
        """The cells that take work."""
        return [cell for cell in range(self._cells) if self._words[cell * _WORDS + _UP]]

    def set_ended(self, cell: int, count: int) -> None:
        """Say how many connections have ended; the cell's to say, and its supervisor's before it starts."""
        self._words[cell * _WORDS + _ENDED] = count

    def ended(self, cell: int) -> int:
        """How many of the connections given to a cell have ended."""
        return self._words[cell * _WORDS + _ENDED]

    def set_beats(self, cell: int, count: int) -> None:
        """Count on; the cell's to do."""
        self._words[cell * _WORDS + _BEATS] = count

    def beats(self, cell: int) -> int:
        """How far a cell has counted."""
        return self._words[cell * _WORDS + _BEATS]

    def close(self) -> None:
        """Give the page back."""
        self._words.release()
        self._map.close()
