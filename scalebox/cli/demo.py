"""`scalebox demo`: judge a handful of example programs in this process and show every verdict. Starts no server.

Fails when any verdict is not the one due, so that it is a test of the installation too.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.cli.examples import Example, Outcome, judge_examples, load_examples, page, select, used
from scalebox.cli.shared import EXIT_FOUND, chosen_judge, perform
from scalebox.config import load_settings
from scalebox.core.ports import Judge
from scalebox.core.result import Health
from scalebox.core.verdict import Verdict

PROBLEMS: Final = Path(__file__).parent / "demo_problems"
MEANING: Final = {
    Verdict.AC: "accepted",
    Verdict.WA: "wrong answer",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.RTE: "runtime error",
    Verdict.CE: "compile error",
}


def command(
    isolation: Annotated[
        str | None, typer.Option(help="Demand a level: strict, standard or none. Default: the strongest to be had.")
    ] = None,
) -> None:
    """Judge example programs, right, wrong, slow and cheating, in one process with no server."""
    if not perform(_demo(isolation)):
        raise typer.Exit(EXIT_FOUND)


async def _demo(isolation: str | None) -> bool:
    examples = load_examples(PROBLEMS)
    settings = load_settings({"isolation": isolation, "queue_limit": len(examples)})
    async with chosen_judge(None, settings) as judge:
        return await show(judge, examples, page())


async def show(judge: Judge, examples: list[Example], console: Console) -> bool:
    """Judge and print; True when every verdict is the one due."""
    health = await judge.health()
    console.print(f"Judging {len(examples)} programs on {health.slots} slots.", highlight=False)
    start = time.monotonic()
    selection = select(examples, await judge.languages(used(examples)), health.isolation.level)
    outcomes = await judge_examples(judge, selection.judged)
    seconds = time.monotonic() - start
    console.print(table(outcomes))
    console.print("; ".join(f"{verdict} {words}" for verdict, words in MEANING.items()), style="dim", highlight=False)
    for line in (*selection.told(), *isolation_lines(health)):
        console.print(line, markup=False, highlight=False)
    as_due = sum(outcome.as_due for outcome in outcomes)
    console.print(f"{as_due} of {len(outcomes)} verdicts are the ones due, in {seconds:.1f} s.", highlight=False)
    return as_due == len(outcomes) > 0


def table(outcomes: list[Outcome]) -> Table:
    """One row a program: what it is, the verdict due, the verdict got."""
    result = Table()
    for heading in ("Problem", "The program", "Due", "Got"):
        result.add_column(heading)
    result.add_column("CPU ms", justify="right")
    result.add_column("Why", overflow="fold")
    for outcome in outcomes:
        example = outcome.example
        result.add_row(
            escape(example.title),
            escape(f"{example.why} ({example.submission.language})"),
            example.due.value,
            f"[{'green' if outcome.as_due else 'bold red'}]{outcome.got or 'none'}[/]",
            f"{outcome.cpu_seconds * 1000:.0f}",
            escape(outcome.reason),
        )
    return result


def isolation_lines(health: Health) -> list[str]:
    """The isolation level in use, and what this machine does not grant."""
    walls = ", ".join(health.isolation.walls) or "none"
    lines = [f"Isolation: {health.isolation.level}. Walls that are up: {walls}."]
    lines += [f"Not up: {wall} ({why})." for wall, why in health.missing_walls.items()]
    return lines
