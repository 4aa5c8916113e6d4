"""What two programs said to each other, in order, up to a size. Pure; decides nothing."""

from __future__ import annotations

import enum
from typing import Final

LIMIT_BYTES: Final = 16384


class Speaker(enum.StrEnum):
    """Whose words they are."""

    PROGRAM = "program"
    INTERACTOR = "interactor"


_MARKS: Final = {Speaker.PROGRAM: b"> ", Speaker.INTERACTOR: b"< "}


class Transcript:
    """Collects what is said until it is full.

    Args:
        limit: bytes kept of both sides together; the marks do not count.
    """

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._left = limit
        self._turns: list[tuple[Speaker, bytearray]] = []
        self.truncated = False
        """Whether more was said than is kept."""

    def add(self, speaker: Speaker, data: bytes) -> None:
        """Note what was said next."""
        kept = data[: self._left]
        self.truncated = self.truncated or len(kept) < len(data)
        if not kept:
            return
        self._left -= len(kept)
        if self._turns and self._turns[-1][0] is speaker:
            self._turns[-1][1].extend(kept)
        else:
            self._turns.append((speaker, bytearray(kept)))

    def render(self) -> bytes:
        """As text: ``> `` before each line of the program, ``< `` before each line of the interactor.

        Source: the form of `.interaction` files in the ICPC problem package format. A line that the other side broke
        into goes on in a line of its own.
        """
        lines = []
        for speaker, said in self._turns:
            mark = _MARKS[speaker]
            lines += [mark + line + b"\n" for line in said.removesuffix(b"\n").split(b"\n")]
        return b"".join(lines)
