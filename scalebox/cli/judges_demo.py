"""`scalebox judges demo`: two problems to proved judges, with a language model's recorded replies. Needs no model and keeps no file.

Everything is as in earnest: a server of this machine replays what a model once replied, and the drafts are proved in the box. One
of the statements tries to talk the judge into accepting wrong outputs.
"""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer
import uvicorn
from rich.console import Console
from rich.table import Table

from scalebox.cli.examples import page
from scalebox.cli.judges_synthesize import Wishes, work
from scalebox.cli.shared import EXIT_FOUND, fail, perform
from scalebox.config import ConfigError, load_settings
from scalebox.synthesis.domain import ProvedJudge
from scalebox.synthesis.many import Result
from scalebox.synthesis.model.cassette import Cassette
from scalebox.synthesis.model.replay import replay_app

_FOLDER: Final = Path(__file__).parent / "demo_judges"
_SOURCE_LINES: Final = 12


def command(
    slots: Annotated[int | None, typer.Option(help="Programs at once.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none.")] = None,
) -> None:
    """Make judges for two problems from recorded replies, prove them, and show the evidence."""
    try:
        settings = load_settings({"slots": slots, "isolation": isolation, "llm_model": "recorded"})
    except ConfigError as error:
        fail(str(error))

    async def demo() -> list[Result]:
        with tempfile.TemporaryDirectory(prefix="scalebox-judges-") as folder:
            async with _replaying() as url:
                chosen = settings.model_copy(update={"llm_url": url})
                return await work(
                    _FOLDER / "problems.jsonl", None, None, chosen, replace(Wishes(out=Path(folder)), tries=1)
                )

    results = perform(demo())
    for result in results:
        if isinstance(result, ProvedJudge):
            _show(result, page())
    if not all(isinstance(result, ProvedJudge) for result in results):
        raise typer.Exit(EXIT_FOUND)


@asynccontextmanager
async def _replaying() -> AsyncGenerator[str, None]:
    """The URL of a server that replays the demo's replies."""
    cassette = await asyncio.to_thread(Cassette, _FOLDER / "cassette.jsonl")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(replay_app(cassette), log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        finally:
            server.should_exit = True
            await task


def _show(judge: ProvedJudge, console: Console) -> None:
    """A judge, and what it was tried with."""
    table = Table("Tried with", title=f"{judge.problem_name}: {judge.classification.category.value}")
    for heading in ("Outputs", "Open to debate"):
        table.add_column(heading, justify="right")
    for trial, tally in judge.proof.tallies.items():
        table.add_row(trial.value, str(tally.tried), str(tally.undecided or ""))
    console.print(table)
    how = (
        f"template {judge.draft.template} {dict(judge.draft.parameters)}"
        if judge.draft.template
        else judge.draft.source
    )
    lines = how.strip().splitlines()
    more = [f"… {len(lines) - _SOURCE_LINES} lines more"] if len(lines) > _SOURCE_LINES else []
    console.print("\n".join([*lines[:_SOURCE_LINES], *more]) + "\n", markup=False, highlight=False)
