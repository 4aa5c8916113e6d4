"""The `scalebox` command. Registers the commands; each lives in a module of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from scalebox.cli import (
    audit,
    demo,
    doctor,
    judge,
    judges,
    languages,
    problem,
    register,
    run,
    selftest,
    serve,
    toolchains,
)
from scalebox.telemetry.build import scalebox_version

app = typer.Typer(
    name="scalebox",
    help="True verdicts for programs written by language models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(scalebox_version())
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Options that come before the command."""


app.command("judge")(judge.command)
app.command("run")(run.command)
app.command("audit")(audit.command)
app.command("serve")(serve.command)
app.command("languages")(languages.command)
app.command("doctor")(doctor.command)
app.command("selftest")(selftest.command)
app.command("demo")(demo.command)
problem.app.command("register")(register.command)
app.add_typer(problem.app, name="problem")
app.add_typer(judges.app, name="judges")
app.add_typer(toolchains.app, name="toolchains")


def main() -> None:
    """Run the command line."""
    app()
