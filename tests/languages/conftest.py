"""What the tests of languages in boxes have in common."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.judge.local import LocalJudge


@pytest_asyncio.fixture(scope="module", params=["strict", "standard"])
async def judge(request: pytest.FixtureRequest) -> AsyncGenerator[LocalJudge, None]:
    """A judge of one slot, at one level."""
    try:
        async with open_judge(Settings(slots=1, isolation=request.param)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))
