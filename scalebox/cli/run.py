"""`scalebox run`: one program, run once; its output and how it ended. No opinion on right or wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scalebox.cli.shared import EXIT_FOUND, chosen_judge, fail, perform
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.limits import MIB, Limits
from scalebox.core.result import RunReport
from scalebox.core.submission import RunSpec, Submission
from scalebox.languages.catalogue import load_languages


def language_of(path: Path) -> str | None:
    """The language that a file's suffix tells, or None."""
    suffix = path.suffix
    if not suffix:
        return None
    languages = load_languages()
    named = languages.get(suffix[1:])
    if named is not None:
        return named.id
    return next((language.id for language in languages if Path(language.source_name).suffix == suffix), None)


def command(
    file: Annotated[Path, typer.Argument(help="The program's source.")],
    language: Annotated[str | None, typer.Option(help="Default: told by the suffix.")] = None,
    stdin: Annotated[Path | None, typer.Option(help="File for standard input; - is ours. Default: empty.")] = None,
    cpu_seconds: Annotated[float, typer.Option(min=0.001, max=3600, help="CPU time it may spend.")] = 10.0,
    memory_mb: Annotated[int, typer.Option(min=1, help="Resident MiB it may use.")] = 1024,
    url: Annotated[str | None, typer.Option(help="Run on this server instead of here.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none, without --url.")] = None,
) -> None:
    """Run one program and print what it prints. Ends with the program's own status."""
    try:
        settings = load_settings({"isolation": isolation, "slots": 1})
    except ConfigError as error:
        fail(str(error))
    source = _read(file)
    chosen = language or language_of(file)
    if chosen is None:
        fail(f"cannot tell the language of {file}; give --language (see: scalebox languages)")
    limits = Limits(cpu_seconds=cpu_seconds, memory_bytes=memory_mb * MIB)
    spec = RunSpec(stdin=_read_input(stdin), limits=limits)
    report = perform(_run(Submission(source=source, language=chosen), spec, url, settings))
    raise typer.Exit(show(report))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except UnicodeDecodeError:
        fail(f"{file} is not UTF-8")


def _read_input(stdin: Path | None) -> bytes:
    if stdin is None:
        return b""
    if str(stdin) == "-":
        return sys.stdin.buffer.read()
    try:
        return stdin.read_bytes()
    except OSError as error:
        fail(f"{stdin}: {error.strerror}")


async def _run(submission: Submission, spec: RunSpec, url: str | None, settings: Settings) -> RunReport:
    async with chosen_judge(url, settings) as judge:
        return await judge.run(submission, spec)


def show(report: RunReport) -> int:
    """Print a report; the status to end with: the program's, 128 + its signal, or 1 where a limit or a compiler ended it."""
    console = Console(stderr=True)
    if report.run is None:
        message = report.compile.message if report.compile else "there is no code"
        console.print(message, markup=False, highlight=False)
        console.print("it did not compile", style="dim")
        return EXIT_FOUND
    run = report.run
    sys.stdout.buffer.write(run.stdout)
    sys.stdout.buffer.flush()
    sys.stderr.buffer.write(run.stderr)
    sys.stderr.buffer.flush()
    end = f"exit code {run.exit_code}" if run.signal is None else f"signal {run.signal}"
    if run.exceeded is not None:
        end = f"{run.exceeded.value} ({run.reason})" if run.reason else run.exceeded.value
    usage = run.usage
    spent = f"{usage.cpu_seconds:.3f} s CPU, {usage.wall_seconds:.3f} s, {usage.memory_bytes / MIB:.1f} MiB"
    console.print(f"{end}; {spent}; isolation {report.isolation.level}", style="dim", markup=False, highlight=False)
    if run.exceeded is not None:
        return EXIT_FOUND
    return 128 + run.signal if run.signal is not None else run.exit_code or 0
