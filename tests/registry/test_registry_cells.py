"""One registry under the cells of a real server: a change by either cell or by neither reaches both, and no judgement in flight."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

import httpx2
import pytest
from cells.cells_server import cells_server, connections, until
from registry.samples import SUMS, new

from scalebox.registry.store import Registry

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="two cells need two CPUs"),
]
TESTS: Final = [
    {"kind": "stdio", "input": "5\n", "answer": "2 3\n"},
    {"kind": "stdio", "input": "2\n", "answer": "1 1\n"},
]
POSITIVE: Final = f"{SUMS.rstrip()} and min(map(int, numbers)) > 0\n"
"""Refuses the zero that the first version accepts."""
VERDICTS: Final = {1: "AC", 2: "WA", None: "WA"}
"""Of a program that prints the sum and a zero, by the version of the judge; None is the default comparison."""
PROGRAM: Final = "import time\ntime.sleep({seconds})\nprint(int(input()), 0)\n"
CELLS: Final = 2
SLOW_SECONDS: Final = 2.5
"""Longer than a change takes to reach every cell, on a machine that has time."""
Change = Callable[[], Awaitable[object]]


def request(number: int, seconds: float = 0) -> dict[str, Any]:
    """One judgement; no two programs are the same, so that none is shared."""
    source = PROGRAM.format(seconds=seconds) + f"# {number}"
    return {"source": source, "language": "python", "problem": {"tests": TESTS}}


class Service:
    """Two cells by connections that are dealt to one and the other in turn, and what they said."""

    def __init__(self, clients: Sequence[httpx2.AsyncClient]) -> None:
        self.slow, self.quick, self.other = clients[:CELLS], clients[CELLS : 2 * CELLS], clients[2 * CELLS]
        self.used: Counter[int | None] = Counter()
        self._asked = 0

    async def version(self, client: httpx2.AsyncClient, seconds: float = 0) -> int | None:
        """The version of the judge that decided one judgement, by a verdict that only it gives."""
        self._asked += 1
        reply = await client.post("/v1/judge", json=request(self._asked, seconds))
        assert reply.status_code == 200, reply.text
        return self._noted(reply.json())

    async def batch(self, count: int) -> list[int | None]:
        """Likewise of many in one request."""
        lines = [json.dumps(request(self._asked + number)) for number in range(1, count + 1)]
        self._asked += count
        reply = await self.other.post("/v1/judge/batch", content="\n".join(lines))
        return [self._noted(json.loads(line)) for line in reply.text.splitlines()]

    def _noted(self, reply: dict[str, Any]) -> int | None:
        version: int | None = reply["judge"]["version"] if "judge" in reply else None
        assert reply["verdict"] == VERDICTS[version], reply
        self.used[version] += 1
        return version

    async def until_all_say(self, version: int | None) -> None:
        """Wait until every cell judges by a version."""

        async def all_do() -> bool:
            return [await self.version(client) for client in self.quick] == [version] * CELLS

        await until(all_do)

    async def all_busy(self) -> bool:
        """Whether so many slots have work as there are cells."""
        health = (await self.quick[0].get("/healthz")).json()
        return bool(health["slots"]["busy"] >= CELLS)

    async def changed_in_flight(self, before: int | None, change: Change, after: int | None) -> None:
        """A change while every cell judges, and a batch comes in: what began earlier ends by the judge it began with."""
        early = [asyncio.create_task(self.version(client, SLOW_SECONDS)) for client in self.slow]
        await until(self.all_busy)
        batch = asyncio.create_task(self.batch(12))
        await change()
        await self.until_all_say(after)
        assert [await task for task in early] == [before] * CELLS
        assert set(await batch) <= {before, after}

    async def moved(self, cell: int, move: str, reference: str = "split") -> None:
        """Ask a cell for a change, and see that it knows at once."""
        reply = await self.quick[cell].post(f"/v1/judges/{reference}/{move}")
        assert reply.status_code == 200, reply.text
        version = None if move == "retire" else reply.json()["version"]
        assert await self.version(self.quick[cell]) == version


async def test_a_hot_change_reaches_every_cell_and_nothing_in_flight(url: str) -> None:
    registry = Registry(url)
    one, two = (registry.add(new(source))[0].id for source in (SUMS, POSITIVE))
    options = ("--slots", "6", "--cells", str(CELLS))
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(cells_server(*options, environment={"SCALEBOX_JUDGES_URL": url}))
        service = Service(await stack.enter_async_context(connections(await server.url(), 2 * CELLS + 1)))
        await service.until_all_say(None)
        await service.changed_in_flight(None, lambda: service.moved(0, "activate", one), 1)
        await service.changed_in_flight(1, lambda: asyncio.to_thread(registry.activate, two), 2)
        await service.changed_in_flight(2, lambda: service.moved(1, "rollback"), 1)
        await service.changed_in_flight(1, lambda: service.moved(0, "retire"), None)
    uses = {version: registry.get(judge).use.judgements for version, judge in ((1, one), (2, two))}
    assert uses == {version: service.used[version] for version in (1, 2)}  # of both cells, none lost
    states = [change.end.value for change in registry.story(one).changes]
    assert states == ["validated", "active", "retired", "active", "retired"]
    registry.close()
