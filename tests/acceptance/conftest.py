"""One judge and one server for all acceptance tests of a session, and the table of what was judged at its end."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest
import pytest_asyncio

from acceptance import plain, shared
from acceptance.judging import TABLE
from acceptance.serving import Server, serving
from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.ports import Judge


def pytest_configure(config: pytest.Config) -> None:
    """The marker of this folder."""
    config.addinivalue_line("markers", "data: judges shared data; SCALEBOX_FULL_DATA=1 takes all of it")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table: one line a set."""
    if not TABLE.rows:
        return
    terminalreporter.section("acceptance over shared data")
    terminalreporter.line(
        f"{'set':32} {'items':>6} {'agree':>6} {'known':>5} {'hardened':>8} {'left out':>8} {'seconds':>8}"
    )
    for row in TABLE.rows:
        terminalreporter.line(
            f"{row.name:32} {row.items:6} {row.agree:6} {row.allowed:5} {row.hardened:8} {row.left_out:8} {row.seconds:8.1f}"
        )


def _needed() -> None:
    """Skip, before anything is started, where a test could do nothing."""
    if not shared.SHARED.is_dir():
        pytest.skip("the shared data is not beside the checkout")
    if not plain.available():
        pytest.skip(f"{plain.PYTHON} is not on this machine")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def judge() -> AsyncIterator[Judge]:
    """A judge on this machine, with the programs' interpreter that the plain runs use."""
    _needed()
    async with open_judge(Settings(python=plain.PYTHON)) as opened:  # type: ignore[arg-type]  # pydantic makes a path of it
        yield opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server() -> AsyncIterator[Server]:
    """A server whose programs run under the interpreter that the plain runs use."""
    _needed()
    async with serving({"SCALEBOX_PYTHON": plain.PYTHON}) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def http(server: Server) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the running server."""
    async with httpx2.AsyncClient(base_url=server.url, timeout=600) as client:
        yield client
