"""What the tests of judge synthesis share: a judge on this machine, and small problems that want a special judge."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.ports import Judge


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def judge(settings: Settings) -> AsyncIterator[Judge]:
    """At the strongest level this machine grants."""
    try:
        async with open_judge(settings) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))
