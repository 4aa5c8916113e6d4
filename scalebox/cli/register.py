"""`scalebox problem register`: hand a problem to a server, print its id. The id is what requests then name as ``problem_id``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalebox.cli.shared import fail, perform
from scalebox.client.client import HttpJudge
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.wire.canonical import read_problem


def command(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A problem, as requests have it in `problem`: JSON.")],
    url: Annotated[str, typer.Option(help="The server.")],
) -> None:
    """Register a problem with a server and print its id; the server's key is SCALEBOX_API_KEY."""
    try:
        settings = load_settings()
    except ConfigError as error:
        fail(str(error))
    if not source.is_file():
        fail(f"there is no file {source}")
    typer.echo(perform(register(source.read_bytes(), url, settings)))


async def register(body: bytes, url: str, settings: Settings) -> str:
    """Register a problem given as JSON; its id.

    Raises:
        RequestError: it is none, or the server refuses it.
        QueueFull: the server has no room for it.
        JudgeUnreachable: nothing usable answers there.
    """
    problem, _ = read_problem(body)
    key = None if settings.api_key is None else settings.api_key.get_secret_value()
    async with HttpJudge(url, api_key=key) as judge:
        return await judge.register(problem)
