"""`scalebox judges attach`: the rows that a trainer reads, with their judges from the registry. Writes a new file, changes none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from scalebox.cli.judges_registry import Url, all_judges, opened
from scalebox.cli.shared import fail
from scalebox.core.errors import RequestError
from scalebox.registry.entry import Filter, JudgeVersion
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.registry.tables import rewrite
from scalebox.registry.training import Fate, attached, sought
from scalebox.rows.fields import Tree

UNREADABLE = "cannot be read"


def command(
    source: Annotated[Path, typer.Argument(metavar="ROWS", help="JSON lines, plain or gzipped, or Parquet.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Write the rows here, in the form in which they came.")
    ],
    validated: Annotated[bool, typer.Option(help="Where no judge is in use, take the newest validated one.")] = False,
    by_name: Annotated[bool, typer.Option(help="Where the cases match nothing, go by the row's id.")] = False,
    replace: Annotated[bool, typer.Option(help="Also where a row has a comparison of its own.")] = False,
    url: Url = None,
) -> None:
    """Write the rows of a data set with judge, class and evidence added where the registry has a judge for them.

    Every row is written, in its place; what is not changed stays as it was.
    """
    if not source.is_file():
        fail(f"there is no file {source}")
    if output.is_dir() or not output.parent.is_dir():
        fail(
            f"{output} cannot be written: {'it is a folder' if output.is_dir() else f'there is no folder {output.parent}'}"
        )
    if output.exists() and output.samefile(source):
        fail(f"{output} is the data set itself; name another file")
    fates: Counter[str] = Counter()
    with opened(url) as registry:
        judges = _judges(registry, validated)

        def change(_number: int, tree: Tree) -> Tree:
            made = _changed(tree, judges, by_name, replace)
            fates[made if isinstance(made, str) else Fate.ATTACHED] += 1
            return tree if isinstance(made, str) else made

        try:
            total = rewrite(source, output, change)
        except OSError as error:
            fail(f"{error.filename}: {error.strerror}")
    unread = total - fates.total()
    fates[UNREADABLE] += unread
    typer.echo(f"{total} rows: {fates[Fate.ATTACHED]} with a judge from the registry")
    for fate, count in sorted(fates.items()):
        if count and fate != Fate.ATTACHED:
            typer.echo(f"  {count} without: {fate}")


def _judges(registry: Registry, validated: bool) -> dict[str, JudgeVersion]:
    """Judges by the id and by the name of their problem; those in use first, then the newest."""
    found: dict[str, JudgeVersion] = {}
    wanted = [State.ACTIVE, State.VALIDATED] if validated else [State.ACTIVE]
    for state in reversed(wanted):
        for judge in all_judges(registry, Filter(state=state)):
            found[judge.problem_id] = judge
            found[f"name:{judge.problem_name}"] = judge
    return found


def _changed(tree: Tree, judges: dict[str, JudgeVersion], by_name: bool, replace: bool) -> Tree | str:
    """A row with its judge; or in words why it has none."""
    try:
        known = sought(tree, replace=replace)
        if isinstance(known, Fate):
            return known
        judge = judges.get(known.id)
        if judge is None and by_name and known.name is not None:
            judge = judges.get(f"name:{known.name}")
        return Fate.NONE if judge is None else attached(tree, judge)
    except RequestError:
        return UNREADABLE
