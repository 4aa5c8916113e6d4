"""A real `scalebox serve --cells` for tests, its log read as it comes. Knows nothing of what is asked of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import httpx2

PATIENCE_SECONDS: Final = 120
"""How long anything may take on a busy machine before a test gives up."""
NO_ENVIRONMENT: Final[Mapping[str, str]] = {}
TEST: Final = {"kind": "stdio", "input": "", "answer": "1"}


class CellsServer:
    """A server with several cells."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.records: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    async def read_log(self) -> None:
        """Collect records until the server ends."""
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            record = json.loads(line) if line.startswith(b"{") else {"event": line.decode(errors="replace")}
            self.records.append(record)
            self._news.set()
        self.records.append({"event": "the log ended"})
        self._news.set()

    async def record(self, wanted: Callable[[dict[str, Any]], bool], count: int = 1) -> dict[str, Any]:
        """The ``count``-th record like that, waited for."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                found = [record for record in self.records if wanted(record)]
                if len(found) >= count:
                    return found[count - 1]
                if self.records and self.records[-1]["event"] == "the log ended":
                    raise AssertionError(f"no such record in {self.records}")
                self._news.clear()
                await self._news.wait()

    async def url(self) -> str:
        """Where it listens, waited for."""
        url: str = (await self.record(lambda record: "url" in record))["url"]
        return url

    async def pid_of(self, cell: int, life: int = 1) -> int:
        """The process of a cell in one of its lives, waited for."""
        up = await self.record(lambda record: record["event"] == "a cell is up" and record["cell"] == cell, life)
        pid: int = up["pid"]
        return pid


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so that nobody tells of."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def cells_server(
    *options: str, environment: Mapping[str, str] = NO_ENVIRONMENT
) -> AsyncGenerator[CellsServer, None]:
    """A server on a free port; it is told to end with the block, and waited for."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "scalebox", "serve", "--port", "0", *options),
        env={**os.environ, "SCALEBOX_LOG_FORMAT": "json", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    server = CellsServer(process)
    reading = asyncio.create_task(server.read_log())
    try:
        yield server
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        await process.wait()
        await reading


@contextlib.asynccontextmanager
async def connections(url: str, count: int) -> AsyncGenerator[Sequence[httpx2.AsyncClient], None]:
    """Clients with one connection each that stays open, opened in order and so dealt out in turn."""
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for _ in range(count):
            limits = httpx2.Limits(
                max_connections=1, keepalive_expiry=None
            )  # else one that waits long comes back to another cell
            client = httpx2.AsyncClient(base_url=url, limits=limits, timeout=PATIENCE_SECONDS)
            clients.append(await stack.enter_async_context(client))
            assert (await client.get("/v1/ping")).status_code == 200
        yield clients


def request(source: str = "print(1)", **more: object) -> dict[str, object]:
    """A request to judge a program that is to print 1."""
    return {"source": source, "language": "python", "problem": {"tests": [TEST]}, "detail": "verdict", **more}


async def judged(client: httpx2.AsyncClient) -> dict[int, int]:
    """How many judgements each cell has made, by the metrics."""
    counts: dict[int, int] = {}
    for line in (await client.get("/metrics")).text.splitlines():
        name, _, rest = line.partition("{")
        if name == "scalebox_judge_seconds_count":
            counts[int(rest.split('"')[1])] = int(float(rest.rpartition(" ")[2]))
    return counts
