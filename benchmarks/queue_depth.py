"""What a decision of the scheduler costs, by how much waits: it is to be the same at 10 and at 10,000.

The policy alone: with so many submissions waiting, one ends, the next gets its slot, and a new one comes; a holder asks
whether it should give its slot back after every case. The actor: as many tasks wait for slots that cost nothing, and
each that is served is followed by another. Microseconds of CPU, the least of the rounds.

    python benchmarks/queue_depth.py [--depths 10 1000 10000] [--tenants 1 100] [--json out.json]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Final

from scalebox.core.submission import Priority
from scalebox.core.tenant import Tenant
from scalebox.judge.policy import Policy, Ticket
from scalebox.judge.scheduler import Scheduler

SLOTS: Final = 16
TURNS: Final = 5000
CASE_SECONDS: Final = 0.002
PRIORITIES: Final = tuple(Priority)


class CountedPool:
    """Slots that are only counted."""

    size = SLOTS

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncGenerator[None, None]:
        """One of them."""
        yield


def names_of(tenants: int) -> Sequence[str]:
    """So many names."""
    return [f"tenant{number}" for number in range(tenants)]


def policy_cost(depth: int, tenants: int) -> tuple[float, float]:
    """Seconds for one submission that ends and the next that gets its slot, and for one question whether to give back."""
    names = names_of(tenants)
    policy = Policy(SLOTS, [Tenant(name=name) for name in names])
    now = 0.0

    def come(number: int) -> None:
        policy.ask(policy.enter(names[number % tenants], PRIORITIES[number % 3], now), now)

    for number in range(depth + SLOTS):
        come(number)
    running: list[Ticket] = []
    while (ticket := policy.grant(now)) is not None:
        running.append(ticket)
    began = time.process_time()
    for number in range(TURNS):
        now += CASE_SECONDS
        policy.release(running[number % SLOTS], now)
        granted = policy.grant(now)
        if granted is None:
            raise AssertionError("a slot is free and nobody gets it")
        running[number % SLOTS] = granted
        come(number)
    turned = time.process_time()
    for number in range(TURNS):
        policy.wanted(running[number % SLOTS], now)
    return (turned - began) / TURNS, (time.process_time() - turned) / TURNS


async def actor_cost(depth: int, tenants: int) -> float:
    """Seconds for one submission to be admitted, wait its turn, hold a slot and leave."""
    names = names_of(tenants)
    scheduler = Scheduler(CountedPool(), depth + SLOTS, [Tenant(name=name) for name in names])  # type: ignore[arg-type]
    served = 0
    gate, enough = asyncio.Event(), asyncio.Event()

    async def submissions(number: int) -> None:
        nonlocal served
        while True:
            with scheduler.admit(tenant=names[number % tenants], priority=PRIORITIES[number % 3]) as ticket:
                async with scheduler.slot(ticket):
                    await gate.wait()
                    await asyncio.sleep(0)
                    served += 1
                    if served == TURNS:
                        enough.set()

    tasks = [asyncio.create_task(submissions(number)) for number in range(depth + SLOTS)]
    await asyncio.sleep(0)
    if scheduler.queued != depth:
        message = f"{scheduler.queued} wait where {depth} should"
        raise AssertionError(message)
    gate.set()
    began = time.process_time()
    await enough.wait()
    cost = (time.process_time() - began) / served
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return cost


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depths", type=int, nargs="+", default=[10, 100, 1000, 10_000])
    parser.add_argument("--tenants", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    print(
        f"{'waiting':>8} {'tenants':>8} {'next slot':>10} {'give back?':>11} {'through the actor':>18}   microseconds"
    )
    for tenants in arguments.tenants:
        for depth in arguments.depths:
            pairs = [policy_cost(depth, tenants) for _ in range(arguments.rounds)]
            actor = min(asyncio.run(actor_cost(depth, tenants)) for _ in range(arguments.rounds))
            grant, ask = (1e6 * min(column) for column in zip(*pairs, strict=True))
            row = dict(waiting=depth, tenants=tenants, next_slot_us=grant, give_back_us=ask, actor_us=1e6 * actor)
            rows.append(row)
            print(f"{depth:8} {tenants:8} {grant:10.1f} {ask:11.1f} {1e6 * actor:18.1f}", flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
