"""The same verdicts on an idle machine, under four times as much work as there are CPUs, and with a full queue: CPU time judges."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import JudgeOptions, Submission

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]

PROGRAMS: Final = 200 if os.environ.get("SCALEBOX_HOSTILE") == "all" else 16
CPU_SECONDS: Final = 0.2
SHARES: Final = (0.1, 0.4, 0.7)
"""Of the limit that a program uses, by its own clock, so that a slow CPU is no slower for it."""
HOGS_PER_CPU: Final = 4
DEADLINE_SECONDS: Final = 3600.0
PROBLEM: Final = Problem(
    tests=[StdioCase(name=str(share), input=b"%f" % (share * CPU_SECONDS), answer=b"done\n") for share in SHARES],
    limits=Limits(cpu_seconds=CPU_SECONDS),
)
HONEST: Final = "import time\nend = float(input())\nwhile time.process_time() < end: pass\nprint('done')"
ENDLESS: Final = "while True: pass"


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["strict", "standard"])
async def judge(request: pytest.FixtureRequest) -> AsyncIterator[Judge]:
    """A judge with a slot a CPU and a queue that takes all at once."""
    try:
        async with open_judge(Settings(isolation=request.param, queue_limit=2 * PROGRAMS)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@contextlib.asynccontextmanager
async def hogs() -> AsyncGenerator[None, None]:
    """Processes outside every box that want all the CPUs, several times over."""
    count = HOGS_PER_CPU * len(os.sched_getaffinity(0))
    processes = [await asyncio.create_subprocess_exec(sys.executable, "-S", "-c", ENDLESS) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            await process.wait()


async def verdicts(judge: Judge, width: int) -> list[str]:
    """Those of all programs, so many submitted at once; each is one text of its own."""
    gate = asyncio.Semaphore(width)

    async def one(number: int) -> str:
        source = f"{HONEST}  # {number}" if number % 8 else f"{ENDLESS}  # {number}"
        async with gate:
            options = JudgeOptions(deadline_seconds=DEADLINE_SECONDS, stop_on_failure=True)
            judgement = await judge.judge(Submission(source=source, language="python"), PROBLEM, options)
        return judgement.verdict.value

    return list(await asyncio.gather(*map(one, range(PROGRAMS))))


DUE: Final = ["AC" if number % 8 else "TLE" for number in range(PROGRAMS)]


async def test_on_an_idle_machine(judge: Judge) -> None:
    assert await verdicts(judge, 1) == DUE


async def test_with_a_full_queue(judge: Judge) -> None:
    assert await verdicts(judge, PROGRAMS) == DUE


async def test_under_four_times_the_work(judge: Judge) -> None:
    async with hogs():
        assert await verdicts(judge, PROGRAMS) == DUE
