"""Hands out the slots of a pool as the policy decides. Decides nothing itself but who finds room.

Theory of operation: who waits for a slot awaits a future. Whatever changes the state of the policy (a wish, a release) is
followed at once by granting all that can be granted, so no slot idles while somebody may have it. Between the cancellation
of a task and its next turn its future is already done; a grant passes over it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Iterable

from scalebox.core.errors import QueueFull, QuotaFull
from scalebox.core.submission import Priority
from scalebox.core.tenant import DEFAULT_TENANT, Tenant
from scalebox.judge.pace import Pace
from scalebox.judge.policy import Policy, Ticket
from scalebox.runner.pool import Pair, Pool


class Scheduler:
    """The slots of a pool and who waits for them.

    Args:
        pool: the slots.
        queue_limit: how many submissions may be admitted at once, running ones included. A tenant that has none here is
            let in over it with one.
        tenants: who share the slots, beside the default one.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        pool: Pool,
        queue_limit: int,
        tenants: Iterable[Tenant] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._limit = queue_limit
        self._clock = clock
        self._policy = Policy(pool.size, tenants)
        self._pace = Pace()
        self._paces = {name: Pace() for name in self._policy.accounts}
        self._waiters: dict[Ticket, deque[asyncio.Future[None]]] = {}

    @property
    def busy(self) -> int:
        """Slots in use."""
        return self._pool.size - self._policy.free

    @property
    def queued(self) -> int:
        """Submissions that wait for their first slot."""
        return self._policy.queued

    def wanted(self, ticket: Ticket) -> bool:
        """Whether the holder of this ticket should give a slot back, asked between two cases."""
        return self._policy.wanted(ticket, self._clock())

    @contextlib.contextmanager
    def admit(
        self,
        *,
        tenant: str = DEFAULT_TENANT,
        priority: Priority = Priority.TRAINING,
        deadline_seconds: float = math.inf,
        expected_seconds: float = 0.0,
    ) -> Generator[Ticket, None, None]:
        """Take a place in the order.

        Args:
            tenant: whose it is.
            priority: its class.
            deadline_seconds: no slot is granted later than so many seconds from now. Who waits then waits on: its own
                timer ends that.
            expected_seconds: of slot time that it is thought to use; the shorter come first, within bounds.

        Raises:
            QuotaFull: the tenant has as many submissions here as it may have.
            QueueFull: too many submissions are here already.
        """
        now = self._clock()
        account = self._policy.account(tenant)
        pace = self._paces[account.tenant.name]
        quota = account.tenant.max_queued
        if quota is not None and pace.here >= quota:
            raise QuotaFull(pace.promise(now))
        if self._pace.here >= self._limit and pace.here:
            raise QueueFull(self._pace.promise(now))
        self._pace.come(now)
        pace.come(now)
        try:
            yield self._policy.enter(tenant, priority, now, now + deadline_seconds, expected_seconds)
        finally:
            now = self._clock()
            self._pace.leave(now)
            pace.leave(now)

    def errand(self) -> Ticket:
        """A place for work of our own that more than one submission waits for: without a deadline, and always let in."""
        return self._policy.enter(DEFAULT_TENANT, Priority.INTERACTIVE, self._clock())

    @contextlib.asynccontextmanager
    async def slot(self, ticket: Ticket) -> AsyncGenerator[Pair, None]:
        """Wait for a slot and hold it."""
        await self._acquire(ticket)
        try:
            async with self._pool.lease() as pair:
                yield pair
        finally:
            self._policy.release(ticket, self._clock())
            self._hand_on()

    async def _acquire(self, ticket: Ticket) -> None:
        granted = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(ticket, deque()).append(granted)
        self._policy.ask(ticket, self._clock())
        self._hand_on()
        try:
            await granted
        except asyncio.CancelledError:
            if not granted.cancelled():  # granted, but we are being cancelled
                self._policy.release(ticket, self._clock())
            elif granted in self._waiters.get(ticket, ()):
                self._waiters[ticket].remove(granted)
                self._forget(ticket)
                self._policy.withdraw(ticket, self._clock())
            self._hand_on()
            raise

    def _hand_on(self) -> None:
        now = self._clock()
        while (ticket := self._policy.grant(now)) is not None:
            waiting = self._waiters[ticket]
            granted = waiting.popleft()
            self._forget(ticket)
            if granted.done():  # cancelled in this very turn of the loop, and has not run yet to take its wish back
                self._policy.release(ticket, now)
            else:
                granted.set_result(None)

    def _forget(self, ticket: Ticket) -> None:
        if not self._waiters[ticket]:
            del self._waiters[ticket]
