"""`scalebox toolchains`: which compilers and interpreters are here, and how those that are not come here. Asks before it changes anything."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.cli.installing import InstallError, Machine, carry_out, plan, this_machine
from scalebox.cli.shared import chosen_judge, fail, perform
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.result import LanguageStatus
from scalebox.languages.catalogue import Catalogue, load_languages
from scalebox.languages.definition import Install, Language
from scalebox.languages.reading import TOOLS

ALL: Final = "all"

Finder = Callable[[], Machine]

app = typer.Typer(help="The compilers and interpreters of the languages: what is here, and how the rest comes here.")


@app.command("list")
def list_command() -> None:
    """List the toolchains: which work here, their versions, why the others do not, and what installing them takes."""
    try:
        settings = load_settings({"slots": 1})
    except ConfigError as error:
        fail(str(error))
    Console().print(table(perform(_statuses(settings)), load_languages()))


@app.command("install")
def install_command(
    names: Annotated[list[str], typer.Argument(metavar="LANGUAGE…", help=f"Languages, or {ALL}.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Install what languages need, by apt, npm and pip; says first what will be run, and asks."""
    try:
        languages = chosen(names, load_languages())
        install(languages, this_machine, ask=not yes)
    except InstallError as error:
        fail(str(error))


def install(languages: Sequence[Language], find: Finder, *, ask: bool) -> None:
    """Say what will be run, ask, and run it.

    Raises:
        InstallError: it cannot be done here, or a step failed.
    """
    steps = plan(languages, Path(TOOLS), find())
    typer.echo("This will be run:")
    for step in steps:
        typer.echo(f"  {step.shown()}")
    if ask and not sys.stdin.isatty():
        raise InstallError("there is nobody to ask; give --yes to run it")
    if ask and not typer.confirm("Go on?"):
        raise typer.Exit(0)
    carry_out(steps)
    typer.echo("Installed. `scalebox toolchains list` says what works.")


def chosen(names: Sequence[str], catalogue: Catalogue) -> Sequence[Language]:
    """The languages of those names, each once, variants being what they are variants of; before each what it stands on.

    Raises:
        InstallError: no language has that name.
    """
    if ALL in names:
        return [language for language in catalogue if language.install.automatic and language.family == language.id]
    found: dict[str, Language] = {}
    for name in names:
        family = catalogue.families().get(name.strip().lower())
        language = None if family is None else catalogue.get(family)
        if language is None:
            known = ", ".join(one.id for one in catalogue if one.family == one.id)
            raise InstallError(f"there is no language called {name[:80]!r}; there are {ALL}, {known}")
        for needed in language.install.languages:
            below = catalogue.get(needed)
            if below is not None:
                found[below.id] = below
        found[language.id] = language
    return list(found.values())


async def _statuses(settings: Settings) -> Sequence[LanguageStatus]:
    async with chosen_judge(None, settings) as judge:
        return await judge.languages()


def table(statuses: Sequence[LanguageStatus], catalogue: Catalogue) -> Table:
    """One row a language; variants stand with what they are variants of."""
    shown = Table("Id", "Language", "Works", "Version, or why not", "Comes by")
    for status in statuses:
        language = catalogue.get(status.id)
        if language is None or language.family != language.id:
            continue
        works = "[green]yes[/]" if status.available else "[red]no[/]"
        note = status.version if status.available else status.reason
        shown.add_row(status.id, escape(status.name), works, escape(note or ""), escape(means(language.install)))
    return shown


def means(install: Install) -> str:
    """What installs a toolchain, in short."""
    ways = (("with", install.languages), ("apt", install.apt), ("npm", install.npm), ("pip", install.pip))
    return "; ".join(f"{way} {' '.join(packages)}" for way, packages in ways if packages) or "by hand"
