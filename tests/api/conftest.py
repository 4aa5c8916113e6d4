"""The application over a judge in memory, reached without a network."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest
from fastapi import FastAPI

from scalebox.api.app import create_app
from scalebox.client.mock import MockJudge
from scalebox.config import Settings


@pytest.fixture
def judge() -> MockJudge:
    """A judge that accepts everything."""
    return MockJudge()


@pytest.fixture
def settings() -> Settings:
    """Defaults, with small bodies."""
    return Settings(max_body_mb=1, node="here")


@pytest.fixture
def app(judge: MockJudge, settings: Settings) -> FastAPI:
    """The application."""
    return create_app(judge, settings)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the application."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as opened:
        yield opened
