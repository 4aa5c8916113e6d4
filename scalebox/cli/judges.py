"""`scalebox judges`: the group of commands about special judges. Does nothing itself, and imports them only when one is asked for.

They need the database and the pipeline, which take a third of the time that all of `scalebox` takes to start.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup


class _Group(TyperGroup):
    """The group, its commands found when they are looked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's click, or the one that is installed, by its version
        """Names, in the order in which help shows them."""
        return _commands().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - likewise
        """A command by its name."""
        return _commands().get_command(ctx, cmd_name)


def _commands() -> TyperGroup:
    from scalebox.cli import judges_commands

    group = typer.main.get_command(judges_commands.app)
    assert isinstance(group, TyperGroup)  # ruff: ignore[assert] - there are several commands
    return group


app = typer.Typer(help="Special judges: made by a language model, proved before use.", no_args_is_help=True, cls=_Group)


@app.callback()
def _group() -> None:
    """Special judges: draft, prove, keep and measure them."""
