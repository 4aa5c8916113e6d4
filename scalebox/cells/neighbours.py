"""The other cells, seen from one: who is up, who remembers an id, and a link to each when it is first needed."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import socket
from collections.abc import Callable, Sequence
from typing import Final

from scalebox.cells.board import Board
from scalebox.cells.link import Answer, Link
from scalebox.core.errors import JudgeUnreachable

_LINK_SECONDS: Final = 60.0
"""Long, because a cell that is only busy still owns its ids."""


class Neighbours:
    """The other cells of a server.

    Args:
        number: of this cell.
        count: of all cells.
        board: says who is up.
        want_link: asks the supervisor for a link to a cell, which comes by ``add`` or ``refuse``.
    """

    def __init__(self, number: int, count: int, board: Board, want_link: Callable[[int], None]) -> None:
        self.number = number
        self.count = count
        self.answer: Answer | None = None
        """Answers the questions of others; set before the first link comes."""
        self._board = board
        self._want_link = want_link
        self._links: dict[int, Link] = {}
        self._coming: dict[int, asyncio.Future[Link]] = {}
        self._serving: set[asyncio.Task[None]] = set()

    def up(self) -> Sequence[int]:
        """The cells that take work, this one among them once it does."""
        return self._board.up()

    def owner(self, key: str) -> int:
        """The cell that remembers an id: the same one for all who ask, as long as the same cells are up."""
        return rank(key, self.up())[0] if self.up() else self.number

    async def ask(self, cell: int, kind: int, payload: bytes = b"") -> bytes:
        """Another cell's answer.

        Raises:
            JudgeUnreachable: it is not up, or ended before it answered.
        """
        link = await self._link(cell)
        return await link.ask(kind, payload)

    async def _link(self, cell: int) -> Link:
        link = self._links.get(cell)
        if link is not None and not link.closed:
            return link
        coming = self._coming.get(cell)
        if coming is None:
            coming = self._coming[cell] = asyncio.get_running_loop().create_future()
            self._want_link(cell)
        try:
            async with asyncio.timeout(_LINK_SECONDS):
                return await asyncio.shield(coming)
        except TimeoutError:
            self.refuse(cell)
            raise JudgeUnreachable(f"cell {cell} of this server does not answer") from None

    async def add(self, cell: int, end: socket.socket) -> None:
        """Take a link to a cell."""
        if self.answer is None:
            msg = "a link came before there was anybody to answer"
            raise RuntimeError(msg)
        reader, writer = await asyncio.open_connection(sock=end)
        link = self._links[cell] = Link(reader, writer, self.answer)
        serving = asyncio.create_task(link.serve())
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)
        coming = self._coming.pop(cell, None)
        if coming is not None and not coming.done():
            coming.set_result(link)

    def refuse(self, cell: int) -> None:
        """Learn that there is no link to a cell."""
        coming = self._coming.pop(cell, None)
        if coming is not None and not coming.done():
            coming.set_exception(JudgeUnreachable(f"cell {cell} of this server is not up"))
            with contextlib.suppress(JudgeUnreachable):
                coming.exception()  # whoever waited may be gone

    async def until_answered(self, seconds: float) -> None:
        """Wait until no other cell waits for this one, or for so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for link in list(self._links.values()):
                    await link.until_answered()

    async def close(self) -> None:
        """End every link."""
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


def rank(key: str, cells: Sequence[int]) -> list[int]:
    """Cells in the order in which they are to remember a key; one that goes moves no key of the others.

    Args:
        key: of any length.
        cells: their numbers.
    """
    return sorted(cells, key=lambda cell: hashlib.blake2b(key.encode(), digest_size=8, person=b"%d" % cell).digest())
