"""The actor around the policy: what it grants and refuses, and that no slot is lost, whatever is cancelled when."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, Sequence

import pytest

from scalebox.core.errors import QueueFull, QuotaFull
from scalebox.core.submission import Priority
from scalebox.core.tenant import Tenant
from scalebox.judge.policy import Ticket
from scalebox.judge.scheduler import Scheduler


class FakePool:
    """Slots that are only counted."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.leased = 0

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncGenerator[None, None]:
        """Count one."""
        assert self.leased < self.size
        self.leased += 1
        try:
            yield
        finally:
            self.leased -= 1


def scheduler_of(size: int, limit: int = 100, tenants: Sequence[Tenant] = ()) -> tuple[Scheduler, FakePool]:
    """A scheduler over slots that are only counted."""
    pool = FakePool(size)
    return Scheduler(pool, limit, tenants), pool  # type: ignore[arg-type]  # a pool is asked for its size and for leases


async def turns(count: int = 20) -> None:
    """Let every task go on as far as it can."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_free_slot_is_had_at_once() -> None:
    scheduler, pool = scheduler_of(2)
    with scheduler.admit() as ticket:
        async with scheduler.slot(ticket), scheduler.slot(ticket):
            assert (ticket.holding, scheduler.busy, pool.leased) == (2, 2, 2)
    assert (ticket.holding, scheduler.busy, pool.leased) == (0, 0, 0)


async def test_slot_goes_to_a_submission_that_has_none() -> None:
    scheduler, _ = scheduler_of(2)
    order: list[str] = []
    release = asyncio.Event()

    async def hold(name: str, ticket: Ticket, until: asyncio.Event) -> None:
        async with scheduler.slot(ticket):
            order.append(name)
            await until.wait()

    with scheduler.admit() as old, scheduler.admit() as other, scheduler.admit() as young:
        tasks = [asyncio.create_task(hold("old", old, asyncio.Event()))]
        tasks.append(asyncio.create_task(hold("other", other, release)))
        await turns()
        tasks += [asyncio.create_task(hold(*row, release)) for row in (("widen", old), ("young", young))]
        await turns()
        assert scheduler.queued == 1  # the one that widens is not queued
        release.set()
        await asyncio.gather(*tasks[1:])
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["old", "other", "young", "widen"]
    assert (scheduler.busy, scheduler.queued) == (0, 0)


async def test_widened_slots_go_to_who_comes_later() -> None:
    scheduler, _ = scheduler_of(3)
    with scheduler.admit() as wide, scheduler.admit() as late:
        async with contextlib.AsyncExitStack() as held:
            for _ in range(3):
                await held.enter_async_context(scheduler.slot(wide))
            assert not scheduler.wanted(wide)
            task = asyncio.create_task(held_once(scheduler, late))
            await turns()
            assert scheduler.wanted(wide)
        await task
    assert scheduler.busy == 0


async def held_once(scheduler: Scheduler, ticket: Ticket) -> None:
    """Hold a slot for no time."""
    async with scheduler.slot(ticket):
        pass


def test_queue_is_bounded() -> None:
    scheduler, _ = scheduler_of(1, limit=2)
    with scheduler.admit(), scheduler.admit():
        with pytest.raises(QueueFull) as refused, scheduler.admit():
            pass
        assert refused.value.retry_after_seconds > 0
    with scheduler.admit():
        pass


def test_quota_bounds_one_tenant_and_no_other() -> None:
    scheduler = Scheduler(FakePool(1), 3, [Tenant(name="a", max_queued=1), Tenant(name="b")])  # type: ignore[arg-type]
    with scheduler.admit(tenant="a"):
        with pytest.raises(QuotaFull), scheduler.admit(tenant="a"):
            pass
        with scheduler.admit(tenant="b"), scheduler.admit(tenant="b"):
            with pytest.raises(QueueFull, match="queue is full"), scheduler.admit(tenant="b"):
                pass
            with scheduler.admit(tenant="nobody knows"):  # who has none here is let in
                pass
    with scheduler.admit(tenant="a"):
        pass


def test_who_is_refused_is_told_when_there_will_be_room() -> None:
    now = 0.0
    scheduler = Scheduler(FakePool(1), 4, clock=lambda: now)  # type: ignore[arg-type]
    for _ in range(20):
        with contextlib.ExitStack() as places:
            for _ in range(4):
                places.enter_context(scheduler.admit())
            now += 5.0

    def refusal() -> float:
        with pytest.raises(QueueFull) as refused, scheduler.admit():
            pass
        return refused.value.retry_after_seconds

    with contextlib.ExitStack() as places:
        for _ in range(4):
            places.enter_context(scheduler.admit())
        first, second = refusal(), refusal()
        assert 1.0 <= first < second  # each has a moment of its own
        assert max(refusal() for _ in range(1000)) <= 60.0


async def test_errand_is_let_in_whoever_waits_and_outlives_every_deadline() -> None:
    now = 0.0
    scheduler = Scheduler(FakePool(1), 1, clock=lambda: now)  # type: ignore[arg-type]
    with scheduler.admit(deadline_seconds=1.0) as holder:
        async with scheduler.slot(holder):
            task = asyncio.create_task(held_once(scheduler, scheduler.errand()))
            await turns()
            now = 1e6
        async with asyncio.timeout(5):
            await task


async def test_no_slot_after_the_deadline() -> None:
    now = 0.0
    pool = FakePool(1)
    scheduler = Scheduler(pool, 10, clock=lambda: now)  # type: ignore[arg-type]
    with scheduler.admit() as holder, scheduler.admit(deadline_seconds=5) as late, scheduler.admit() as other:
        async with scheduler.slot(holder):
            tasks = [asyncio.create_task(held_once(scheduler, ticket)) for ticket in (late, other)]
            await turns()
            now = 5.0
        await tasks[1]
        await turns()
        assert not tasks[0].done()  # its own timer ends it
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert (scheduler.busy, scheduler.queued, late.holding, late.wanting) == (0, 0, 0, 0)


async def test_cancelled_while_waiting() -> None:
    scheduler, _ = scheduler_of(1)
    with scheduler.admit() as holder, scheduler.admit() as waiter:
        async with scheduler.slot(holder):
            task = asyncio.create_task(held_once(scheduler, waiter))
            await turns()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert scheduler.queued == 0
    assert (scheduler.busy, waiter.holding) == (0, 0)


@pytest.mark.parametrize("cancel_first", [True, False])
async def test_cancelled_in_the_turn_in_which_a_slot_is_released(cancel_first: bool) -> None:
    scheduler, _ = scheduler_of(1)
    served: list[int] = []

    async def serve(ticket: Ticket) -> None:
        async with scheduler.slot(ticket):
            served.append(ticket.arrival)

    with scheduler.admit() as holder, scheduler.admit() as cancelled, scheduler.admit() as other:
        held = scheduler.slot(holder)
        await held.__aenter__()
        tasks = [asyncio.create_task(serve(ticket)) for ticket in (cancelled, other)]
        await turns()
        if cancel_first:
            tasks[0].cancel()
            await held.__aexit__(None, None, None)
        else:
            await held.__aexit__(None, None, None)
            tasks[0].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert served == [other.arrival]
    assert (scheduler.busy, scheduler.queued, cancelled.holding, other.holding) == (0, 0, 0, 0)


@pytest.mark.parametrize("seed", range(30))
async def test_nothing_is_lost_and_no_slot_idles_while_somebody_waits(seed: int) -> None:
    chance = random.Random(seed)  # ruff: ignore[suspicious-non-cryptographic-random-usage] - a test is to be the same twice
    scheduler, pool = scheduler_of(chance.randint(1, 4), tenants=[Tenant(name="a", weight=3), Tenant(name="b")])
    waiting = 0

    async def submission() -> None:
        nonlocal waiting
        tenant, priority = chance.choice(["default", "a", "b"]), chance.choice(list(Priority))
        with scheduler.admit(tenant=tenant, priority=priority) as ticket:
            async with asyncio.TaskGroup() as group:
                for _ in range(chance.randint(1, 4)):
                    group.create_task(case(ticket))

    async def case(ticket: Ticket) -> None:
        nonlocal waiting
        waiting += 1
        try:
            async with scheduler.slot(ticket):
                waiting -= 1
                try:
                    await turns(chance.randint(0, 5))
                finally:
                    waiting += 1
        finally:
            waiting -= 1

    tasks = [asyncio.create_task(submission()) for _ in range(12)]
    for _ in range(60):
        await asyncio.sleep(0)
        assert waiting == 0 or scheduler.busy == pool.size or not scheduler.queued
        if chance.random() < 0.3:
            chance.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (scheduler.busy, scheduler.queued, pool.leased, waiting) == (0, 0, 0, 0)
