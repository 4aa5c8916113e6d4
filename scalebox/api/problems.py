"""Registered problems, ready to judge: read once, handed to every judgement as the same object, bounded in memory.

Theory of operation: the shelf holds problems that judgements use, and as many that were used lately as there is room for.
A judgement leases its problem; what is leased is counted once, however many lease it, and never let go. Who needs one that is
not there reads it from disk beside the event loop, one at a time for each id, after what is unused has made room. Where leased
ones take all the room, requests are told to come again, and lines of a batch wait, each to its own deadline and without its
turn to read. One problem is always let in, whatever its size.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

from scalebox.api.errors import NotKept, ShelfFull, Unknown
from scalebox.api.problem_files import ProblemFiles
from scalebox.core.errors import DeadlineExceeded, RequestError
from scalebox.core.plain import outside_strings
from scalebox.core.problem import Problem
from scalebox.wire.canonical import canonical_text, read_problem

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_RETRY_SECONDS: Final = 1.0
_TOUCH_SECONDS: Final = 60.0
_ITEM_BYTES: Final = 48
_CONTAINER_BYTES: Final = 240
_LEAST_BYTES: Final = 4096


class Beside(Protocol):
    """Calls a function beside the event loop."""

    def __call__(self, work: Callable[[*Ts], T], *args: *Ts) -> Awaitable[T]:
        """The result of ``work(*args)``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What became of a registration."""

    id: str
    problem: Problem
    bytes: int
    new: bool
    """Whether it was not there yet."""
    on_disk: bool
    """Otherwise it is in memory only, and a restart or many others make the server forget it."""


@dataclass(slots=True, kw_only=True)
class _Entry:
    problem: Problem
    size: int
    touched_at: float
    leases: int = 0


class Problems:
    """The problems that clients registered.

    Args:
        files: keeps them on disk; None where memory alone does.
        max_bytes: of memory.
        beside: runs what blocks.
        alone: no other process serves the same clients; otherwise what others could not find on disk is not kept.
    """

    def __init__(self, files: ProblemFiles | None, max_bytes: int, beside: Beside, *, alone: bool = True) -> None:
        self._files = files
        self._max_bytes = max_bytes
        self._beside = beside
        self._alone = alone
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._held = 0
        self._released = asyncio.Event()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def held(self) -> int:
        """Bytes that the problems in memory are taken to need."""
        return self._held

    @asynccontextmanager
    async def lease(
        self, problem_id: str, seconds: float | None = None, *, patient: bool = False
    ) -> AsyncGenerator[Problem, None]:
        """A registered problem, which stays in memory until the end of the block.

        Args:
            problem_id: as `scalebox.wire.canonical.check_id` takes it.
            seconds: in which it must be there; None where that may take as long as it takes.
            patient: wait for room; otherwise it is refused at once.

        Raises:
            Unknown: it was never registered here, or is forgotten.
            NotKept: none are.
            ShelfFull: others take all the room.
            DeadlineExceeded: it was not there in time.
        """
        entry = self._entries.get(problem_id)
        if entry is None:
            try:
                async with asyncio.timeout(seconds):
                    entry = await self._read(problem_id, patient=patient)
            except TimeoutError:
                raise DeadlineExceeded("the problem was not ready in time") from None
        entry.leases += 1  # nothing was awaited since it was found
        self._touch(problem_id, entry)
        try:
            yield entry.problem
        finally:
            entry.leases -= 1
            self._released.set()

    async def register(self, problem_id: str, problem: Problem, text: bytes) -> Registered:
        """Keep a problem, given with its id and its canonical text.

        Raises:
            ShelfFull: neither disk nor memory has room for it.
            NotKept: the disk has none, and there are other processes.
        """
        known = problem_id in self._entries
        on_disk = False
        if self._files is not None:
            known = await self._beside(self._files.read, problem_id) is not None or known  # a damaged one is removed
            on_disk = await self._beside(self._files.write, problem_id, text)
        if not on_disk and not self._alone:
            raise NotKept
        size = await self._beside(weight, text)
        if problem_id not in self._entries and self._make_room(size):
            self._put(problem_id, problem, size)
        if not on_disk and problem_id not in self._entries:
            raise ShelfFull(_RETRY_SECONDS)
        return Registered(id=problem_id, problem=problem, bytes=len(text), new=not known, on_disk=on_disk)

    async def text(self, problem_id: str) -> bytes:
        """The canonical text of a registered problem.

        Raises:
            Unknown: it was never registered here, or is forgotten.
        """
        text = None if self._files is None else await self._beside(self._files.read, problem_id)
        if text is not None:
            return text
        async with self.lease(problem_id) as problem:
            return await self._beside(canonical_text, problem)

    async def _read(self, problem_id: str, *, patient: bool) -> _Entry:
        """The problem from disk, where there is room for it, as soon as there is."""
        turn = self._turns.setdefault(problem_id, asyncio.Lock())
        while True:
            async with turn:
                found = self._entries.get(problem_id) or await self._load(problem_id)
            if isinstance(found, _Entry):
                return found
            if not patient:
                raise ShelfFull(_RETRY_SECONDS)
            while problem_id not in self._entries and self._to_let_go(found) is None:
                self._released.clear()
                await self._released.wait()

    async def _load(self, problem_id: str) -> _Entry | int:
        """The problem from disk, or its size where there is no room for it."""
        text = None if self._files is None else await self._beside(self._files.read, problem_id)
        if text is None:
            raise Unknown(problem_id) if self._alone or self._files is not None else NotKept
        size = await self._beside(weight, text)
        if not self._make_room(size):
            return size
        self._held += size
        try:
            problem, _ = await self._beside(read_problem, text)
        except RequestError:  # another version's, which knows what this one does not
            raise Unknown(problem_id) from None
        finally:
            self._held -= size
            self._released.set()
        return self._put(problem_id, problem, size)

    def _to_let_go(self, size: int) -> list[str] | None:
        """The unused problems, the longest unused first, without which so much more fits; None where it does not."""
        gone: list[str] = []
        left = self._held
        for problem_id, entry in self._entries.items():
            if left + size <= self._max_bytes:
                break
            if entry.leases == 0:
                gone.append(problem_id)
                left -= entry.size
        return None if left + size > self._max_bytes and left > 0 else gone

    def _make_room(self, size: int) -> bool:
        """Let unused problems go where that makes room; whether so much more fits then."""
        gone = self._to_let_go(size)
        for problem_id in gone or ():
            self._held -= self._entries.pop(problem_id).size
        return gone is not None

    def _put(self, problem_id: str, problem: Problem, size: int) -> _Entry:
        there = self._entries.get(problem_id)
        if there is not None:  # registered while it was read
            return there
        entry = _Entry(problem=problem, size=size, touched_at=monotonic())
        self._entries[problem_id] = entry
        self._held += size
        return entry

    def _touch(self, problem_id: str, entry: _Entry) -> None:
        self._entries.move_to_end(problem_id)
        if self._files is not None and monotonic() - entry.touched_at > _TOUCH_SECONDS:
            entry.touched_at = monotonic()
            self._files.touch(problem_id)  # one system call a minute


def weight(text: bytes) -> int:
    """About how many bytes of memory a problem with this canonical text takes."""
    items = outside_strings(text, b",")
    return _LEAST_BYTES + len(text) + _ITEM_BYTES * items + _CONTAINER_BYTES * outside_strings(text, b"[", b"{")
