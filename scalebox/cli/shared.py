"""What the commands share: one clear line for an error, a bar that counts, and a judge that is local or behind a URL. Judges nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from scalebox.assembly import open_judge
from scalebox.client.client import HttpJudge
from scalebox.config import Settings
from scalebox.core.errors import RequestError, ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.telemetry import logs

T = TypeVar("T")

EXIT_FOUND: Final = 1
"""The command worked and found something wrong."""
EXIT_CANNOT: Final = 2
"""The command could not do its work."""
EXIT_INTERRUPTED: Final = 130


def fail(message: str) -> NoReturn:
    """Say why on standard error, in one line, and end with status 2."""
    line = " ".join(message.split())
    Console(stderr=True, soft_wrap=True).print(f"scalebox: {line}", markup=False, highlight=False)
    raise typer.Exit(EXIT_CANNOT)


def perform(work: Coroutine[object, object, T], run: Callable[[Coroutine[object, object, T]], T] = asyncio.run) -> T:
    """Run a command's work; our errors become one line, an interrupt status 130.

    Args:
        work: of the command.
        run: makes the event loop and runs it there.
    """
    try:
        return run(work)
    except ScaleBoxError as error:
        fail(describe(error))
    except OSError as error:
        fail(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "))
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_INTERRUPTED) from None


@contextmanager
def counting(description: str, total: int) -> Generator[tuple[Progress, TaskID], None, None]:
    """A bar on standard error, or nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield progress, progress.add_task(description, total=total)


def describe(error: ScaleBoxError) -> str:
    """An error with its field and hint."""
    if not isinstance(error, RequestError):
        return str(error)
    where = f"{error.field}: " if error.field else ""
    hint = f" ({error.hint})" if error.hint else ""
    return f"{where}{error.message}{hint}"


@asynccontextmanager
async def chosen_judge(url: str | None, settings: Settings) -> AsyncGenerator[Judge, None]:
    """The judge behind ``url``, or one in this process.

    Raises:
        JudgeUnreachable: nothing answers there.
    """
    logs.configure("warning" if settings.log_level == "info" else settings.log_level, settings.log_format)
    if url is None:
        async with open_judge(settings) as judge:
            yield judge
        return
    key = None if settings.api_key is None else settings.api_key.get_secret_value()
    async with HttpJudge(url, api_key=key) as remote:
        await remote.health()
        yield remote
