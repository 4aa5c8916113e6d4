"""`scalebox doctor`: which walls stand here, which do not, why, and how to turn them on; which languages work. Changes nothing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.cli.shared import EXIT_FOUND, chosen_judge, fail, perform
from scalebox.cli.walls import LEVELS, Host, Row, grouped, rows, this_host
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.errors import IsolationUnavailable, SandboxError
from scalebox.core.limits import MIB
from scalebox.core.result import Health
from scalebox.sandbox import scratch
from scalebox.sandbox.level import Level

_WEAKER: Final = ("auto", "none")
"""What is tried after a level that cannot be had, to show what there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was found."""

    health: Health
    refusal: str | None
    """Why the level that was asked for cannot be had; then ``health`` is that of what there is instead."""
    host: Host | None
    """None where another machine was asked."""
    folder: scratch.Place | None
    """Where work folders lie, if the boxes have no file system of their own."""

    @property
    def can_judge(self) -> bool:
        """Whether all is as it was asked for."""
        return self.health.ready and self.refusal is None


def command(
    url: Annotated[str | None, typer.Option(help="Examine this server instead.")] = None,
    isolation: Annotated[str | None, typer.Option(help="Demand strict, standard or none, without --url.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Examine this machine: isolation, slots, toolchains. Ends with 1 when it cannot judge as demanded."""
    try:
        settings = load_settings({"isolation": isolation, "slots": None})
    except ConfigError as error:
        fail(str(error))
    found = perform(examine(url, settings))
    if as_json:
        sys.stdout.write(json.dumps(as_object(found)) + "\n")
    else:
        show(found, Console())
    if not found.can_judge:
        raise typer.Exit(EXIT_FOUND)


async def examine(url: str | None, settings: Settings) -> Examination:
    """Open a judge as the settings say, or a weaker one, and ask it.

    Raises:
        ScaleBoxError: not even the weakest judge can be opened, or nothing answers at the URL.
    """
    refusal = None
    for level in (settings.isolation, *_WEAKER):
        try:
            async with chosen_judge(url, settings.model_copy(update={"isolation": level})) as judge:
                health = await judge.health()
        except (IsolationUnavailable, SandboxError) as error:
            refusal = refusal or str(error)
            continue
        local = url is None
        shared = local and health.isolation.level != Level.STRICT
        return Examination(
            health=health,
            refusal=refusal,
            host=this_host(uid=os.geteuid()) if local else None,
            folder=scratch.choose(health.slots) if shared else None,
        )
    raise IsolationUnavailable(refusal or "no judge can be opened")


def as_object(found: Examination) -> Mapping[str, object]:
    """The findings as a JSON object."""
    health, folder = found.health, found.folder
    return {
        "ready": found.can_judge,
        "refusal": found.refusal,
        "isolation": {"level": health.isolation.level, "walls": list(health.isolation.walls)},
        "walls": [asdict(row) for row in rows(health.isolation, health.missing_walls, found.host)],
        "work_folders": None if folder is None else {**asdict(folder), "has_room": folder.has_room(health.slots)},
        "slots": health.slots,
        "languages": dict(health.languages),
        "version": health.version,
        "node": health.node,
    }


def show(found: Examination, console: Console) -> None:
    """Print what was found."""
    health = found.health
    level = health.isolation.level
    _say(console, f"Node {health.node}, ScaleBox {health.version}, {health.slots} slots.")
    if found.refusal is not None:
        _say(console, f"Refused: {found.refusal}. What follows is what there is.")
    _say(console, f"Isolation: {level} ({LEVELS.get(level, 'a level unknown here')})")
    walls = rows(health.isolation, health.missing_walls, found.host)
    console.print(_table(walls))
    for off in grouped(walls):
        _say(console, f"Off: {off.wall}: {off.why}.\n     To turn it on: {off.turn_on}.")
    if found.folder is not None:
        _say(console, _about_folder(found.folder, health.slots))
    works = [language for language, available in health.languages.items() if available]
    missing = [language for language, available in health.languages.items() if not available]
    _say(console, f"Languages that work: {', '.join(works) or 'none'}")
    if missing:
        _say(console, f"Without a toolchain: {', '.join(missing)} (see: scalebox languages)")
    _say(console, "Ready." if found.can_judge else "Not ready to judge as demanded.")


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def _table(walls: Sequence[Row]) -> Table:
    table = Table("Wall", "On", "Keeps a program from", "Costs a case")
    for row in walls:
        table.add_row(row.wall, "[green]yes[/]" if row.on else "[red]no[/]", escape(row.keeps), row.costs)
    return table


def _about_folder(folder: scratch.Place, slots: int) -> str:
    kind = "memory" if folder.in_memory else "a disk"
    line = f"Work folders lie in {folder.path}: {kind}, {folder.free_bytes // MIB} MiB free."
    if not folder.executable:
        line += " Nothing may be executed from there (noexec), so no compiled program can run: mount it exec."
    if not folder.has_room(slots):
        line += f" That is little: {scratch.BYTES_PER_SLOT // MIB} MiB a slot are wanted."
    return line
