"""`scalebox judges replay`: serve recorded replies as a model, or record those of another endpoint. Listens on this machine only."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from scalebox.cli.shared import fail, perform
from scalebox.synthesis.model.cassette import Cassette
from scalebox.synthesis.model.replay import open_forward, replay_app


def command(
    cassette: Annotated[Path, typer.Argument(metavar="CASSETTE.jsonl[.gz]", help="Recorded replies.")],
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8090,
    record_from: Annotated[
        str | None, typer.Option(help="Ask this endpoint what is not on the cassette, and record it.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=86400, help="For one reply, with --record-from.")] = 600,
) -> None:
    """Serve an OpenAI-compatible endpoint at http://127.0.0.1:PORT/v1 that replies what was recorded."""
    if record_from is None and not cassette.is_file():
        fail(f"there is no file {cassette}; --record-from URL makes one")
    perform(_serve(cassette, port, record_from, seconds))


async def _serve(path: Path, port: int, record_from: str | None, seconds: float) -> None:
    async with AsyncExitStack() as stack:
        forward = None if record_from is None else await stack.enter_async_context(open_forward(record_from, seconds))
        cassette = await asyncio.to_thread(Cassette, path)
        config = uvicorn.Config(replay_app(cassette, forward), host="127.0.0.1", port=port, log_level="warning")
        typer.echo(f"{len(cassette)} replies at http://127.0.0.1:{port}/v1", err=True)
        await uvicorn.Server(config).serve()
