"""A real server for tests: ``scalebox serve`` in a process of its own. Knows nothing of what is asked of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

SERVER_SECONDS: Final = 60
"""How long a server may take to start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running server."""

    url: str
    pid: int


@contextlib.asynccontextmanager
async def serving(environment: Mapping[str, str], launcher: Sequence[str] = ()) -> AsyncGenerator[Server, None]:
    """A server on a free port; it is told to end with the block, and waited for.

    Args:
        environment: what it has beside our own.
        launcher: a command that starts it, if there is one.
    """
    command = [*launcher, sys.executable, "-m", "scalebox", "serve", "--port", "0"]
    process = await asyncio.create_subprocess_exec(
        *command,
        env={**os.environ, "SCALEBOX_LOG_FORMAT": "json", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    drain: asyncio.Task[None] | None = None
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            url = await _announced(process.stdout)
        drain = asyncio.create_task(_drain(process.stdout))
        yield Server(url=url, pid=process.pid)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()
        if drain is not None:
            await drain


async def _announced(stream: asyncio.StreamReader) -> str:
    """The address in the server's log."""
    seen = []
    while line := await stream.readline():
        seen.append(line.decode(errors="replace"))
        if found := re.search(r"http://127\.0\.0\.1:(?!0\b)\d+", seen[-1]):
            return found[0]
    message = "the server ended before it listened:\n" + "".join(seen)
    raise AssertionError(message)


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.readline():
        pass
