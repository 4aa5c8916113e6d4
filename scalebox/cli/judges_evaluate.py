"""`scalebox judges evaluate`: how often judges are right on outputs and submissions whose worth is known. Tables, a page, figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.table import Table

from scalebox.assembly import open_registry
from scalebox.checkers.catalogue import CHECKERS
from scalebox.cli.examples import page as wide_page
from scalebox.cli.judges_registry import Url, settings_of, shown_rate, who
from scalebox.cli.run import language_of
from scalebox.cli.shared import chosen_judge, counting, fail, perform
from scalebox.config import Settings
from scalebox.core.errors import RequestError
from scalebox.core.problem import CheckerProtocol, CheckerSpec, ProgramChecker, ProgramText
from scalebox.registry import exchange
from scalebox.registry.entry import Filter, JudgeVersion, by_name
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.rows.fields import parse_line
from scalebox.rows.read import read_lines
from scalebox.synthesis.measuring import page
from scalebox.synthesis.measuring.labels import Labelled, read_outputs, read_problems
from scalebox.synthesis.measuring.measure import Contestant, Measured, measure, needed_limits
from scalebox.telemetry.build import scalebox_version

OWN: Final = "own"
REGISTRY: Final = "registry"
NEWEST: Final = "newest"
_FUNCTION: Final = "def validate_solution"
SHOWN: Final = 5
"""Mistakes of each judge in the terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What becomes of what is measured of registered judges."""

    record: bool
    least_tpr: float | None
    least_tnr: float | None
    measured_on: str


def command(
    judges: Annotated[
        list[str],
        typer.Argument(
            metavar="JUDGE...",
            help="Each is: id of a judge; registry (those in use); newest; own (what rows declare); exact, lines, tokens, "
            "floats, …; a program's file, with a protocol before it where that is not plain (testlib:check.cpp); "
            "a .jsonl file of judges. NAME=JUDGE names it.",
        ),
    ],
    problems: Annotated[
        Path | None, typer.Option(help="Problems with cases, and perhaps labelled submissions and outputs.")
    ] = None,
    outputs: Annotated[Path | None, typer.Option(help="Labelled outputs, one a line.")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Only this problem; may be repeated.")] = None,
    submissions: Annotated[bool, typer.Option(help="Judge the labelled submissions, too.")] = True,
    html: Annotated[Path | None, typer.Option(help="Write the page here.")] = None,
    figures: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
    record: Annotated[bool, typer.Option(help="Keep the rates of registered judges in the registry.")] = False,
    least_tpr: Annotated[
        float | None, typer.Option("--min-tpr", min=0, max=1, help="With --min-tnr: drafts as good are validated.")
    ] = None,
    least_tnr: Annotated[float | None, typer.Option("--min-tnr", min=0, max=1, help="Likewise.")] = None,
    cpu_seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="For submissions whose row states none.")] = 30,
    jobs: Annotated[int | None, typer.Option(min=1, help="Problems in flight; default 2 a slot.")] = None,
    registry: Url = None,
    url: Annotated[str | None, typer.Option("--url", "--server", help="Judge on this server instead of here.")] = None,
    slots: Annotated[int | None, typer.Option(help="Programs at once, without --url.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none, without --url.")] = None,
) -> None:
    """Measure judges: true positive and true negative rate, with intervals, by problem, with the mistakes."""
    settings = settings_of(registry, slots=slots, isolation=isolation)
    if problems is None and outputs is None:
        fail("on what? give --problems, --outputs or both")
    if (least_tpr is None) != (least_tnr is None):
        fail("--min-tpr and --min-tnr go together")
    for path in (problems, outputs):
        if path is not None and not path.is_file():
            fail(f"there is no file {path}")
    for path in (html, figures):
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            fail(f"{path} cannot be written")
    measured_on = " and ".join(path.name for path in (outputs, problems) if path is not None)
    recording = Recording(record=record, least_tpr=least_tpr, least_tnr=least_tnr, measured_on=measured_on)
    measured, lost = perform(
        _work(judges, problems, outputs, only or [], submissions, cpu_seconds, jobs, url, settings, recording)
    )
    facts = _facts(measured, measured_on, lost)
    if html is not None:
        html.write_text(page.render(measured, facts), encoding="utf-8")
    if figures is not None:
        figures.write_bytes(to_json(page.figures(measured), indent=2) + b"\n")
    _show(measured, facts, wide_page())


async def _work(
    judges: Sequence[str],
    problems: Path | None,
    outputs: Path | None,
    only: Sequence[str],
    submissions: bool,
    cpu_seconds: float,
    jobs: int | None,
    url: str | None,
    settings: Settings,
    recording: Recording,
) -> tuple[list[Measured], int]:
    labelled, lost = _labelled(problems, outputs, only, submissions, cpu_seconds)
    contestants = [_contestant(text, settings) for text in judges]
    async with chosen_judge(url, settings) as judge:
        at_once = jobs or 2 * max(1, (await judge.health()).slots)
        with counting("measuring", len(labelled) * len(contestants)) as (bar, task):
            measured = await measure(judge, contestants, labelled, at_once, lambda: bar.advance(task))
    if recording.record or recording.least_tpr is not None:
        _record(measured, settings, recording)
    return measured, lost


def _labelled(
    problems: Path | None, outputs: Path | None, only: Sequence[str], submissions: bool, cpu_seconds: float
) -> tuple[list[Labelled], int]:
    """What is measured on, and how many outputs have no case here.

    Raises:
        RequestError: a line is at fault, or nothing is left.
    """
    found = {} if problems is None else read_problems(read_lines(problems), needed_limits(cpu_seconds))
    lost = 0
    if outputs is not None:
        found, lost = read_outputs(read_lines(outputs), found)
    for name in only:
        if name not in found:
            raise RequestError(f"there is no problem {name!r}", hint="name one of the files' own")
    chosen = [problem for name, problem in found.items() if not only or name in only]
    for problem in chosen:
        if not submissions:
            problem.submissions.clear()
    chosen = [problem for problem in chosen if problem.outputs or problem.submissions]
    if not chosen:
        raise RequestError("no output and no submission has a label", hint="see docs/judges.md for the forms")
    return chosen, lost


def _contestant(text: str, settings: Settings) -> Contestant:
    """What a word of the command line names.

    Raises:
        RequestError: nothing.
    """
    name, equals, rest = text.partition("=")
    if not equals or "/" in name:
        name = rest = text
    if rest == OWN:
        return Contestant(name=name, own=True)
    if rest in CHECKERS:
        return Contestant(name=name, everywhere=CheckerSpec(name=rest))
    path = Path(rest.rpartition(":")[2])
    if path.is_file():
        return _of_file(name, rest, path)
    registry = open_registry(settings)
    try:
        return _of_registry(name, rest, registry)
    finally:
        registry.close()


def _of_registry(name: str, text: str, registry: Registry) -> Contestant:
    if text == REGISTRY:
        return _by_problem(name, [registry.get(one.name.id) for one in registry.active()[1]])
    if text == NEWEST:
        alive = [judge for judge in registry.list(Filter()) if judge.state is not State.RETIRED]
        return _by_problem(name, alive)  # the last version of a problem comes last
    return _by_problem(name, [registry.get(text)])


def _by_problem(name: str, judges: Sequence[JudgeVersion]) -> Contestant:
    return Contestant(
        name=name,
        by_problem={key: judge.checker for judge in judges for key in _keys(judge.problem_id, judge.problem_name)},
        judge_ids={key: judge.id for judge in judges for key in _keys(judge.problem_id, judge.problem_name)},
    )


def _keys(problem_id: str, name: str) -> tuple[str, str]:
    return problem_id, by_name(name)


def _of_file(name: str, text: str, path: Path) -> Contestant:
    """A program, or judges by problem.

    Raises:
        RequestError: it is neither.
    """
    if ".jsonl" in path.suffixes:
        found: dict[str, ProgramChecker] = {}
        for line in read_lines(path):
            new = exchange.judge_in(parse_line(line.data), line.data, path.name, {})
            if new is not None:
                found |= dict.fromkeys(_keys(new.problem_id, new.problem_name), new.checker)
        return Contestant(name=name, by_problem=found)
    source = path.read_text(encoding="utf-8")
    prefix = text.rpartition(":")[0]
    if prefix and prefix not in set(CheckerProtocol):
        raise RequestError(f"there is no protocol {prefix!r}", hint=f"one of {', '.join(CheckerProtocol)}")
    plain = CheckerProtocol.FUNCTION if _FUNCTION in source else CheckerProtocol.FILES
    language = language_of(path)
    if language is None:
        raise RequestError(f"no language is known by the ending of {path}", hint="`scalebox languages` lists them")
    program = ProgramText(language=language, files={path.name: source}, entry=path.name)
    protocol = CheckerProtocol(prefix) if prefix else plain
    return Contestant(name=name, everywhere=ProgramChecker(protocol=protocol, program=program))


def _record(measured: Sequence[Measured], settings: Settings, recording: Recording) -> None:
    """Keep what was measured of registered judges; validate the drafts that are good enough on both sides."""
    registry = open_registry(settings)
    try:
        for one in measured:
            for name, counted in one.problems.items():
                judge = one.contestant.judge_id(name, one.ids[name])
                if judge is None or not (counted.right.total or counted.wrong.total):
                    continue
                rates = counted.rates(recording.measured_on)
                kept = registry.note_rates(judge, rates)
                least = (recording.least_tpr, recording.least_tnr)
                shares = (rates.right.share, rates.wrong.share)
                if kept.state is State.DRAFT and all(
                    low is not None and share is not None and share >= low
                    for share, low in zip(shares, least, strict=True)
                ):
                    registry.validate(judge, {"measured": {"on": rates.measured_on, "least": list(least)}}, who())
    finally:
        registry.close()


def _facts(measured: Sequence[Measured], measured_on: str, lost: int) -> Sequence[str]:
    known = len(page.names(measured))
    facts = [f"Measured on {measured_on}: {known} problems. ScaleBox {scalebox_version()}."]
    if lost:
        facts.append(f"{lost} outputs belong to cases that are not here, and were left out.")
    return facts


def _show(measured: Sequence[Measured], facts: Sequence[str], console: Console) -> None:
    for fact in facts:
        console.print(fact, markup=False, highlight=False)
    table = Table("Judge", "Right accepted (TPR)", "Wrong refused (TNR)", box=None, pad_edge=False)
    for heading in ("Broke", "Undecided", "Problems", "Without"):
        table.add_column(heading, justify="right")
    for one in measured:
        whole = one.whole
        counts = (whole.broken, whole.undecided, len(one.problems), one.without)
        table.add_row(one.contestant.name, shown_rate(whole.right), shown_rate(whole.wrong), *map(str, counts))
    console.print(table)
    for one in measured:
        for mistake in one.mistakes[:SHOWN]:
            worth = "right" if mistake.right else "wrong"
            line = (
                f"{one.contestant.name}: {mistake.problem} {mistake.case}: {worth}, and {mistake.said}: {mistake.words}"
            )
            console.print(line, markup=False, highlight=False, style="dim", overflow="ellipsis", no_wrap=True)
        if len(one.mistakes) > SHOWN:
            more = len(one.mistakes) - SHOWN
            console.print(f"{one.contestant.name}: {more} more mistakes; --html has them", style="dim", highlight=False)
