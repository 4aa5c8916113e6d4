"""Rigs at every level of isolation; each is started once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from runner.rig import MODES, Rig, open_rig

from scalebox.core.errors import IsolationUnavailable


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=list(MODES))
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    """One slot, in each mode in turn."""
    try:
        async with open_rig(request.param) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def strict() -> AsyncIterator[Rig]:
    """One slot with every wall."""
    try:
        async with open_rig("strict") as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))
