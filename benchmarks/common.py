"""What the benchmarks share: the shared workloads, a server of our own, results as JSON, and small statistics.

Nothing here measures; `meter` says what CPU time is, `by_hand` what programs cost without a judge.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from scalebox.config import load_settings, program_python

CPUS: Final = len(os.sched_getaffinity(0))
PORT: Final = 18099
SHARED: Final = Path(__file__).parents[2] / "shared"
RESULTS: Final = Path(__file__).parent / "results"
PAGE: Final = Path(__file__).parents[1] / "docs" / "performance.md"
WORKLOADS: Final = ("short", "mixed", "cpp", "judge")
READY_SECONDS: Final = 30.0
SETTLE_SECONDS: Final = 1.5
"""A server that is ready still starts the slots that only judges and test code need."""

_SOURCE: Final = re.compile(r"(```\w+\n)(.*)(```)", re.DOTALL)
COMMENT: Final = {"python": "#", "cpp": "//"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One completion of a shared workload, with its tests and what is due of them."""

    name: str
    language: str
    source: str
    run_seconds: float
    inputs: tuple[bytes, ...]
    answers: tuple[bytes, ...]
    judge: str | None
    """The source of its special judge, in Python."""
    accepted: bool
    due: tuple[bool, ...]
    """Whether each test is passed; empty where the workload does not say."""


def workload_file(shared: Path, name: str) -> Path:
    """Where a shared workload lies."""
    return shared / "bench" / f"workload_{name}.jsonl.gz"


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a workload.

    Raises:
        ValueError: a task without a source.
    """
    return [_task(row) for row in read_rows(path)]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The tasks of a workload as they are published."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _task(row: Mapping[str, object]) -> Task:
    config, due = row["config"], row["expected"]
    found = _SOURCE.search(str(row["completion"]))
    if found is None or not isinstance(config, dict) or not isinstance(due, dict):
        message = f"a task of the workload is not as expected: {row.get('name')}"
        raise ValueError(message)
    data = config["provided_data"]["test_cases"]
    return Task(
        name=str(row["name"]),
        language=config["language"],
        source=found[2],
        run_seconds=float(config["run_timeout"]),
        inputs=tuple(text.encode() for text in data["input"]),
        answers=tuple(text.encode() for text in data["output"]),
        judge=config["extra"].get("special_judge_program"),
        accepted=due["accepted"],
        due=tuple(due["tests"]),
    )


def write_first(path: Path, folder: Path, count: int) -> Path:
    """The first tasks of a workload, for a quick look."""
    shorter = folder / path.name
    with gzip.open(path, "rt", encoding="utf-8") as before, gzip.open(shorter, "wt", encoding="utf-8") as after:
        after.writelines(itertools.islice(before, count))
    return shorter


def write_changed(path: Path, folder: Path, mark: str) -> Path:
    """The workload with a comment at the end of each source, so that nothing that goes by the source knows it."""
    changed = folder / f"{mark}-{path.name}"
    with gzip.open(path, "rt", encoding="utf-8") as before, gzip.open(changed, "wt", encoding="utf-8") as after:
        for line in before:
            row = json.loads(line)
            comment = f"\n{COMMENT[row['config']['language']]} {mark}\n"
            row["completion"] = _SOURCE.sub(lambda m, end=comment: m[1] + m[2] + end + m[3], row["completion"])  # type: ignore[misc]  # a default binds the loop's value
            after.write(json.dumps(row) + "\n")
    return changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs."""

    url: str
    pid: int


@contextmanager
def server(port: int = PORT, **settings: str) -> Generator[Server, None, None]:
    """A server of this tree in a session of its own, ready to judge; stopped at the end.

    Args:
        port: of the loopback interface, to listen on.
        settings: further ``SCALEBOX_*`` variables, without the prefix.
    """
    command = [sys.executable, "-m", "scalebox", "serve", "--port", str(port)]
    environment = os.environ | {f"SCALEBOX_{name.upper()}": value for name, value in settings.items()}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(  # noqa: S603 - our own server
            command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True, env=environment
        )
        try:
            wait_until_ready(f"http://127.0.0.1:{port}/readyz", process, log)
            time.sleep(SETTLE_SECONDS)
            yield Server(url=f"http://127.0.0.1:{port}", pid=process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def wait_until_ready(url: str, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    """Until the server says that it judges.

    Raises:
        RuntimeError: it ended, or did not become ready in time.
    """
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            message = f"the server ended with {process.returncode}: {_tail(log)}"
            raise RuntimeError(message)
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:  # noqa: S310 - our own server
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.05)
    message = f"the server did not become ready in {READY_SECONDS:.0f} s: {_tail(log)}"
    raise RuntimeError(message)


def _tail(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read()[-2000:].decode(errors="replace").strip()


def programs_python() -> str:
    """The interpreter that programs run under, in the server and by hand."""
    return str(program_python(load_settings()))


def parser(description: str | None, rounds: int) -> argparse.ArgumentParser:
    """The options that every benchmark takes, as `run` passes them on."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument(
        "--rounds", type=int, default=rounds, help=f"how often everything is measured, in turns ({rounds})"
    )
    made.add_argument("--port", type=int, default=PORT, help=f"for the server, on the loopback interface ({PORT})")
    made.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    return made


def machine() -> dict[str, object]:
    """What a figure depends on besides the code."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpus": CPUS,
        "cpu": cpu[1] if cpu else platform.machine(),
        "kernel": platform.release(),
        "service_python": platform.python_version(),
        "programs_python": programs_python(),
        "commit": _git("rev-parse", "--short", "HEAD") + ("+" if _git("status", "--porcelain", "scalebox") else ""),
    }


def _git(*words: str) -> str:
    command = ["git", "-C", str(Path(__file__).parent.parent), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603


def write_json(path: Path | None, rows: Sequence[Mapping[str, object]], **more: object) -> None:
    """The results of one benchmark: what `report` reads."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"machine": machine(), **more, "rows": list(rows)}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def at(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lie (nearest rank)."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def show(rows: Sequence[Mapping[str, object]]) -> None:
    """Rows as a table, columns in the order of the first row."""
    told = [{key: _cell(value) for key, value in row.items()} for row in rows]
    widths = {key: max(len(key), *(len(row[key]) for row in told)) for key in told[0]}
    print("  ".join(key.ljust(width) for key, width in widths.items()))
    for row in told:
        print("  ".join(row[key].ljust(width) for key, width in widths.items()), flush=True)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return (
        f"{value:.3g}"
        if isinstance(value, float) and abs(value) < 100
        else f"{value:.0f}"
        if isinstance(value, float)
        else str(value)
    )


def median(values: Sequence[float | None]) -> float | None:
    """The median; None where there is nothing to take it of."""
    present = [value for value in values if value is not None]
    return statistics.median(present) if present else None
