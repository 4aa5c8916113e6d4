"""Ground truth: what plain Python and plain compilers make of a program, outside the sandbox. Only for programs known to mean no harm."""

from __future__ import annotations

import os
import pickle  # ruff: ignore[suspicious-pickle-import] - jobs and reports are written by this module and its driver
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

PYTHON: Final = "/usr/bin/python3"
"""The programs' interpreter, as the sandbox uses it."""
DRIVER: Final = Path(__file__).with_name("plain_driver.py")
HASH_SEED: Final = "0"
"""The programs' hash seed: the order of sets decides what some references return."""
WORLD: Final = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": HASH_SEED, "LANG": "C.UTF-8", "TZ": "UTC"}
WIDTH: Final = os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainJob:
    """A source to run as ``__main__``, or a function of it to call with each list of arguments."""

    source: str
    function: str | None = None
    inputs: Sequence[Sequence[object]] = ()
    cpu_seconds: int = 10


@dataclass(frozen=True, slots=True)
class Opaque:
    """Stands for a value that is not plain data."""

    type_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What one call came to: an exception, or a value."""

    raised: str | None
    value: object
    cpu_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainReport:
    """What a job came to: ``passed``, ``called`` (with fewer calls than inputs where time ran out), ``raised``, ``timeout`` or ``died``."""

    end: str
    detail: str
    calls: Sequence[Called] = ()

    @property
    def passed(self) -> bool:
        """Whether the source ran to its end."""
        return self.end == "passed"


def available() -> bool:
    """Whether the programs' interpreter is on this machine."""
    return Path(PYTHON).exists()


@cache
def has_module(name: str) -> bool:
    """Whether the programs' interpreter can import the module."""
    return subprocess.run([PYTHON, "-c", f"import {name}"], env=WORLD, capture_output=True, check=False).returncode == 0


def run_plain(jobs: Sequence[PlainJob]) -> list[PlainReport]:
    """The reports of the jobs, in their order; one driver for each CPU."""
    slices = [jobs[start::WIDTH] for start in range(WIDTH)]
    with ThreadPoolExecutor(WIDTH) as pool:
        parts = list(pool.map(_run_slice, slices))
    return [parts[index % WIDTH][index // WIDTH] for index in range(len(jobs))]


def _run_slice(jobs: Sequence[PlainJob]) -> list[PlainReport]:
    with tempfile.TemporaryDirectory() as folder:
        jobs_path, results_path = Path(folder, "jobs"), Path(folder, "results")
        jobs_path.write_bytes(pickle.dumps([_as_dict(job) for job in jobs]))
        subprocess.run([PYTHON, str(DRIVER), str(jobs_path), str(results_path)], env=WORLD, check=True)
        reports = pickle.loads(results_path.read_bytes())  # ruff: ignore[suspicious-pickle-usage] - written by our driver
    return [_as_report(*report) for report in reports]


def _as_dict(job: PlainJob) -> dict[str, object]:
    base: dict[str, object] = {"source": job.source, "cpu_seconds": job.cpu_seconds}
    if job.function is None:
        return base
    return base | {"function": job.function, "inputs": [list(arguments) for arguments in job.inputs]}


def _as_report(end: str, detail: str, calls: Sequence[tuple[str, object, float]]) -> PlainReport:
    made = [_called(how, value, seconds) for how, value, seconds in calls]
    return PlainReport(end=end, detail=detail, calls=made)


def _called(how: str, value: object, seconds: float) -> Called:
    match how:
        case "raised":
            return Called(raised=str(value), value=None, cpu_seconds=seconds)
        case "opaque":
            return Called(raised=None, value=Opaque(str(value)), cpu_seconds=seconds)
        case _:
            return Called(raised=None, value=value, cpu_seconds=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRun:
    """One run of one program on one input."""

    exit_code: int
    stdout: bytes
    timed_out: bool


def build_native(source: str, language: str, folder: Path) -> Path | None:
    """Compile a C or C++ source with ``-O2``; the program's path, or None where it does not compile."""
    suffix, compiler = {"c": (".c", ["gcc"]), "cpp": (".cpp", ["g++"])}[language]
    path = folder / f"main{suffix}"
    path.write_text(source, encoding="utf-8")
    program = folder / "main"
    command = [*compiler, "-O2", "-o", str(program), str(path), "-lm"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    return program if done.returncode == 0 else None


def run_native(command: Sequence[str], stdin: bytes, cpu_seconds: float) -> PlainRun:
    """Run a program once; the time limit is CPU time, with a generous wall limit behind it."""
    limited = ["prlimit", f"--cpu={max(1, round(cpu_seconds))}", "--stack=unlimited", *command]
    try:
        done = subprocess.run(
            limited, input=stdin, capture_output=True, check=False, timeout=3 * cpu_seconds + 10, env=WORLD
        )
    except subprocess.TimeoutExpired:
        return PlainRun(exit_code=-1, stdout=b"", timed_out=True)
    return PlainRun(exit_code=done.returncode, stdout=done.stdout, timed_out=done.returncode in {-24, -9})
