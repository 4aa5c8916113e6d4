"""`scalebox problem verify`: judge the submissions of a problem package and hold the verdicts against the jury's. Changes no file.

Where the package states no time limit, its accepted submissions are judged first, with a generous limit, and the limit
follows from the slowest of them by the package's own rule.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.cli.examples import page, reason_of
from scalebox.cli.shared import EXIT_FOUND, chosen_judge, describe, fail, perform
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.limits import MIB
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem, ProgramChecker
from scalebox.core.result import Judgement
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import EVIDENCE, Verdict
from scalebox.languages.catalogue import load_languages
from scalebox.packages.grading import best_score, grade
from scalebox.packages.load import load_package
from scalebox.packages.package import Due, JurySubmission, Package, PackageError
from scalebox.packages.verdicts import ACCEPTED

GENEROUS_CPU_SECONDS: Final = 30.0
"""For accepted submissions, while there is no time limit yet."""
DEADLINE_SECONDS: Final = 3600.0

app = typer.Typer(help="Problems: packages of juries, and those that a server keeps.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Problem packages of juries (Kattis and ICPC packages, Polygon-like directories), and problems that a server keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one submission."""

    submission: JurySubmission
    got: Verdict | None = None
    """None when it was not judged."""
    as_due: bool = False
    slowest_seconds: float = 0.0
    """CPU time of its slowest case."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a verification found, in the order of the package's submissions."""

    rows: Sequence[Row]
    cpu_seconds: float
    """The time limit that was used."""

    @property
    def judged(self) -> list[Row]:
        """The rows of what could be judged here."""
        return [row for row in self.rows if row.submission.skip is None]

    @property
    def wrong(self) -> list[Row]:
        """The rows whose verdict is not the one due."""
        return [row for row in self.judged if not row.as_due]


@app.command("verify")
def verify_command(
    directory: Annotated[Path, typer.Argument(help="A package: the folder with problem.yaml or problem.xml.")],
    time_limit: Annotated[
        float | None, typer.Option(min=0.001, max=3600, help="CPU seconds, instead of the package's own limit.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Judge on this server instead of here.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none, without --url.")] = None,
) -> None:
    """Judge every submission of a package; ends with 1 when a verdict is not the one its folder promises."""
    try:
        package = load_package(directory, language_names())
        settings = load_settings({"isolation": isolation})
    except (ConfigError, PackageError) as error:
        fail(str(error))
    if time_limit is not None:
        package = replace(package, timing=replace(package.timing, stated_seconds=time_limit))
    verification = perform(_verify(package, url, settings))
    report(package, verification, page())
    if verification.wrong or not verification.judged:
        raise typer.Exit(EXIT_FOUND)


def language_names() -> dict[str, str]:
    """Names and suffixes of every language, in lower case -> id; a suffix is the language's of that name, else of its source's."""
    catalogue = load_languages()
    names = {name.lower(): language for name, language in catalogue.aliases().items()}
    names |= {f".{name}": language for name, language in names.items()}
    return {Path(language.source_name).suffix.lower(): language.id for language in catalogue} | names


async def _verify(package: Package, url: str | None, settings: Settings) -> Verification:
    async with chosen_judge(url, settings) as judge:
        return await verify(judge, package, stop_on_failure=url is None and package.grading is None)


async def verify(judge: Judge, package: Package, *, stop_on_failure: bool) -> Verification:
    """Judge what can be judged here.

    Args:
        judge: any judge.
        package: with its time limit stated or not.
        stop_on_failure: end each judgement at the first failing case in case order; only a judge that keeps to
            that order, and a package that counts no scores, may be asked to.
    """
    languages = await judge.languages({submission.language for submission in package.submissions})
    missing = {status.id: status.reason or "its toolchain is missing" for status in languages if not status.available}
    submissions = [_unless_missing(submission, missing) for submission in package.submissions]
    options = JudgeOptions(stop_on_failure=stop_on_failure, in_order=True, deadline_seconds=DEADLINE_SECONDS)
    limit, rows = package.timing.stated_seconds, dict[int, Row]()
    if limit is None:
        accepted = [place for place, jury in enumerate(submissions) if jury.due == ACCEPTED]
        generous = _limited(package, GENEROUS_CPU_SECONDS)
        rows = await _judge_all(judge, generous, {place: submissions[place] for place in accepted}, options)
        limit = package.timing.limit_seconds(
            max((row.slowest_seconds for row in rows.values() if row.as_due), default=0.0)
        )
    # an accepted submission that was tried is within the limit by the way it was computed, or is not AC anyway
    others = {place: jury for place, jury in enumerate(submissions) if place not in rows}
    rows |= await _judge_all(judge, _limited(package, limit), others, options)
    return Verification(rows=[rows[place] for place in range(len(submissions))], cpu_seconds=limit)


def _unless_missing(submission: JurySubmission, missing: Mapping[str, str]) -> JurySubmission:
    if submission.skip is not None or submission.language not in missing:
        return submission
    return replace(submission, skip=f"{submission.language}: {missing[submission.language]}")


def _limited(package: Package, cpu_seconds: float) -> Package:
    limits = replace(package.problem.limits, cpu_seconds=cpu_seconds)
    return replace(package, problem=replace(package.problem, limits=limits))


async def _judge_all(
    judge: Judge, package: Package, submissions: Mapping[int, JurySubmission], options: JudgeOptions
) -> dict[int, Row]:
    """Judge submissions, each under its place in the package."""
    async with asyncio.TaskGroup() as group:
        tasks = {
            place: group.create_task(_judge_one(judge, package, jury, options)) for place, jury in submissions.items()
        }
    return {place: task.result() for place, task in tasks.items()}


async def _judge_one(judge: Judge, package: Package, jury: JurySubmission, options: JudgeOptions) -> Row:
    if jury.skip is not None or jury.submission is None or jury.due is None:
        return Row(submission=jury, why=jury.skip or "")
    try:
        judgement = await judge.judge(jury.submission, package.problem, options)
    except ScaleBoxError as error:
        return Row(submission=jury, why=describe(error))
    return row_of(jury, jury.due, judgement, package)


def row_of(jury: JurySubmission, due: Due, judgement: Judgement, package: Package) -> Row:
    """Hold one judgement against the verdict due, by the package's own grading where it has one."""
    verdict, reason, in_part = judgement.verdict, _reason(judgement), False
    if package.grading is not None and verdict in EVIDENCE and verdict is not Verdict.CE:
        graded = grade(package.grading, judgement.cases)
        best = best_score(package.grading, len(package.problem.tests))
        verdict, in_part = graded.verdict, graded.score < best
        reason = "; ".join(filter(None, (f"{graded.score:g} of {best:g} points", reason)))
    return Row(
        submission=jury,
        got=verdict,
        as_due=verdict in due.verdicts and (in_part or not due.partial),
        slowest_seconds=max((case.usage.cpu_seconds for case in judgement.cases), default=0.0),
        why=reason,
    )


def _reason(judgement: Judgement) -> str:
    """Why, with the name of the case that decided."""
    case = next((case for case in judgement.cases if case.verdict is judgement.verdict), None)
    reason = reason_of(judgement)
    if case is None or judgement.verdict in {Verdict.AC, Verdict.CE}:
        return reason
    return f"{case.name}: {reason}" if reason else case.name


def report(package: Package, verification: Verification, console: Console) -> None:
    """Print what the package is, one row a submission, and a closing line."""
    problem = package.problem
    limit = f"{verification.cpu_seconds:g} s CPU" + ("" if package.timing.stated_seconds else " (computed)")
    console.print(
        f"{package.name}: {package.format}, {len(problem.tests)} cases, {_comparison(problem)}, {limit}, "
        f"{problem.limits.memory_bytes / MIB:g} MiB",
        markup=False,
        highlight=False,
    )
    for note in package.notes:
        console.print(f"Note: {note}", markup=False, highlight=False)
    console.print(_table(verification.rows))
    right = len(verification.judged) - len(verification.wrong)
    skipped = len(verification.rows) - len(verification.judged)
    console.print(f"{right} as due, {len(verification.wrong)} not as due, {skipped} skipped", highlight=False)


def _comparison(problem: Problem) -> str:
    """What decides, in a few words."""
    if problem.interactor is not None:
        return f"{problem.interactor.protocol} interactor"
    if isinstance(problem.checker, ProgramChecker):
        return f"{problem.checker.protocol} checker"
    return f"checker {problem.checker.name}"


def _table(rows: Sequence[Row]) -> Table:
    table = Table()
    table.add_column("Submission", overflow="fold")
    for heading in ("Language", "Due", "Got"):
        table.add_column(heading)
    table.add_column("Slowest s", justify="right")
    table.add_column("Why", overflow="fold")
    for row in rows:
        jury = row.submission
        skipped = jury.skip is not None
        colour = "dim" if skipped else "green" if row.as_due else "bold red"
        table.add_row(
            escape(jury.name),
            escape(jury.language),
            "-" if jury.due is None else str(jury.due),
            f"[{colour}]{'skipped' if skipped else row.got or 'none'}[/]",
            "" if row.got is None else f"{row.slowest_seconds:.2f}",
            escape(row.why),
        )
    return table
