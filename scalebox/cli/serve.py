"""`scalebox serve`: the HTTP service, in one process or several. On SIGTERM or SIGINT it takes no new connection and lets
running requests finish."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
import uvicorn
import uvloop
from fastapi import FastAPI

import scalebox
from scalebox.api.app import create_app
from scalebox.api.judges import OpenRegistry
from scalebox.api.problem_files import ProblemFiles
from scalebox.assembly import open_judge, open_problems, registry_opener, usable_cpus
from scalebox.cells import dispatch, topology
from scalebox.cells.split import CellPlan, plan
from scalebox.cells.supervisor import Launch, Supervisor
from scalebox.cli.shared import fail, perform
from scalebox.config import PREFIX, Settings, TenantSettings, load_settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.judge.history_file import HistoryFile, load_into
from scalebox.judge.local import LocalJudge
from scalebox.sandbox.level import Level
from scalebox.telemetry import logs

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_ORDER_SECONDS: Final = 300.0
"""How often the learned order is written; what is lost with a server that is killed is learned again."""
KEEP_ALIVE_SECONDS: Final = 75
"""Longer than proxies keep an idle connection, so that they close it and never find it closed."""


class DrainingServer(uvicorn.Server):
    """A server whose ``/readyz`` says 503 from the first signal on, and which returns instead of dying of it.

    Args:
        config: with the application in it.
        app: its ``state.service`` is told.
    """

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    def drain(self, number: int) -> None:
        """Begin to end; a second time, end at once."""
        self._app.state.service.draining = True
        self.handle_exit(number, None)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take the signals while serving. They are not raised again: the judge is still to be closed."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.drain, number)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)


def command(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 takes a free one.")] = None,
    slots: Annotated[int | None, typer.Option(help="Programs at once, in all cells together.")] = None,
    cells: Annotated[str | None, typer.Option(help="Processes that share slots and port: a number, or auto.")] = None,
    isolation: Annotated[str | None, typer.Option(help="Demand strict, standard or none.")] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
) -> None:
    """Serve the HTTP API. Every other setting is a SCALEBOX_* variable."""
    given = {"host": host, "port": port, "slots": slots, "cells": cells, "isolation": isolation, "log_level": log_level}
    try:
        settings = load_settings(given)
        plans = plan(topology.read(), usable_cpus(), cells=settings.cells, slots=settings.slots)
    except ScaleBoxError as error:
        fail(str(error))
    logs.configure(settings.log_level, settings.log_format)
    if len(plans) == 1:
        perform(serve(settings), uvloop.run)
    else:
        perform(serve_cells(settings, plans))


async def serve(settings: Settings) -> None:
    """Serve from this process until a signal.

    Raises:
        ScaleBoxError: the judge cannot be opened, or the address cannot be listened on.
    """
    async with open_judge(settings) as judge:
        files = await kept_problems(judge, settings, "memory only; they do not survive a restart")
        app = create_app(judge, settings, files, open_registry=await judges_of(judge, settings))
        server = DrainingServer(server_config(app, settings), app)
        await announce(judge, settings)
        async with warming(judge), keeping_order(judge, settings):
            try:
                await server.serve()
            except SystemExit:  # uvicorn's way to say that it could not start; it has logged why
                message = f"cannot listen on {settings.host}:{settings.port}; set SCALEBOX_PORT or --port to a free one"
                raise ScaleBoxError(message) from None


async def kept_problems(judge: Judge, settings: Settings, otherwise: str) -> ProblemFiles | None:
    """Where registered problems are kept; logged where that is not the state folder.

    Args:
        judge: whose isolation level decides.
        settings: of the service.
        otherwise: what becomes of them where there is no folder.
    """
    health = await judge.health()
    files, elsewhere = await asyncio.to_thread(open_problems, settings, health.isolation.level)
    if elsewhere:
        place = otherwise if files is None else str(files.folder)
        logs.get_logger("serve").warning("registered problems are kept elsewhere", place=place, why=elsewhere)
    return files


async def judges_of(judge: Judge, settings: Settings) -> OpenRegistry | None:
    """What opens the registry of judges, tried where one is named.

    Raises:
        RegistryError: the one that is named cannot be opened.
    """
    health = await judge.health()
    opener = registry_opener(settings, health.isolation.level)
    if opener is not None and settings.judges_url is not None:
        found = await asyncio.to_thread(opener)
        if found is not None:
            await asyncio.to_thread(found.close)
    return opener


@asynccontextmanager
async def warming(judge: LocalJudge) -> AsyncGenerator[None, None]:
    """Make ready in the background what only some requests need."""
    task = asyncio.create_task(judge.warm())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def keeping_order(judge: LocalJudge, settings: Settings) -> AsyncGenerator[None, None]:
    """Start with the order of cases that was learned before, write it now and then, and at the end."""
    health = await judge.health()
    if not (settings.keep_order and settings.learn_order) or health.isolation.level == Level.NONE:
        yield
        return
    file, histories = HistoryFile(settings.state_dir / "learned"), judge.histories
    await asyncio.to_thread(load_into, histories, file)
    written: dict[bytes, int] = {}

    async def write() -> None:
        learned = histories.snapshots(written)
        try:
            await asyncio.to_thread(file.save, learned)
        except Exception as error:  # ruff: ignore[blind-except] - told, and tried again; whatever it is, it must not end the writer
            logs.get_logger("serve").warning("the learned order is not kept", why=str(error) or type(error).__name__)
            return
        written.update((key, snapshot.noted) for key, snapshot in learned)

    async def write_often() -> None:
        while True:
            await asyncio.sleep(_ORDER_SECONDS)
            await write()

    task = asyncio.create_task(write_often())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await write()


def server_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How an application is served."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.drain_seconds,
    )


async def announce(judge: Judge, settings: Settings) -> None:
    """Log what serves."""
    health = await judge.health()
    logs.get_logger("serve").info(
        "serving",
        host=settings.host,
        port=settings.port,
        slots=health.slots,
        isolation=health.isolation.level,
        missing_walls=dict(health.missing_walls),
    )


async def serve_cells(settings: Settings, plans: Sequence[CellPlan]) -> None:
    """Serve from processes of their own until a signal.

    Raises:
        ScaleBoxError: a cell cannot be started, or the address cannot be listened on.
    """
    listeners = dispatch.bind(settings.host, settings.port)
    address = listeners[0].getsockname()
    launch = Launch(
        command=(sys.executable, "-P", "-m", "scalebox.cli.cell"),
        environment=_cell_environment(),
        settings=lambda one: cell_document(settings, one, len(plans)),
        drain_seconds=settings.drain_seconds,
        silence_seconds=settings.cell_silence_seconds,
    )
    host = f"[{address[0]}]" if ":" in address[0] else address[0]

    def opened() -> None:
        logs.get_logger("serve").info("serving", url=f"http://{host}:{address[1]}", cells=len(plans))

    try:
        await Supervisor(plans, launch, listeners).run(opened)
    except OSError as error:
        raise dispatch.cannot_listen(settings.host, settings.port, error) from None


def cell_document(settings: Settings, one: CellPlan, cells: int) -> bytes:
    """What a cell is told: its CPUs, and settings in which what is a total is its share."""
    share = {
        "slots": one.slots,
        "cells": cells,
        "queue_limit": max(1, settings.queue_limit // cells),
        "max_bodies_mb": max(1, settings.max_bodies_mb // cells),
        "compile_cache_mb": settings.compile_cache_mb // cells,
        "problems_memory_mb": max(1, settings.problems_memory_mb // cells),
        "verdict_cache_mb": settings.verdict_cache_mb // cells,
        "api_key": None if settings.api_key is None else settings.api_key.get_secret_value(),
        "judges_url": None if settings.judges_url is None else settings.judges_url.get_secret_value(),
        "tenants": [_tenant_document(tenant, cells) for tenant in settings.tenants],
    }
    return json.dumps({"cpus": one.cpus, "settings": settings.model_dump(mode="json") | share}).encode()


def _tenant_document(tenant: TenantSettings, cells: int) -> dict[str, object]:
    """A tenant as a cell is told of it: with its key, and its share of what it may have."""
    slots, queued = tenant.max_slots, tenant.max_queued
    return tenant.model_dump() | {
        "key": tenant.key.get_secret_value(),
        "max_slots": None if slots is None else max(1, slots // cells),
        "max_queued": None if queued is None else max(1, queued // cells),
    }


def _cell_environment() -> Mapping[str, str]:
    """Ours without the settings, which a cell is told; and the place of this package, wherever it was imported from."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    path = [str(Path(scalebox.__file__).parents[1]), *filter(None, [kept.get("PYTHONPATH")])]
    return kept | {"PYTHONPATH": os.pathsep.join(path)}
