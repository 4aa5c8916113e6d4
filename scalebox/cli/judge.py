"""`scalebox judge`: a file of v1 requests in, a file of judgements out, as they finish. Never loses a finished line.

An interrupted run leaves whole lines, and `--resume` judges only what is missing.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, OrderedDict
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from scalebox.cli.records import Done, resume
from scalebox.cli.shared import EXIT_FOUND, chosen_judge, fail, perform
from scalebox.client.client import HttpJudge
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.errors import DeadlineExceeded, JudgeUnreachable, QueueFull, RequestError, ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem
from scalebox.wire import v1
from scalebox.wire.canonical import check_id
from scalebox.wire.convert_v1 import judge_call
from scalebox.wire.parse import parse_json, validate
from scalebox.wire.reply_v1 import error_reply, judgement_reply, reply_bytes

ERROR: Final = "error"
"""A line that cannot be judged."""
UNJUDGED: Final = "not judged"
"""A line that was not judged through our fault."""
LINES_PER_SLOT: Final = 4
FETCHED_PROBLEMS: Final = 16


class Session:
    """One pass over a file of requests.

    Args:
        judge: decides.
        out: takes the result lines.
        concurrency: lines in flight.
        progress: is told of every finished line.
    """

    def __init__(self, judge: Judge, out: BinaryIO, concurrency: int, progress: Progress) -> None:
        self._judge = judge
        self._out = out
        self._room = asyncio.Semaphore(concurrency)
        self._progress = progress
        self._bar = progress.add_task("judging", total=None)
        self._problems: OrderedDict[str, Problem] = OrderedDict()
        self._fetching = asyncio.Lock()
        self.counts: Counter[str] = Counter()

    async def run(self, source: Path, done: dict[int, Done]) -> None:
        """Judge every line that is not done.

        Raises:
            RequestError: the results at hand are those of other requests.
        """
        with source.open("rb") as counted:
            self._progress.update(self._bar, total=sum(1 for line in counted if line.strip()))
        with source.open("rb") as lines:
            try:
                await self._judge_all(lines, done)
            except ExceptionGroup as group:
                raise group.exceptions[0] from None

    async def _judge_all(self, lines: BinaryIO, done: dict[int, Done]) -> None:
        async with asyncio.TaskGroup() as group:
            for index, line in enumerate(lines):
                if not line.strip():
                    continue
                if index in done:
                    self._skip(index, line, done[index])
                    continue
                await self._room.acquire()
                group.create_task(self._one(index, line))

    def _skip(self, index: int, line: bytes, earlier: Done) -> None:
        given = _id_of(line)
        if given is not None and earlier.id not in {None, given}:
            message = f"line {index} has id {given!r}, but the results at hand have {earlier.id!r} there"
            raise RequestError(message, hint="they belong to another file; write to a new one")
        self._count(earlier.verdict or ERROR)

    async def _one(self, index: int, line: bytes) -> None:
        try:
            verdict, reply = await self._judged(line)
        except ScaleBoxError as error:
            verdict = ERROR if isinstance(error, RequestError) else UNJUDGED
            reply = _error_line(error, _id_of(line))
        finally:
            self._room.release()
        self._out.write(b'{"index":%d,%b\n' % (index, reply[1:]))
        self._out.flush()
        self._count(verdict)

    async def _judged(self, line: bytes) -> tuple[str, bytes]:
        request = validate(v1.JudgeV1, parse_json(line))
        registered = None
        if request.problem_id is not None and isinstance(self._judge, HttpJudge):
            registered = await self._registered(check_id(request.problem_id, "problem_id"), self._judge)
        call = judge_call(request, registered)
        judgement = await self._judge.judge(call.submission, call.problem, call.options)
        return judgement.verdict.value, reply_bytes(judgement_reply(judgement, call.detail))

    async def _registered(self, problem_id: str, judge: HttpJudge) -> Problem:
        """A problem that the server keeps, fetched once while it is among the last few."""
        async with self._fetching:
            problem = self._problems.pop(problem_id, None) or await judge.problem(problem_id)
            self._problems[problem_id] = problem
            if len(self._problems) > FETCHED_PROBLEMS:
                self._problems.popitem(last=False)
            return problem

    def _count(self, verdict: str) -> None:
        self.counts[verdict] += 1
        self._progress.advance(self._bar)


def _id_of(line: bytes) -> str | None:
    try:
        tree = parse_json(line)
    except RequestError:
        return None
    given = tree.get("id") if isinstance(tree, dict) else None
    return given if isinstance(given, str) else None


def _error_line(error: ScaleBoxError, given: str | None) -> bytes:
    match error:
        case RequestError():
            fault = error
        case QueueFull():
            fault = RequestError(str(error), hint="lower --concurrency", code="queue_full")
        case DeadlineExceeded():
            fault = RequestError(str(error), code="deadline")
        case JudgeUnreachable():
            fault = RequestError(str(error), hint="run again with --resume", code="unreachable")
        case _:
            fault = RequestError(str(error), hint="run again with --resume", code="internal")
    body = reply_bytes(error_reply(fault))
    return body if given is None else b'{"id":%b,%b' % (to_json(given), body[1:])


def command(
    source: Annotated[Path, typer.Argument(metavar="IN.jsonl", help="One POST /v1/judge request a line.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Result lines; default standard output.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Judge on this server instead of here.")] = None,
    resume_run: Annotated[bool, typer.Option("--resume", help="Keep the finished lines of --output.")] = False,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Lines in flight; default 4 a slot.")] = None,
    slots: Annotated[int | None, typer.Option(help="Programs at once, without --url.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none, without --url.")] = None,
) -> None:
    """Judge a file of requests. Ends with 1 when a line is in error or was not judged through our fault."""
    try:
        settings = load_settings({"slots": slots, "isolation": isolation})
    except ConfigError as error:
        fail(str(error))
    if not source.is_file():
        fail(f"there is no file {source}")
    if output is None and resume_run:
        fail("--resume needs --output, which holds the finished lines")
    if output is not None and output.exists() and not resume_run:
        fail(f"{output} exists; give --resume to finish it, or another --output")
    counts = perform(judge_file(source, output, url, concurrency, settings))
    summarize(counts)
    if counts[ERROR] or counts[UNJUDGED] or counts["IE"]:
        raise typer.Exit(EXIT_FOUND)


async def judge_file(
    source: Path, output: Path | None, url: str | None, concurrency: int | None, settings: Settings
) -> Counter[str]:
    """Judge a file; the number of lines by verdict, others under ``error`` and ``not judged``."""
    async with chosen_judge(url, settings) as judge:
        lines = concurrency or LINES_PER_SLOT * max(1, (await judge.health()).slots)
        return await judge_lines(judge, source, output, lines)


async def judge_lines(judge: Judge, source: Path, output: Path | None, concurrency: int) -> Counter[str]:
    """As ``judge_file``, with a judge at hand.

    Raises:
        RequestError: the output belongs to another input.
    """
    done = {} if output is None else resume(output)
    with _progress() as progress, _opened(output) as out:
        session = Session(judge, out, concurrency, progress)
        await session.run(source, done)
    return session.counts


@contextmanager
def _opened(output: Path | None) -> Generator[BinaryIO, None, None]:
    if output is None:
        yield sys.stdout.buffer
        return
    with output.open("ab") as out:
        yield out


@contextmanager
def _progress() -> Generator[Progress, None, None]:
    """A bar on standard error, or nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield progress


def summarize(counts: Counter[str]) -> None:
    """Print the number of lines by verdict on standard error."""
    table = Table("Verdict", "Lines", title="Judged")
    for verdict, number in counts.most_common():
        table.add_row(verdict, str(number))
    console = Console(stderr=True)
    console.print(table if counts else "no requests")
    if counts[UNJUDGED] or counts["IE"]:
        console.print("run again with --resume to judge what was not judged", style="dim")
