"""What earlier judgements save: the shared workloads twice, stopping at the first failure, every source changed by a comment between.

Each row is a server of its own, one slot a CPU, driven by the shared ``load.py`` as it is; nothing is shared in flight and no verdict is
remembered, so that only order (and, where asked for, time limits) is learned. Cases and CPU seconds hold on a noisy machine;
tasks a second do not.

    python benchmarks/second_pass.py [--shared ../shared] [--rounds 3] [--workload short --workload mixed] [--learned-limits]

With ``--learned-limits`` every request asks for them. Tasks that exceed the time limit are right programs with an endless loop for one
input; so that there is something to learn from, a third pass before the first judges them without it, in as many variants as it takes.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from common import CPUS, Server, read_rows, server
from meter import tree
from systems import CONCURRENCY

PORT: Final = 18250
VARIANTS: Final = 3
LOOP: Final = re.compile(r"if _k==\d+:\n    _x=0\n    while True: _x\+=1\n")
Task = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One pass."""

    cases: int
    cpu_seconds: float
    tasks_per_second: float
    mismatches: int


def changed(task: Task, note: str, *, learned: bool) -> Task:
    """A task whose program has one more comment."""
    head, fence, tail = str(task["completion"]).rpartition("```")
    config = task["config"]
    extra = {**config.get("extra", {}), "learned_limits": learned}
    return {**task, "completion": f"{head}# {note}\n{fence}{tail}", "config": {**config, "extra": extra}}


def without_loop(task: Task) -> Task:
    """A task that would exceed the time limit, mended."""
    mended = LOOP.sub("", str(task["completion"]))
    expected = {"accepted": True, "tests": [True] * len(task["expected"]["tests"])}
    return {**task, "completion": mended, "expected": expected}


def cases_run(url: str) -> int:
    """Cases that the server has run so far."""
    with urllib.request.urlopen(f"{url}/metrics") as reply:  # noqa: S310 - our own server
        found = re.search(r"^scalebox_cases_run_total (\S+)$", reply.read().decode(), re.MULTILINE)
    return 0 if found is None else round(float(found[1]))


def one_pass(load: Path, tasks: Sequence[Task], ours: Server) -> Row:
    """Send tasks through the load generator."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workload.jsonl"
        path.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
        cases, spent = cases_run(ours.url), tree([ours.pid])
        command = [sys.executable, str(load), "--url", ours.url, "--workload", str(path)]
        command += ["--concurrency", str(CONCURRENCY), "--run-all", "0"]
        done = subprocess.run(command, capture_output=True, check=True)  # ruff: ignore[subprocess-without-shell-equals-true]
        reply = json.loads(done.stdout)
        spent = tree([ours.pid]) - spent
    return Row(
        cases=cases_run(ours.url) - cases,
        cpu_seconds=spent.both,
        tasks_per_second=reply["tasks_s"],
        mismatches=reply["mismatches"],
    )


def passes(load: Path, tasks: Sequence[Task], settings: dict[str, str], *, learned: bool) -> tuple[Row, Row]:
    """First and second pass against one server."""
    with server(PORT, share="0", verdict_cache_mb="0", log_level="warning", **settings) as ours:
        if learned:
            mended = [without_loop(task) for task in tasks if task["kind"] == "tle"]
            for number in range(VARIANTS):
                one_pass(load, [changed(task, f"variant {number}", learned=False) for task in mended], ours)
        first = one_pass(load, [changed(task, "first", learned=learned) for task in tasks], ours)
        second = one_pass(load, [changed(task, "second", learned=learned) for task in tasks], ours)
    return first, second


def median(rows: Sequence[Row]) -> Row:
    """The middle of each figure; of mismatches the most."""
    return Row(
        cases=round(statistics.median(row.cases for row in rows)),
        cpu_seconds=statistics.median(row.cpu_seconds for row in rows),
        tasks_per_second=statistics.median(row.tasks_per_second for row in rows),
        mismatches=max(row.mismatches for row in rows),
    )


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workload", action="append", choices=["short", "mixed", "judge"])
    parser.add_argument("--learned-limits", action="store_true")
    arguments = parser.parse_args()
    load = arguments.shared / "bench" / "load.py"
    print(f"{CPUS} CPUs, {arguments.rounds} rounds, medians")
    for name in arguments.workload or ["short", "mixed"]:
        tasks = read_rows(arguments.shared / "bench" / f"workload_{name}.jsonl.gz")
        kinds: list[tuple[str, dict[str, str], bool]] = [
            ("case order", {"learn_order": "0"}, False),
            ("order learned", {}, False),
        ]
        if arguments.learned_limits and any(task["kind"] == "tle" for task in tasks):
            kinds.append(("and limits", {}, True))
        runs: dict[str, list[tuple[Row, Row]]] = {label: [] for label, _, _ in kinds}
        for _ in range(arguments.rounds):
            for label, settings, learned in kinds:
                runs[label].append(passes(load, tasks, settings, learned=learned))
        for label, _, _ in kinds:
            for number in (0, 1):
                row = median([pair[number] for pair in runs[label]])
                print(
                    f"{name:6} {label:14} pass {number + 1}  {row.cases:5} cases  {row.cpu_seconds:6.2f} CPU s  "
                    f"{row.tasks_per_second:6.2f} tasks/s  {row.mismatches} mismatches",
                    flush=True,
                )


if __name__ == "__main__":
    main()
