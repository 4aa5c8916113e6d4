"""The HTTP application over a ``Judge``. Builds no judge, reads no environment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import monotonic

from fastapi import FastAPI

from scalebox.api import docs, errors, routes_judges, routes_legacy, routes_problems, routes_v1
from scalebox.api.front import Front
from scalebox.api.judges import OpenRegistry
from scalebox.api.neighbours import Neighbours
from scalebox.api.problem_files import ProblemFiles
from scalebox.api.service import Service
from scalebox.api.settings import ServiceSettings
from scalebox.core.ports import Judge
from scalebox.telemetry.build import scalebox_version


def create_app(
    judge: Judge,
    settings: ServiceSettings,
    files: ProblemFiles | None = None,
    neighbours: Neighbours | None = None,
    open_registry: OpenRegistry | None = None,
) -> FastAPI:
    """The application.

    Args:
        judge: decides; it stays its maker's to close.
        settings: of the service; ``scalebox.config.Settings`` fits.
        files: keeps registered problems on disk; None where memory alone does.
        neighbours: the other cells of this server, if it has any.
        open_registry: opens the registry of judges; None where the service has none.

    Returns:
        An application whose ``state.service`` has ``draining``, to be set when no new work is welcome.
    """
    service = Service(judge, settings, files, neighbours, open_registry)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        await service.judges.refresh()
        watch = asyncio.create_task(service.judges.watch())
        try:
            yield
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
            await service.aclose()

    app = FastAPI(
        title="ScaleBox",
        version=scalebox_version(),
        description="True verdicts for programs written by language models.",
        lifespan=lifespan,
        redoc_url=None,
    )
    app.state.service = service
    errors.install(app)
    docs.install(app)
    app.include_router(routes_v1.router(service))
    app.include_router(routes_problems.router(service))
    app.include_router(routes_judges.router(service))
    app.include_router(routes_legacy.router(service))
    app.add_middleware(Front, service=service, keys=settings.keys(), clock=monotonic)
    return app
