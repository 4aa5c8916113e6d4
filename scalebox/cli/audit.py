"""`scalebox audit`: what a data set would do to its own reference solutions. A table, a page, figures and suggestions; changes no data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scalebox.audit.audit import Options, Outcome, audit
from scalebox.audit.figures import Figures, something_wrong
from scalebox.audit.findings import Flaw
from scalebox.audit.page import percent, render, severity, worst_first
from scalebox.audit.suggestions import body
from scalebox.cli.examples import page
from scalebox.cli.shared import EXIT_FOUND, chosen_judge, counting, fail, perform
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.limits import MIB, Limits
from scalebox.rows.read import Line, read_lines
from scalebox.rows.row import ReadOptions
from scalebox.telemetry.build import scalebox_version

ROWS_PER_SLOT: Final = 2
"""In flight, so that one is read while another runs."""
WORST: Final = 10
"""Problems named in the terminal."""
_COLOURS: Final = {"bad": "bold red", "fair": "yellow", "mild": "cyan"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What an audit writes, beside the table."""

    html: Path | None
    suggestions: Path | None
    figures: Path | None
    results: Path | None

    def check(self, source: Path) -> None:
        """End with a clear line where one cannot be written, before anything runs."""
        given = [path for path in (self.html, self.suggestions, self.figures, self.results) if path is not None]
        for path in given:
            if path.is_dir() or not path.parent.is_dir():
                fail(
                    f"{path} cannot be written: {'it is a folder' if path.is_dir() else f'there is no folder {path.parent}'}"
                )
            if path.exists() and path.samefile(source):
                fail(f"{path} is the data set itself; name another file")
        if len({path.resolve() for path in given}) < len(given):
            fail("two outputs have one name; give each its own")


def command(
    source: Annotated[Path, typer.Argument(metavar="DATASET.jsonl[.gz]", help="One problem a line, with a reference.")],
    html: Annotated[Path | None, typer.Option(help="Write the page here.")] = None,
    suggestions: Annotated[Path | None, typer.Option(help="Write what to change here, one line a problem.")] = None,
    figures: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
    results: Annotated[
        Path | None, typer.Option(help="Keep raw results here; what it already has is not run again.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first rows.")] = None,
    repeat: Annotated[int, typer.Option(min=1, max=100, help="Runs of every case; 2 or more tell flaky ones.")] = 1,
    near: Annotated[float, typer.Option(min=0.01, max=1, help="Share of a limit that is near it.")] = 0.5,
    jobs: Annotated[int | None, typer.Option(min=1, help="Rows in flight; default 2 a slot.")] = None,
    reference: Annotated[
        str | None, typer.Option(help="Field of the reference, dotted; default the usual ones.")
    ] = None,
    language: Annotated[str, typer.Option(help="Of references whose row names none.")] = "python",
    cpu_seconds: Annotated[float, typer.Option(min=0.001, max=3600, help="Time limit where a row states none.")] = 10.0,
    memory_mb: Annotated[int, typer.Option(min=1, help="Memory limit in MiB where a row states none.")] = 1024,
    url: Annotated[str | None, typer.Option("--url", "--server", help="Judge on this server instead of here.")] = None,
    slots: Annotated[int | None, typer.Option(help="Programs at once, without --url.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none, without --url.")] = None,
) -> None:
    """Run the reference solutions of a data set and say which problems would reject them, and why.

    Ends with 1 when a row is bad or was not audited, has no cases, or its own checker (tokens where none is declared)
    rejects its reference.
    """
    try:
        settings = load_settings({"slots": slots, "isolation": isolation})
    except ConfigError as error:
        fail(str(error))
    if not source.is_file():
        fail(f"there is no file {source}")
    files = Files(html=html, suggestions=suggestions, figures=figures, results=results)
    files.check(source)
    limits = Limits(cpu_seconds=cpu_seconds, memory_bytes=memory_mb * MIB)
    options = Options(
        read=ReadOptions(language=language, reference=reference, limits=limits), runs=repeat, near=near, jobs=jobs or 0
    )
    outcome = perform(audit_file(source, options, files, limit, url, settings))
    if not outcome.figures.rows:
        fail(f"{source} has no rows")
    write(outcome, source, options, files)
    show(outcome, page())
    if something_wrong(outcome.figures, [problem.report for problem in outcome.problems]):
        raise typer.Exit(EXIT_FOUND)


async def audit_file(
    source: Path, options: Options, files: Files, limit: int | None, url: str | None, settings: Settings
) -> Outcome:
    """Audit a file; ``jobs`` of 0 are two a slot."""
    total = sum(1 for _ in islice(read_lines(source), limit))
    async with chosen_judge(url, settings) as judge:
        jobs = options.jobs or ROWS_PER_SLOT * max(1, (await judge.health()).slots)
        chosen = replace(options, jobs=jobs)
        with counting("auditing", total) as (progress, task):
            lines: Iterable[Line] = islice(read_lines(source), limit)
            return await audit(judge, lines, chosen, files.results, lambda: progress.advance(task))


def write(outcome: Outcome, source: Path, options: Options, files: Files) -> None:
    """Write the files that were asked for."""
    try:
        if files.html is not None:
            files.html.write_text(render(outcome, source.name, facts(outcome.figures, options)), encoding="utf-8")
        if files.suggestions is not None:
            advised = [problem for problem in outcome.problems if problem.advice]
            lines = [to_json(body(problem.report, problem.advice)) + b"\n" for problem in advised]
            files.suggestions.write_bytes(b"".join(lines))
        if files.figures is not None:
            files.figures.write_bytes(to_json(outcome.figures.body(), indent=2) + b"\n")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")


def facts(figures: Figures, options: Options) -> Sequence[str]:
    """What was audited and how, in short sentences."""
    limits = options.read.limits
    runs = "once" if options.runs == 1 else f"{options.runs} times"
    return (
        f"{figures.rows} rows: {figures.audited} problems audited with {figures.cases} cases, {figures.bad_rows} rows "
        f"not readable, {figures.not_audited} not audited.",
        f"Every case ran {runs}. Where a row states no limits: {limits.cpu_seconds:g} s CPU and "
        f"{limits.memory_bytes / MIB:g} MiB. Near a limit: {100 * options.near:g} % of it. ScaleBox {scalebox_version()}.",
    )


def show(outcome: Outcome, console: Console) -> None:
    """Print the tables, the worst problems and the rows that are bad."""
    found = outcome.figures
    console.print(
        f"{found.rows} rows: {found.audited} problems audited with {found.cases} cases, {found.bad_rows} rows not "
        f"readable, {found.not_audited} not audited",
        highlight=False,
    )
    if found.audited:
        console.print(_rejections(found))
        _show_remaining(found, console)
    if any(count.problems for count in found.counts):
        console.print(_counts(found))
    if found.audited and found.runs == 1:
        console.print("Cases that change from run to run were not looked for; --repeat 2 does", style="dim")
    _show_worst(outcome, console)
    _show_bad_rows(outcome, console)


def _show_remaining(found: Figures, console: Console) -> None:
    left = found.remaining
    if not left.total:
        return
    line = (
        f"Of {left.total} that floats rejects by the comparison alone, their own checker accepts {left.own_checker}, a laxer "
        f"comparison {left.other_comparison}, and nothing {left.special_judge}: these need a special judge, or their "
        "reference or answers are wrong"
    )
    console.print(line, highlight=False)


def _show_bad_rows(outcome: Outcome, console: Console) -> None:
    for row in outcome.bad[:WORST]:
        name = f" ({row.id})" if row.id else ""
        where = f" {row.field}:" if row.field else ""
        hint = f" ({row.hint})" if row.hint else ""
        line = f"row {row.number}{name}:{where} {row.message}{hint}"
        console.print(line, markup=False, highlight=False, style="red")
    if len(outcome.bad) > WORST:
        console.print(f"and {len(outcome.bad) - WORST} more rows that could not be read", style="red")


def _rejections(found: Figures) -> Table:
    table = Table("Compared by", title="Own reference rejected")
    for heading in ("Problems", "Rejected", "Share", "By the comparison alone"):
        table.add_column(heading, justify="right")
    for row in found.rejections:
        if not row.compared:
            continue
        table.add_row(row.comparison, str(row.compared), str(row.rejected), percent(row.share), str(row.by_comparison))
    return table


def _counts(found: Figures) -> Table:
    table = Table("Finding", title="Found")
    for heading in ("Problems", "Cases"):
        table.add_column(heading, justify="right")
    for count in found.counts:
        if count.problems:
            table.add_row(_coloured(count.flaw), str(count.problems), str(count.cases or "-"))
    return table


def _coloured(flaw: Flaw) -> str:
    return f"[{_COLOURS[severity(flaw)]}]{flaw}[/]"


def _show_worst(outcome: Outcome, console: Console) -> None:
    problems = worst_first(outcome.problems)
    for problem in problems[:WORST]:
        worst = problem.report.findings[0]
        answer = f"; the answer has '{worst.answer}' there" if worst.answer else ""
        words = escape(f"{' '.join(worst.words.split())}{answer}")
        name = escape(f"row {problem.report.row} ({problem.report.id})")
        console.print(f"{name}: {_coloured(worst.flaw)}: {words}", highlight=False)
    if len(problems) > WORST:
        console.print(f"and {len(problems) - WORST} more; --html has the worst, --suggestions all", style="dim")
