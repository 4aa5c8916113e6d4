"""Who may wait for what: bodies bounded each and together, one judgement per id, and no work for a client that hung up.

Theory of operation: a judgement with an id is a task of its own, and every request with that id waits for it. A
request that ends early stops waiting; the last one to stop cancels the task. A finished judgement is remembered for
ten minutes, within bounds; a failed or cancelled one is not, so that a retry judges anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self, TypeVar

from starlette.requests import Request
from starlette.types import Receive

from scalebox.api.encoding import decoded, decoder_of
from scalebox.api.errors import ClientGone, Conflict, NoRoom, TooLarge
from scalebox.core.errors import DeadlineExceeded

T = TypeVar("T")

_RETRY_SECONDS: Final = 1.0
REMEMBER_SECONDS: Final = 600.0
REMEMBER_BYTES: Final = 256 << 20
REMEMBER_COUNT: Final = 100_000


def too_large(limit: int) -> TooLarge:
    """The error for a body or line of more than ``limit`` bytes."""
    hint = "send fewer or smaller tests, or raise SCALEBOX_MAX_BODY_MB on the server"
    return TooLarge(f"the request is larger than {limit} bytes", hint=hint, code="too_large")


class Room:
    """Bounds the bytes of all bodies that are held together. One body is always let in, whatever its size.

    Halves of bodies that wait for each other's room would wait for ever, so one of them at a time goes on without: what is
    held exceeds the bound by no more than one body.

    Args:
        size: bytes.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._held = 0
        self._ahead: Held | None = None
        self._changed = asyncio.Event()

    def fits(self, more: int, own: int = 0) -> bool:
        """Whether there is room for so much more of one who holds ``own`` bytes already."""
        return self._held == own or self._held + more <= self._size

    def change(self, size: int) -> None:
        """Hold so much more, or less."""
        self._held += size
        if size < 0:
            self._changed.set()

    async def until_fits(self, more: int, own: int = 0, half: Held | None = None) -> None:
        """Wait for room, or, as the holder of half a body, until it may go on without."""
        while not self.fits(more, own):
            if half is not None and (self._ahead is half or (self._ahead is None and self._held <= self._size)):
                self._ahead = half
                return
            self._changed.clear()
            await self._changed.wait()

    def settle(self, half: Held) -> None:
        """Let another half go on without room: this one is whole, or gone."""
        if self._ahead is half:
            self._ahead = None
            self._changed.set()


class Held:
    """What one request holds of the room; used in a ``with``, which gives it back.

    Args:
        room: shared by all requests.
        wait_seconds: how long it may wait for room each time; None where it is refused at once.
    """

    def __init__(self, room: Room, wait_seconds: float | None = None) -> None:
        self._room = room
        self._wait_seconds = wait_seconds
        self._size = 0

    @property
    def waits(self) -> bool:
        """Whether it waits for room."""
        return self._wait_seconds is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def give_back(self) -> None:
        """Hold nothing any more."""
        self._room.change(-self._size)
        self._size = 0
        self.settle()

    def settle(self) -> None:
        """The body is whole: it needs no more than it holds."""
        self._room.settle(self)

    async def grow_to(self, size: int) -> None:
        """Hold at least so many bytes.

        Raises:
            NoRoom: there is no room, and this request does not wait.
            DeadlineExceeded: there was none in time.
        """
        more = size - self._size
        if more <= 0:
            return
        if not self._room.fits(more, self._size):
            await self._wait(more)
        self._room.change(more)
        self._size = size

    async def _wait(self, more: int) -> None:
        if self._wait_seconds is None:
            raise NoRoom(_RETRY_SECONDS)
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._room.until_fits(more, self._size, self if self._size else None)
        except TimeoutError:
            raise DeadlineExceeded("there was no room for the body in time") from None


async def read_body(request: Request, limit: int, held: Held) -> bytes:
    """The whole body, decompressed.

    Args:
        request: to be read.
        limit: bytes of one body, compressed or not.
        held: grows with what has been read; one that waits has room for all that is declared before it reads.

    Raises:
        TooLarge: it is, or says it is, over ``limit`` bytes; no more than that was held.
        NoRoom, DeadlineExceeded: too much is held already.
        UnknownEncoding, BadEncoding: it cannot be decompressed.
    """
    decoder = decoder_of(request.headers.get("content-encoding"))
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise too_large(limit)
    if held.waits and declared.isdecimal():
        await held.grow_to(int(declared))
    chunks: list[bytes] = []
    size = 0
    async for chunk in decoded(_bounded(request.stream(), limit), decoder):
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        await held.grow_to(size)
        chunks.append(chunk)
    held.settle()
    return b"".join(chunks)


async def _bounded(chunks: AsyncIterable[bytes], limit: int) -> AsyncIterator[bytes]:
    """The pieces as they came, compressed or not, as long as they are no more than the limit."""
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        yield chunk


async def until_gone(receive: Receive) -> None:
    """Wait until the client hangs up. Only for after its body was read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_gone(receive: Receive, work: Coroutine[object, object, T]) -> T:
    """The result of ``work``, which is cancelled when the client hangs up.

    Raises:
        ClientGone: it hung up first.
    """
    task = asyncio.create_task(work)
    watch = asyncio.create_task(until_gone(receive))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientGone
        return task.result()
    finally:
        task.cancel()
        watch.cancel()
        await asyncio.gather(task, watch, return_exceptions=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The body of a reply, and whether the same request gets it again."""

    body: bytes
    remember: bool


@dataclass(slots=True, kw_only=True)
class _Job:
    fingerprint: bytes
    task: asyncio.Task[Outcome]
    waiters: int = 0
    ended_at: float = 0.0
    size: int = 0


class Ids:
    """One judgement per id.

    Args:
        clock: monotonic seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        max_bytes: int = REMEMBER_BYTES,
        max_count: int = REMEMBER_COUNT,
    ) -> None:
        self._clock = clock
        self._max_bytes = max_bytes
        self._max_count = max_count
        self._running: dict[str, _Job] = {}
        self._ended: OrderedDict[str, _Job] = OrderedDict()
        self._bytes = 0
        self._dying: set[asyncio.Task[Outcome]] = set()

    async def once(self, key: str, fingerprint: bytes, work: Callable[[], Coroutine[object, object, Outcome]]) -> bytes:
        """The reply of ``work``, which runs once for all requests with this key.

        Args:
            key: the client's id.
            fingerprint: tells bodies apart.
            work: makes the reply.

        Raises:
            Conflict: the key was used for another body.
        """
        self._forget()
        job = self._running.get(key) or self._ended.get(key)
        if job is None:
            job = _Job(fingerprint=fingerprint, task=asyncio.create_task(work()))
            self._running[key] = job
            started = job
            job.task.add_done_callback(lambda _: self._on_end(key, started))
        if job.fingerprint != fingerprint:
            hint = "use a new id for another request"
            raise Conflict("this id was used for another body", field="id", hint=hint, code="id_conflict")
        return await self._wait(key, job)

    async def _wait(self, key: str, job: _Job) -> bytes:
        job.waiters += 1
        try:
            return (await asyncio.shield(job.task)).body
        finally:
            job.waiters -= 1
            if job.waiters == 0 and not job.task.done():
                self._running.pop(key, None)
                self._dying.add(job.task)
                job.task.add_done_callback(self._dying.discard)
                job.task.cancel()

    def _on_end(self, key: str, job: _Job) -> None:
        if self._running.get(key) is job:
            del self._running[key]
        if job.task.cancelled() or job.task.exception() is not None or not job.task.result().remember:
            return
        job.ended_at = self._clock()
        job.size = len(job.task.result().body)
        self._bytes += job.size
        self._ended[key] = job

    def _forget(self) -> None:
        """Drop what is too old, and the oldest of what is too much."""
        oldest = self._clock() - REMEMBER_SECONDS
        while self._ended:
            job = next(iter(self._ended.values()))
            fits = self._bytes <= self._max_bytes and len(self._ended) <= self._max_count
            if job.ended_at > oldest and fits:
                return
            self._ended.popitem(last=False)
            self._bytes -= job.size

    async def aclose(self) -> None:
        """Cancel what runs and wait for its end."""
        tasks = [*self._dying, *(job.task for job in self._running.values())]
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)


class Budget:
    """Bounds what is in flight by count and by bytes. One item is always let in, whatever its size."""

    def __init__(self, *, count: int, size: int) -> None:
        self._count = count
        self._size = size
        self._held_count = 0
        self._held_size = 0
        self._changed = asyncio.Condition()

    def _fits(self, size: int) -> bool:
        return self._held_count == 0 or (self._held_count < self._count and self._held_size + size <= self._size)

    async def spend(self, size: int, work: Callable[[], Awaitable[None]]) -> None:
        """Run ``work`` on an amount that ``take`` has taken, and give it back."""
        try:
            await work()
        finally:
            self._held_count -= 1
            self._held_size -= size
            async with self._changed:
                self._changed.notify_all()

    async def take(self, size: int) -> None:
        """Wait for room."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._fits(size))
            self._held_count += 1
            self._held_size += size
