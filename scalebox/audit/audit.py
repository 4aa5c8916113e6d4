"""One pass over a data set: read rows, measure those that are new, report on all. Holds no more than the rows in flight.

Rows are independent: one that is bad, refused or unjudged is reported and the others go on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from scalebox.audit import records
from scalebox.audit.figures import Figures, figures
from scalebox.audit.findings import Report, report
from scalebox.audit.measure import measure
from scalebox.audit.measurement import Measurement
from scalebox.audit.suggestions import Advice, advice
from scalebox.core.ports import Judge
from scalebox.rows.read import Line
from scalebox.rows.recognise import read_row
from scalebox.rows.row import BadRow, ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How an audit is made."""

    read: ReadOptions
    runs: int = 1
    """Of every case."""
    near: float = 0.5
    """Share of a limit from which on a case is near it."""
    jobs: int = 1
    """Rows in flight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What came of one row."""

    report: Report
    advice: list[Advice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a data set, in the order of its rows."""

    problems: list[Problem]
    bad: list[BadRow]
    figures: Figures


async def audit(
    judge: Judge,
    lines: Iterable[Line],
    options: Options,
    results: Path | None = None,
    told: Callable[[], None] = lambda: None,
) -> Outcome:
    """Audit rows.

    Args:
        judge: any judge.
        lines: of the data set.
        options: how.
        results: keeps the raw results; what it already has is not measured again.
        told: is called for every row that is through.

    Raises:
        ResultsError: the file holds something else.
    """
    done = {} if results is None else records.resume(results)
    with _opened(results) as file:
        session = _Session(judge, options, done, file, told)
        try:
            await session.run(lines)
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
    problems = sorted(session.problems, key=lambda problem: problem.report.row)
    bad = sorted(session.bad, key=lambda row: row.number)
    return Outcome(
        problems=problems,
        bad=bad,
        figures=figures([problem.report for problem in problems], bad, options.runs),
    )


@contextlib.contextmanager
def _opened(path: Path | None) -> Generator[BinaryIO | None, None, None]:
    if path is None:
        yield None
        return
    with path.open("ab") as file:
        yield file


class _Session:
    """The rows of one pass."""

    def __init__(
        self,
        judge: Judge,
        options: Options,
        done: dict[str, Measurement],
        file: BinaryIO | None,
        told: Callable[[], None],
    ) -> None:
        self._judge = judge
        self._options = options
        self._done = done
        self._file = file
        self._told = told
        self._room = asyncio.Semaphore(options.jobs)
        self.problems: list[Problem] = []
        self.bad: list[BadRow] = []

    async def run(self, lines: Iterable[Line]) -> None:
        async with asyncio.TaskGroup() as group:
            for line in lines:
                await self._room.acquire()
                group.create_task(self._one(line))

    async def _one(self, line: Line) -> None:
        try:
            await self._audited(line)
        finally:
            self._room.release()
        self._told()

    async def _audited(self, line: Line) -> None:
        key = records.key_of(line.data, self._options.read, self._options.runs)
        known = self._done.get(key)
        if known is not None:
            self._keep(replace(known, row=line.number))
            return
        row = await asyncio.to_thread(read_row, line.number, line.data, self._options.read)
        if isinstance(row, BadRow):
            self.bad.append(row)
            return
        measurement = await measure(self._judge, row, self._options.runs)
        if self._file is not None and records.is_final(measurement):
            records.append(self._file, key, measurement)
        self._keep(measurement)

    def _keep(self, measurement: Measurement) -> None:
        found = report(measurement, self._options.near)
        self.problems.append(Problem(report=found, advice=advice(measurement, found)))
