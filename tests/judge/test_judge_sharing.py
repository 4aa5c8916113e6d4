"""Work under way is done once for all who wait; nobody's patience is anybody else's."""

from __future__ import annotations

import asyncio

import pytest

from scalebox.judge.sharing import Flight, Flights


class Work:
    """Work that ends when it is told to."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = 0
        self.gate = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(self, carried: list[str]) -> None:
        self.begun += 1
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error is not None:
            raise self.error
        carried.append("done")


async def joined(flights: Flights[list[str]], work: Work, key: str | None) -> list[str]:
    """What a flight brought, one's own or another's."""
    flight: Flight[list[str]] | None = None if key is None else flights.find(key)
    if flight is None:
        flight = flights.start(key, [], work)
    await flight.land()
    return flight.carried


async def turns(count: int = 5) -> None:
    """Let others go on."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_one_run_for_all_who_wait() -> None:
    flights, work = Flights[list[str]](), Work()
    tasks = [asyncio.create_task(joined(flights, work, "k")) for _ in range(5)]
    await turns()
    work.gate.set()
    brought = await asyncio.gather(*tasks)
    assert work.begun == 1
    assert brought == [["done"]] * 5
    assert flights.find("k") is None
    await joined(flights, work, "k")
    assert work.begun == 2  # nothing is kept


@pytest.mark.parametrize("keys", [["a", "b"], [None, None]])
async def test_other_keys_and_none_are_never_shared(keys: list[str | None]) -> None:
    flights, work = Flights[list[str]](), Work()
    work.gate.set()
    await asyncio.gather(*(joined(flights, work, key) for key in keys))
    assert work.begun == 2


@pytest.mark.parametrize("leaver", [0, 1])
async def test_it_goes_on_for_the_others_when_one_leaves(leaver: int) -> None:
    flights, work = Flights[list[str]](), Work()
    tasks = [asyncio.create_task(joined(flights, work, "k")) for _ in range(2)]
    await turns()
    tasks[leaver].cancel()
    await turns()
    assert (work.cancelled, tasks[1 - leaver].done()) == (0, False)
    work.gate.set()
    assert await tasks[1 - leaver] == ["done"]
    assert tasks[leaver].cancelled()


async def test_the_last_to_leave_ends_it_and_whoever_comes_then_starts_anew() -> None:
    flights, work = Flights[list[str]](), Work()
    tasks = [asyncio.create_task(joined(flights, work, "k")) for _ in range(3)]
    await turns()
    for task in tasks:
        task.cancel()
    late = asyncio.create_task(joined(flights, work, "k"))
    await asyncio.gather(*tasks, return_exceptions=True)
    assert work.cancelled == 1
    await turns()
    work.gate.set()
    assert await late == ["done"]
    assert work.begun == 2


async def test_deadlines_are_each_ones_own() -> None:
    flights, work = Flights[list[str]](), Work()
    patient = asyncio.create_task(joined(flights, work, "k"))
    await turns()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await joined(flights, work, "k")
    work.gate.set()
    assert await patient == ["done"]
    assert work.begun == 1


async def test_an_error_reaches_everybody() -> None:
    flights, work = Flights[list[str]](), Work()
    work.error = KeyError("x")
    tasks = [asyncio.create_task(joined(flights, work, "k")) for _ in range(3)]
    await turns()
    work.gate.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(error) for error in found] == [KeyError] * 3
