"""``POST /v1/judge/batch``: lines in, lines out as they finish. A bad line is an error line and never stops the rest.

Theory of operation: one reader takes lines off the request and starts a task for each, within a budget of lines and
bytes of its own and within the room that all requests share, in which a line counts from its first byte on; tasks put their
reply lines into a spool; one writer sends the spool. The reader is the only one who receives, so it also learns first that
the client hung up, and then everything is cancelled. A line whose other half finds no room in time becomes an error line, and
so does the rest of a body that cannot be decompressed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from scalebox.api.admission import Budget, Held, Room, too_large, until_gone
from scalebox.api.encoding import Decoder, decoded
from scalebox.api.errors import BadEncoding, ClientGone, NoRoom, as_request_error
from scalebox.api.front import tenant_of
from scalebox.api.neighbours import Deal
from scalebox.api.service import Service
from scalebox.api.spool import Spool
from scalebox.core.errors import DeadlineExceeded, ScaleBoxError
from scalebox.telemetry.logs import get_logger
from scalebox.wire.reply_v1 import error_reply, reply_bytes

IN_FLIGHT_LINES: Final = 256
ROOM_SECONDS: Final = 300.0
"""How long half a line waits for room for the rest; a line of which nothing is held waits for as long as it takes."""
LINES_A_TURN: Final = 256
"""After so many lines of one piece others get their turn."""
_RETRY_SECONDS: Final = 1.0
_BLANK_LINES: Final = re.compile(rb"\s*\n")
"""As many as follow each other."""


class BatchResponse(Response):
    """An ASGI response that reads the request while it replies.

    Args:
        service: judges the lines.
        decoder: of the request's body; None where it is not compressed.
    """

    media_type = "application/x-ndjson"

    def __init__(self, service: Service, decoder: Decoder | None = None) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._service = service
        self._decoder = decoder
        self._log = get_logger("batch")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the whole exchange."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            with Spool() as spool:
                await self._exchange(tenant_of(scope), receive, send, spool)
        except* ClientGone:
            pass

    async def _exchange(self, tenant: str, receive: Receive, send: Send, spool: Spool) -> None:
        budget = Budget(count=IN_FLIGHT_LINES, size=2 * self._service.max_body_bytes)
        deal = Deal(self._service.neighbours)
        async with asyncio.TaskGroup() as group:
            group.create_task(_write(send, spool))
            async with asyncio.TaskGroup() as lines:
                async with aclosing(self._lines(receive)) as found:
                    async for line in found:
                        await self._start(line, lines, budget, partial(self._judge, tenant, line, spool, deal))
                watch = group.create_task(_raise_when_gone(receive))
            watch.cancel()
            spool.close()

    async def _start(
        self, line: Line, lines: asyncio.TaskGroup, budget: Budget, work: Callable[[], Awaitable[None]]
    ) -> None:
        try:
            await budget.take(line.size)
        except BaseException:
            line.give_back()
            raise
        task = lines.create_task(budget.spend(line.size, work))
        task.add_done_callback(line.give_back)  # also where it is cancelled before it began

    async def _lines(self, receive: Receive) -> AsyncGenerator[Line, None]:
        """The lines of the body; after one that says that the body cannot be read there are no more."""
        splitter = Splitter(self._service.max_body_bytes, self._service.room)
        try:
            async for chunk in decoded(body_chunks(receive), self._decoder):
                async for line in splitter.feed(chunk):
                    yield line
            last = splitter.finish()
            if last is not None:
                yield last
        except BadEncoding as error:
            yield Line(index=splitter.index, content=error, held=splitter.drop())
        finally:
            splitter.drop()

    async def _judge(self, tenant: str, line: Line, spool: Spool, deal: Deal) -> None:
        cell = deal.take()
        try:
            if isinstance(line.content, ScaleBoxError):
                raise line.content
            reply = await self._service.judge_line(line.content, tenant, cell)
        except ScaleBoxError as error:
            reply = _error_bytes(error)
        except Exception:  # noqa: BLE001 - as the application does: logged, and this line alone is answered so
            self._log.exception("a line of a batch failed", index=line.index)
            reply = _error_bytes(ScaleBoxError("the server's log says why"))
        finally:
            deal.give_back(cell)
        spool.put(b'{"index":%d,%b\n' % (line.index, reply[1:]))


def _error_bytes(error: ScaleBoxError) -> bytes:
    return reply_bytes(error_reply(as_request_error(error)))


async def _write(send: Send, spool: Spool) -> None:
    while data := await spool.get():
        await send({"type": "http.response.body", "body": data, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _raise_when_gone(receive: Receive) -> None:
    await until_gone(receive)
    raise ClientGone


async def body_chunks(receive: Receive) -> AsyncIterator[bytes]:
    """The pieces of a request's body.

    Raises:
        ClientGone: the client hung up before its end.
    """
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        yield message.get("body", b"")
        more = message.get("more_body", False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a batch, with the room it takes; or what was wrong with it."""

    index: int
    content: bytes | ScaleBoxError
    held: Held

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.content) if isinstance(self.content, bytes) else 0

    def give_back(self, _: object = None) -> None:
        """Give its room to others."""
        self.held.give_back()


class Splitter:
    """Cuts a body into lines, numbered from 0; blank ones are counted and left out.

    Args:
        limit: bytes of a line; a longer one is an error, and no more than that of it was held.
        room: what lines take, from their first byte on.
    """

    def __init__(self, limit: int, room: Room) -> None:
        self.index = 0
        self._limit = limit
        self._room = room
        self._parts: list[bytes] = []
        self._size = 0
        self._held = Held(room, ROOM_SECONDS)
        self._fault: ScaleBoxError | None = None

    async def feed(self, chunk: bytes) -> AsyncIterator[Line]:
        """The lines that end in this piece."""
        at = steps = 0
        while True:
            if self._size == 0 and (blank := _BLANK_LINES.match(chunk, at)) is not None:
                self.index += chunk.count(b"\n", at, blank.end())
                at = blank.end()
            end = chunk.find(b"\n", at)
            if end < 0:
                break
            await self._add(chunk[at:end])
            line = self.finish()
            if line is not None:
                yield line
            self.index += 1
            at = end + 1
            steps += 1
            if steps % LINES_A_TURN == 0:
                await asyncio.sleep(0)
        await self._add(chunk[at:])

    async def _add(self, part: bytes) -> None:
        if self._fault is not None or not part:
            return
        self._size += len(part)
        if self._size > self._limit:
            self._fault = too_large(self._limit)
        else:
            try:
                if not self._parts:
                    await self._room.until_fits(len(part))
                await self._held.grow_to(self._size)
            except DeadlineExceeded:
                self._fault = NoRoom(_RETRY_SECONDS)
        if self._fault is None:
            self._parts.append(part)
        else:
            self._parts.clear()
            self._held.give_back()

    def finish(self) -> Line | None:
        """The line that ends here; None where it is blank."""
        content: bytes | ScaleBoxError = b"".join(self._parts) if self._fault is None else self._fault
        self._parts.clear()
        self._size, self._fault = 0, None
        if isinstance(content, bytes) and not content.strip():
            self._held.give_back()
            return None
        line = Line(index=self.index, content=content, held=self._held)
        self._held.settle()
        self._held = Held(self._room, ROOM_SECONDS)
        return line

    def drop(self) -> Held:
        """Forget what was cut off; what it held is given back."""
        self._parts.clear()
        self._held.give_back()
        return self._held
