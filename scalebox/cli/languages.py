"""`scalebox languages`: what can be judged, and what is missing to judge the rest."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.cli.shared import chosen_judge, fail, perform
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.result import LanguageStatus
from scalebox.wire.reply_v1 import languages_reply, reply_bytes


def command(
    url: Annotated[str | None, typer.Option(help="Ask this server instead.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As GET /v1/languages replies.")] = False,
) -> None:
    """List the languages: which work here, their versions and names."""
    try:
        settings = load_settings({"slots": 1})
    except ConfigError as error:
        fail(str(error))
    languages = perform(_languages(url, settings))
    if as_json:
        sys.stdout.write(reply_bytes(languages_reply(languages)).decode() + "\n")
        return
    Console().print(table(languages))


async def _languages(url: str | None, settings: Settings) -> Sequence[LanguageStatus]:
    async with chosen_judge(url, settings) as judge:
        return await judge.languages()


def table(languages: Sequence[LanguageStatus]) -> Table:
    """One row a language."""
    shown = Table("Id", "Language", "Works", "Version, or what is missing", "Other names")
    for language in languages:
        works = "[green]yes[/]" if language.available else "[red]no[/]"
        note = language.version if language.available else language.reason
        names = ", ".join(language.aliases)
        shown.add_row(language.id, escape(language.name), works, escape(note or ""), escape(names))
    return shown
