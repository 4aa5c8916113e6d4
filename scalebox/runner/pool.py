"""The slots of a service: started together, leased one at a time, replaced when in doubt. Decides no order.

Each slot has a *companion*, started when it is first needed: a second slot for the other side of a conversation
(the driver of an assert case). The two take turns, so a pair counts as one slot.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections.abc import AsyncGenerator
from typing import Final

from scalebox.core.errors import SandboxError
from scalebox.runner.slot import Slot, SlotSettings

_NUMBERS: Final = itertools.count()
"""Of pairs, and of slots below: no two pools of one process may give a cgroup the same name, or programs the same uid."""
_STARTS: Final = itertools.count()
_PAIRS: Final = 512
"""Pairs with uids of their own: two each, of the 1024 that a service has."""


class Pair:
    """A place for one program to run, and where its counterpart runs."""

    def __init__(self, settings: SlotSettings) -> None:
        self._settings = settings
        self._number = next(_NUMBERS) % _PAIRS
        self._slots: list[Slot | None] = [None, None]
        self._starting = asyncio.Lock()

    @property
    def python(self) -> str:
        """The interpreter that programs run under."""
        return self._settings.python

    async def main(self) -> Slot:
        """A sound slot for the program.

        Raises:
            SandboxError: none can be started.
        """
        return await self._sound(0)

    async def companion(self) -> Slot:
        """A sound slot for the counterpart.

        Raises:
            SandboxError: none can be started.
        """
        return await self._sound(1)

    async def close(self) -> None:
        """End both."""
        for slot in self._slots:
            if slot is not None:
                await slot.close()

    async def _sound(self, index: int) -> Slot:
        slot = self._slots[index]
        if slot is not None and not slot.closed:
            return slot
        async with self._starting:
            slot = self._slots[index]
            if slot is not None and not slot.closed:
                return slot
            if slot is not None:
                await slot.close()
                self._slots[index] = None
            name = f"{os.getpid()}-{self._number}-{index}-{next(_STARTS)}"
            started = self._slots[index] = await Slot.start(self._settings, 2 * self._number + index, name)
            return started


class Pool:
    """All slots of a service.

    Args:
        settings: what each slot is started with.
        size: how many programs may run at once.
    """

    def __init__(self, settings: SlotSettings, size: int) -> None:
        self.size = size
        self._pairs = [Pair(settings) for _ in range(size)]
        self._free = list(self._pairs)

    async def open(self) -> None:
        """Start every slot, so that the first request does not wait and a broken sandbox shows at once.

        Raises:
            SandboxError: a slot cannot be started.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for pair in self._pairs:
                    group.create_task(pair.main())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors

    async def warm(self) -> None:
        """Start every companion, one after the other, so that no request waits for one."""
        for pair in self._pairs:
            with contextlib.suppress(SandboxError):  # whoever needs it tries again, and is told
                await pair.companion()

    async def close(self) -> None:
        """End every slot."""
        for pair in self._pairs:
            with contextlib.suppress(SandboxError):
                await pair.close()

    @property
    def free(self) -> int:
        """How many places are not leased."""
        return len(self._free)

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncGenerator[Pair, None]:
        """Take a free place; the scheduler sees to it that there is one."""
        pair = self._free.pop()
        try:
            yield pair
        finally:
            self._free.append(pair)
