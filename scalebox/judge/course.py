"""The run of a judgement's cases over the slots it is given: what starts next, and what need not go on. Judges nothing itself.

One worker holds one slot at a time. There is always at most one that waits for its first: as soon as it is given a slot and
cases are left, it calls for another. Whatever turns out not to be needed ends at once: the wait when no case is left to
start, and, when one failed, the boxes whose verdicts no longer matter; their cases were then not run.
"""

from __future__ import annotations

import asyncio
import enum
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from scalebox.core.result import CaseResult
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import AGAINST
from scalebox.judge.plan import Step
from scalebox.runner.pool import Pair


class Stop(enum.Enum):
    """What a failure ends. Only evidence against the program is one: not JE, not IE."""

    NEVER = enum.auto()
    AT_ONCE = enum.auto()
    """Every other case."""
    IN_ORDER = enum.auto()
    """The cases after it in case order; those before it are judged."""


def stop_of(options: JudgeOptions) -> Stop:
    """What is wanted of a failure."""
    if not options.stop_on_failure:
        return Stop.NEVER
    return Stop.IN_ORDER if options.in_order else Stop.AT_ONCE


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSource:
    """Where the slots of one judgement come from."""

    lease: Callable[[], AbstractAsyncContextManager[Pair]]
    """Waits for a slot and holds it."""
    wanted: Callable[[], bool]
    """Whether a slot held should be let go for somebody else."""
    most: int
    """Slots to hold at once."""


class Course:
    """One judgement's cases.

    Args:
        steps: in the order to start them.
        cases: by case number, filled in as they end.
        run: judges one case on a slot.
        stop: what a failure ends; with ``IN_ORDER`` the steps are in case order.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        cases: list[CaseResult],
        run: Callable[[Pair, Step], Awaitable[CaseResult]],
        stop: Stop,
    ) -> None:
        self.seconds: dict[int, float] = {}
        """By case that ran to its end, how long it held its slot."""
        self._steps = steps
        self._cases = cases
        self._run = run
        self._stop = stop
        self._next = 0
        self._failed_at: int | None = None
        self._workers: dict[asyncio.Task[None], int | None] = {}
        """Each with the case it runs; None while it waits for a slot."""

    async def over(self, slots: SlotSource) -> None:
        """Run to the end."""
        async with asyncio.TaskGroup() as group:
            self._widen(group, slots)

    def _widen(self, group: asyncio.TaskGroup, slots: SlotSource) -> None:
        """Call for one more slot, where there is use for it and nobody waits for one already."""
        waits = None in self._workers.values()
        if self._has_next() and not waits and len(self._workers) < slots.most:
            worker = group.create_task(self._work(group, slots))
            self._workers[worker] = None
            worker.add_done_callback(
                self._workers.pop
            )  # one that is cancelled before it begins takes no step of its own

    async def _work(self, group: asyncio.TaskGroup, slots: SlotSource) -> None:
        me = asyncio.current_task()
        assert me is not None  # ruff: ignore[assert] - the group made it
        while self._has_next():
            self._workers[me] = None
            async with slots.lease() as pair:
                while self._has_next():
                    step = self._take(me)
                    self._widen(group, slots)
                    await self._judge(pair, step, me)
                    if slots.wanted():
                        break

    def _needed(self, case: int) -> bool:
        if self._stop is Stop.NEVER or self._failed_at is None:
            return True
        return self._stop is Stop.IN_ORDER and case < self._failed_at

    def _has_next(self) -> bool:
        return self._next < len(self._steps) and self._needed(self._steps[self._next].index)

    def _take(self, me: asyncio.Task[None]) -> Step:
        step = self._steps[self._next]
        self._next += 1
        self._workers[me] = step.index
        if not self._has_next():
            self._end_unneeded(me)
        return step

    async def _judge(self, pair: Pair, step: Step, me: asyncio.Task[None]) -> None:
        began = time.monotonic()
        result = await self._run(pair, step)
        self._cases[step.index] = result
        self.seconds[step.index] = time.monotonic() - began
        if result.verdict in AGAINST and self._needed(step.index):
            self._failed_at = step.index
            self._end_unneeded(me)

    def _end_unneeded(self, me: asyncio.Task[None]) -> None:
        """End the wait for a slot where nothing is left to start, and the cases that no longer matter; each is told once.

        Told again while it ends its box, a worker would give up on the box, and the slot with it.
        """
        for worker, case in self._workers.items():
            needed = self._has_next() if case is None else self._needed(case)
            if worker is not me and not needed and not worker.cancelling():
                worker.cancel()
