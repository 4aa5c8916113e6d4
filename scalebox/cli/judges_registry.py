"""`scalebox judges list` and its kin: special judges through their life, in the registry that the service reads. Judges nothing itself."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.table import Table

from scalebox.assembly import registry_url
from scalebox.cli.examples import page
from scalebox.cli.shared import EXIT_FOUND, describe, fail
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.errors import ScaleBoxError
from scalebox.registry import bodies, exchange
from scalebox.registry.entry import Filter, JudgeVersion, Story
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.rows.read import read_lines
from scalebox.synthesis.rates import Rate

T = TypeVar("T")

MOST_BAD: Final = 10
"""Lines at fault that are named."""

Url = Annotated[
    str | None, typer.Option("--registry", help="The registry; default SCALEBOX_JUDGES_URL, else the state folder's.")
]
Reason = Annotated[str, typer.Option(help="Noted in the judge's history.")]
Reference = Annotated[
    str, typer.Argument(metavar="JUDGE", help="Id of a judge, or id or name of its problem: the one in use.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def opened(url: str | None) -> Generator[Registry, None, None]:
    """The registry; our errors become one line."""
    try:
        settings = load_settings({"judges_url": url})
        registry = Registry(registry_url(settings))
        try:
            yield registry
        finally:
            registry.close()
    except ConfigError as error:
        fail(str(error))
    except ScaleBoxError as error:
        fail(describe(error))


def who() -> str:
    """Who does it, as the history notes."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return ""


def list_judges(
    state: Annotated[State | None, typer.Option(help="Only those in this state.")] = None,
    category: Annotated[str | None, typer.Option(help="Only those of this class.")] = None,
    problem: Annotated[str | None, typer.Option(help="Only those of this problem: id or name.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 1000,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List judges by problem and version."""
    with opened(url) as registry:
        found = registry.list(Filter(state=state, category=category, problem=problem, limit=limit))
    if as_json:
        typer.echo(to_json([bodies.summary(judge) for judge in found], indent=2).decode())
        return
    if not found:
        Console(stderr=True).print("no such judges", style="dim")
        return
    table = Table("Judge", "Problem", "State", "Class", "TPR", "TNR", box=None, pad_edge=False)
    for heading in ("Used", "Disputes"):
        table.add_column(heading, justify="right")
    for judge in found:
        table.add_row(*_line(judge))
    page().print(table)


def _line(judge: JudgeVersion) -> Sequence[str]:
    rates = judge.rates
    right, wrong = (None, None) if rates is None else (rates.right, rates.wrong)
    used, disputes = str(judge.use.judgements), str(judge.open_disputes or "-")
    return (
        judge.id,
        judge.problem_name,
        judge.state.value,
        judge.category or "-",
        shown_rate(right),
        shown_rate(wrong),
        used,
        disputes,
    )


def shown_rate(rate: Rate | None) -> str:
    """A rate with its interval, in percent; a dash where nothing was counted."""
    if rate is None or rate.share is None or rate.interval is None:
        return "-"
    low, high = rate.interval
    return f"{100 * rate.share:.1f} % ({100 * low:.1f}-{100 * high:.1f}; {rate.hits} of {rate.total})"


def show(judge: Reference, as_json: AsJson = False, url: Url = None) -> None:
    """Show a judge with its program, evidence and history."""
    with opened(url) as registry:
        story = registry.story(judge)
    if as_json:
        typer.echo(to_json(bodies.detail(story), indent=2).decode())
        return
    console = page()
    for name, text in _facts(story):
        console.print(f"{name:<12}{text}", markup=False, highlight=False)
    for path, text in story.judge.checker.program.files.items():
        console.print(f"\n--- {path}", style="dim", markup=False, highlight=False)
        typer.echo(text.rstrip("\n"))


def _facts(story: Story) -> Iterable[tuple[str, str]]:
    judge, checker = story.judge, story.judge.checker
    yield "judge", f"{judge.id} ({judge.state}), version {judge.version} of {judge.problem_name}"
    yield "problem", judge.problem_id
    yield "program", f"{checker.program.language}, protocol {checker.protocol}, asked when {checker.when}"
    yield "class", judge.category or "-"
    yield "origin", judge.origin
    yield "TPR", shown_rate(None if judge.rates is None else judge.rates.right)
    yield "TNR", shown_rate(None if judge.rates is None else judge.rates.wrong)
    if judge.rates is not None:
        yield "measured", f"on {judge.rates.measured_on}; broke over {judge.rates.broken} outputs"
    use = judge.use
    yield (
        "used",
        f"{use.judgements} judgements; accepted {use.accepted}, refused {use.refused}, broke over {use.broken}",
    )
    yield "provenance", to_json(dict(judge.provenance)).decode()
    yield "evidence", to_json(dict(judge.evidence)).decode()
    for change in story.changes:
        by = f" by {change.by}" if change.by else ""
        why = f": {change.reason}" if change.reason else ""
        yield "history", f"{change.at} {change.start or 'new'} -> {change.end}{by}{why}"
    for one in story.disputes:
        end = "open" if one.upheld is None else "upheld" if one.upheld else "dismissed"
        yield "dispute", f"{one.number} ({end}) {one.opened_at} {one.reason}"


def _moved(url: str | None, move: Callable[[Registry], JudgeVersion]) -> None:
    with opened(url) as registry:
        judge = move(registry)
    typer.echo(f"{judge.id} {judge.state} {judge.problem_name}")


def activate(judge: Reference, reason: Reason = "", url: Url = None) -> None:
    """Use a validated judge from now on; the one in use for its problem is retired. Services see it within a second."""
    _moved(url, lambda registry: registry.activate(judge, who(), reason))


def retire(judge: Reference, reason: Reason = "", url: Url = None) -> None:
    """Use a judge no more; its problem is compared by default again."""
    _moved(url, lambda registry: registry.retire(judge, who(), reason))


def rollback(judge: Reference, reason: Reason = "", url: Url = None) -> None:
    """Use the version again that was in use before the one that is."""
    _moved(url, lambda registry: registry.roll_back(judge, who(), reason))


def dispute(
    judge: Reference,
    reason: Annotated[str, typer.Option(help="What is wrong.")],
    output: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="The output in question.")] = None,
    url: Url = None,
) -> None:
    """Note that a judge was wrong; it stays in use until somebody decides."""
    text = "" if output is None else output.read_bytes().decode("utf-8", "replace")
    with opened(url) as registry:
        made = registry.dispute(judge, reason, text, who())
    typer.echo(f"dispute {made.number} of {made.judge_id}")


def settle(
    number: Annotated[int, typer.Argument(metavar="DISPUTE", help="Its number.")],
    upheld: Annotated[bool, typer.Option("--upheld/--dismissed", help="Whether the judge was wrong.")],
    url: Url = None,
) -> None:
    """Decide a dispute."""
    with opened(url) as registry:
        made = registry.settle(number, upheld=upheld)
    typer.echo(f"dispute {made.number} of {made.judge_id} {'upheld' if made.upheld else 'dismissed'}")


def import_judges(
    source: Annotated[Path, typer.Argument(metavar="FILE.jsonl[.gz]", help="Judges, one a line, in a known form.")],
    keep_states: Annotated[
        bool, typer.Option(help="Take what `export` wrote as it is; otherwise all come in as drafts.")
    ] = False,
    problems: Annotated[
        Path | None, typer.Option(help="Rows with ids and cases: the problems of judges that have none (AetherCode).")
    ] = None,
    url: Url = None,
) -> None:
    """Take judges from a file: what `export` or `synthesize` wrote, rows with a special_judge_program, AetherCode's checkers.

    Ends with 1 when a line could not be taken.
    """
    for path in (source, problems):
        if path is not None and not path.is_file():
            fail(f"there is no file {path}")
    with opened(url) as registry:
        known = {} if problems is None else exchange.known_problems(read_lines(problems))
        done = exchange.import_lines(
            registry, read_lines(source), keep_states=keep_states, source=source.name, problems=known, by=who()
        )
    typer.echo(f"{done.added} judges taken, {done.known} were there already, {done.without} lines without a judge")
    for bad in done.bad[:MOST_BAD]:
        Console(stderr=True, soft_wrap=True).print(f"line {bad.number}: {bad.message}", markup=False, highlight=False)
    if len(done.bad) > MOST_BAD:
        Console(stderr=True).print(f"and {len(done.bad) - MOST_BAD} more lines that could not be taken")
    if done.bad:
        raise typer.Exit(EXIT_FOUND)


def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write here; default standard output.")] = None,
    form: Annotated[
        exchange.Form, typer.Option("--format", help="scalebox or aethercode; rows: see `scalebox judges attach`.")
    ] = exchange.Form.SCALEBOX,
    state: Annotated[State | None, typer.Option(help="Only those in this state.")] = None,
    problem: Annotated[str | None, typer.Option(help="Only those of this problem.")] = None,
    url: Url = None,
) -> None:
    """Write judges, one a line."""
    if form not in {exchange.Form.SCALEBOX, exchange.Form.AETHERCODE}:
        fail(
            "rows have cases, which the registry does not keep; `scalebox judges attach` adds judges to a file of rows"
        )
    with opened(url) as registry:
        stories = [registry.story(judge.id) for judge in all_judges(registry, Filter(state=state, problem=problem))]
    lines = exchange.aethercode_lines(stories) if form is exchange.Form.AETHERCODE else exchange.export_lines(stories)
    whole = b"".join(lines)
    if output is None:
        sys.stdout.buffer.write(whole)
        return
    try:
        output.write_bytes(whole)
    except OSError as error:
        fail(f"{output}: {error.strerror}")


def all_judges(registry: Registry, wanted: Filter) -> Iterable[JudgeVersion]:
    """Every judge that is wanted, page by page."""
    offset = 0
    while True:
        part = registry.list(Filter(state=wanted.state, problem=wanted.problem, limit=500, offset=offset))
        yield from part
        if len(part) < 500:
            return
        offset += len(part)


def settings_of(url: str | None, **given: object) -> Settings:
    """The settings of a command that also judges."""
    try:
        return load_settings({"judges_url": url, **given})
    except ConfigError as error:
        fail(str(error))
