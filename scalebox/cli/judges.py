"""`scalebox judges`: the group of commands about special judges. Registers them; does nothing itself."""

from __future__ import annotations

import typer

from scalebox.cli import judges_demo, judges_replay, judges_synthesize

app = typer.Typer(help="Special judges: made by a language model, proved before use.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Special judges: draft, prove, keep and measure them."""


app.command("synthesize")(judges_synthesize.command)
app.command("demo")(judges_demo.command)
app.command("replay")(judges_replay.command)
