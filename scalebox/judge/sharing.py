"""Identical work that is under way is done once, however many wait for it. Knows nothing of what the work is.

Theory of operation: a flight is a task and those who wait for it. Nobody's patience is the flight's: who stops waiting,
by cancellation or by a deadline of his own, gets off, and the flight goes on for the others. The last one to get off ends it,
and waits until it has given back what it held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Flight(Generic[T]):
    """Work under way."""

    carried: T
    """What the work fills in as it goes."""
    task: asyncio.Task[None]
    waiting: int = 0

    async def land(self) -> None:
        """Wait for the end of the work, which raises here what it raises."""
        self.waiting += 1
        try:
            await asyncio.wait({self.task})
            self.task.result()
        finally:
            self.waiting -= 1
            if not self.waiting and not self.task.done():
                self.task.cancel()
                await asyncio.wait({self.task})


class Flights(Generic[T]):
    """The flights under way, by key."""

    def __init__(self) -> None:
        self._flying: dict[str, Flight[T]] = {}

    def find(self, key: str) -> Flight[T] | None:
        """The flight to get on, where there is one that is not being ended."""
        found = self._flying.get(key)
        return found if found is not None and found.waiting else None

    def start(self, key: str | None, carried: T, work: Callable[[T], Coroutine[Any, Any, None]]) -> Flight[T]:
        """A new flight; wait for it at once.

        Args:
            key: under which others find it; None where nobody is to.
            carried: given to the work.
            work: what is to be done.
        """
        flight = Flight(carried, asyncio.create_task(work(carried)))
        if key is not None:
            self._flying[key] = flight
        flight.task.add_done_callback(lambda task: self._ended(key, flight, task))
        return flight

    def _ended(self, key: str | None, flight: Flight[T], task: asyncio.Task[None]) -> None:
        if key is not None and self._flying.get(key) is flight:
            del self._flying[key]
        if not task.cancelled():
            task.exception()  # whoever still waits is told; that nobody does is no reason to complain
