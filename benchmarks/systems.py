"""The systems that run a workload: `plain`, this tree's server, a peer that somebody started, and verl's `prime_code` in processes.

Each runs a workload in one or two passes and says how long it took and what it spent; see `meter` for what is counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

from by_hand import Pass, plain
from common import CPUS, programs_python, read_tasks, server, write_changed
from meter import Figures, Meter, Spent, listeners

CONCURRENCY: Final = 2 * CPUS
OURS: Final = "ScaleBox"


class System(Protocol):
    """Something that judges a workload."""

    @property
    def name(self) -> str:
        """What its rows say."""
        ...

    def run(self, workload: Path, folder: Path, *, stop: bool) -> dict[Pass, Figures]:
        """Judge all of it, once or, where it may learn something, twice.

        Args:
            workload: the file.
            folder: for files of its own.
            stop: end each task at its first failure.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """Each test as a fresh process: what the others are compared with."""

    name: str = "plain"

    def run(self, workload: Path, folder: Path, *, stop: bool) -> dict[Pass, Figures]:
        """One pass."""
        del folder
        return {Pass.FIRST if stop else Pass.ALL: plain(read_tasks(workload), programs_python(), stop=stop)}


def loaded(load: Path, url: str, roots: Sequence[int], workload: Path, *, stop: bool, api: str) -> Figures:
    """The workload through the shared load generator, as it is."""
    command = [sys.executable, str(load), "--url", url, "--workload", str(workload), "--api", api]
    command += ["--concurrency", str(CONCURRENCY), "--run-all", str(int(not stop))]
    meter = Meter(roots)
    reply = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603
    spent = meter.spent()
    # Of a task that does not say what is due of each test, any number of tests is one too many for the load generator.
    unsaid = 0 if stop else sum(not task.due for task in read_tasks(workload))
    return Figures(
        wall_seconds=reply["wall"],
        spent=spent,
        mismatches=reply["mismatches"] + max(reply["test_count_mismatch"] - unsaid, 0),
        p50_seconds=reply["p50"],
        p99_seconds=reply["p99"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """A server of this tree: a new one each time, so that nothing is cached before the first pass."""

    load: Path
    port: int
    name: str = OURS

    def run(self, workload: Path, folder: Path, *, stop: bool) -> dict[Pass, Figures]:
        """With ``stop`` a second pass follows, each source changed by a comment."""
        with server(self.port, share="0", verdict_cache_mb="0", keep_order="0") as ours:
            passes = [Pass.FIRST, Pass.SECOND] if stop else [Pass.ALL]
            found = {}
            for which in passes:
                mark = which.name.lower()
                changed = write_changed(workload, folder, mark)
                found[which] = loaded(self.load, ours.url, [ours.pid], changed, stop=stop, api="scalebox")
            return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A peer that listens on this machine; it learns nothing, so one pass is enough."""

    name: str
    load: Path
    url: str
    api: str

    def run(self, workload: Path, folder: Path, *, stop: bool) -> dict[Pass, Figures]:
        """One pass."""
        del folder
        port = urlsplit(self.url).port or 80
        figures = loaded(self.load, self.url, listeners(port), workload, stop=stop, api=self.api)
        return {Pass.FIRST if stop else Pass.ALL: figures}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verl:
    """verl's `prime_code`, in as many processes as there are CPUs. It always stops, and knows Python without special judges only."""

    name: str
    python: str
    prime_code: Path

    def run(self, workload: Path, folder: Path, *, stop: bool) -> dict[Pass, Figures]:
        """One pass with ``stop``; nothing else."""
        del folder
        if not stop or any(task.language != "python" or task.judge for task in read_tasks(workload)):
            return {}
        driver = Path(__file__).with_name("verl_driver.py")
        command = [self.python, str(driver), str(self.prime_code), str(workload), str(CPUS)]
        meter = Meter([os.getpid()])
        done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
        spent = meter.spent()
        reply = json.loads(done.stdout)
        return {
            Pass.FIRST: Figures(
                wall_seconds=reply["wall"],
                spent=Spent(tree=reply["cpu"], kernel=spent.kernel, others=spent.others),
                mismatches=reply["mismatches"],
                p50_seconds=reply["p50"],
                p99_seconds=reply["p99"],
            )
        }
