"""A stream between two cells: questions both ways at once, answers out of order. Knows nothing of what is asked.

Theory of operation: each frame is a head (kind, number, length) and its bytes. A question's frame has its kind, the
answer's the same number; who no longer wants an answer says so, and the work on it is cancelled. When the stream ends,
whoever waits gets ``JudgeUnreachable``.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import struct
from collections.abc import Awaitable, Callable
from typing import Final

from scalebox.core.errors import JudgeUnreachable

_HEAD: Final = struct.Struct(">BIQ")
_ANSWER: Final = 0
_CANCEL: Final = 255

Answer = Callable[[int, bytes], Awaitable[bytes]]
"""The answer to a question of some kind, 1 to 254."""


class Link:
    """One end.

    Args:
        reader: the stream's.
        writer: the stream's.
        answer: answers the other side.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer) -> None:
        self._reader = reader
        self._writer = writer
        self._answer = answer
        self._numbers = itertools.count()
        self._asked: dict[int, asyncio.Future[bytes]] = {}
        self._answering: dict[int, asyncio.Task[None]] = {}
        self.closed = False

    async def ask(self, kind: int, payload: bytes) -> bytes:
        """The other side's answer.

        Raises:
            JudgeUnreachable: the other side is gone.
        """
        if self.closed:
            raise _gone()
        number = next(self._numbers) & 0xFFFFFFFF
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked[number] = answered
        try:
            await self._send(kind, number, payload)
            return await answered
        except OSError:
            raise _gone() from None
        except asyncio.CancelledError:
            if not self.closed:
                self._writer.write(_HEAD.pack(_CANCEL, number, 0))
            raise
        finally:
            del self._asked[number]

    async def until_answered(self) -> None:
        """Wait until the other side waits for nothing."""
        while self._answering:
            await asyncio.wait(set(self._answering.values()))

    async def serve(self) -> None:
        """Read until the stream ends."""
        try:
            while True:
                kind, number, length = _HEAD.unpack(await self._reader.readexactly(_HEAD.size))
                self._take(kind, number, await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, OSError):
            pass  # the other cell has ended
        finally:
            await self._end()

    def _take(self, kind: int, number: int, payload: bytes) -> None:
        if kind == _ANSWER:
            answered = self._asked.get(number)
            if answered is not None and not answered.done():
                answered.set_result(payload)
        elif kind == _CANCEL:
            if number in self._answering:
                self._answering[number].cancel()
        else:
            task = asyncio.create_task(self._reply(kind, number, payload))
            self._answering[number] = task
            task.add_done_callback(lambda _: self._answering.pop(number))

    async def _reply(self, kind: int, number: int, payload: bytes) -> None:
        answer = await self._answer(kind, payload)
        with contextlib.suppress(OSError):  # the other cell has ended, and nobody waits
            await self._send(_ANSWER, number, answer)

    async def _send(self, kind: int, number: int, payload: bytes) -> None:
        self._writer.writelines((_HEAD.pack(kind, number, len(payload)), payload))
        await self._writer.drain()

    async def _end(self) -> None:
        self.closed = True
        for answered in self._asked.values():
            if not answered.done():
                answered.set_exception(_gone())
        answering = list(self._answering.values())
        for task in answering:
            task.cancel()
        await asyncio.gather(*answering, return_exceptions=True)
        self._writer.close()


def _gone() -> JudgeUnreachable:
    return JudgeUnreachable("the other cell of this server has ended")
