"""`scalebox selftest`: judge the shipped corpus of right and wrong programs. Fails when any verdict is not the one due.

The judge is one of its own in this process, or with ``--url`` a server.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.cli.examples import Example, Outcome, Selection, judge_examples, load_examples, page, select, used
from scalebox.cli.shared import EXIT_FOUND, chosen_judge, perform
from scalebox.config import load_settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.core.result import Isolation

CORPUS: Final = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a selftest found out."""

    outcomes: Sequence[Outcome]
    selection: Selection
    isolation: Isolation
    seconds: float

    @property
    def wrong(self) -> list[Outcome]:
        """The outcomes that are not the ones due."""
        return [outcome for outcome in self.outcomes if not outcome.as_due]

    def missing(self, languages: Sequence[str]) -> set[str]:
        """The languages asked for by name of which nothing could be judged."""
        return set(languages) - {outcome.example.submission.language for outcome in self.outcomes}


def command(
    language: Annotated[
        list[str] | None, typer.Option(help="Only this language, and fail if it is missing; may be repeated.")
    ] = None,
    isolation: Annotated[
        str | None, typer.Option(help="Demand a level: strict, standard or none. Default: the strongest to be had.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Examine this server instead.")] = None,
) -> None:
    """Judge the programs shipped with ScaleBox and compare the verdicts with those due."""
    findings = perform(_findings(language or [], isolation, url))
    report(findings, page())
    if findings.wrong or not findings.outcomes or findings.missing(language or []):
        raise typer.Exit(EXIT_FOUND)


async def _findings(languages: Sequence[str], isolation: str | None, url: str | None) -> Findings:
    examples = only(load_examples(CORPUS), languages)
    settings = load_settings({"isolation": isolation, "queue_limit": len(examples)})
    async with chosen_judge(url, settings) as judge:
        return await examine(judge, examples)


def only(examples: Sequence[Example], languages: Sequence[str]) -> list[Example]:
    """The examples in these languages; all where none is named.

    Raises:
        ScaleBoxError: the corpus has nothing in a language named.
    """
    known = sorted({example.submission.language for example in examples})
    for name in languages:
        if name not in known:
            msg = f"--language {name}: the corpus has {', '.join(known)}"
            raise ScaleBoxError(msg)
    return [example for example in examples if not languages or example.submission.language in languages]


async def examine(judge: Judge, examples: Sequence[Example]) -> Findings:
    """Judge what can be judged here."""
    start = time.monotonic()
    isolation = (await judge.health()).isolation
    selection = select(examples, await judge.languages(used(examples)), isolation.level)
    outcomes = await judge_examples(judge, selection.judged)
    return Findings(outcomes=outcomes, selection=selection, isolation=isolation, seconds=time.monotonic() - start)


def report(findings: Findings, console: Console) -> None:
    """Print the verdicts that are not the ones due, what was left out and why, and one closing line."""
    if findings.wrong:
        console.print(_table(findings.wrong))
    walls = ", ".join(findings.isolation.walls) or "none"
    isolation = f"Isolation: {findings.isolation.level}. Walls that are up: {walls}. It took {findings.seconds:.1f} s."
    for line in (*findings.selection.told(), isolation):
        console.print(line, markup=False, highlight=False)
    right = len(findings.outcomes) - len(findings.wrong)
    console.print(
        f"{right} passed, {len(findings.wrong)} failed, {len(findings.selection.skipped)} skipped", highlight=False
    )


def _table(wrong: Sequence[Outcome]) -> Table:
    table = Table(title="verdicts that are not the ones due", title_justify="left")
    for heading in ("program", "which", "due", "got", "reason given"):
        table.add_column(heading, overflow="fold")
    for outcome in wrong:
        example = outcome.example
        cells = (example.name, example.why, example.due.value, outcome.got or "-", outcome.reason)
        table.add_row(*map(escape, cells))
    return table
