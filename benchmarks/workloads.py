"""The shared workloads: tasks a second and CPU seconds of a server, beside `plain` and beside the physical limit.

Everything in turns within one call, so that ratios hold where the machine's speed drifts; each ratio is the median of the rounds'
ratios. ScaleBox is a real server, one slot a CPU, driven by the shared ``load.py`` as it is. Every workload runs with every
test, and with a stop at the first failure: a first pass on a new server, and a second one with each source changed by a comment.
``long`` is made here: right programs whose cases take 20 ms of CPU and more.

    python benchmarks/workloads.py [--shared ../shared] [--rounds 3] [--workload short --workload cpp] [--json FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from by_hand import Pass, limit_seconds, own
from common import (
    CPUS,
    SHARED,
    WORKLOADS,
    median,
    parser,
    programs_python,
    read_tasks,
    show,
    workload_file,
    write_first,
    write_json,
)
from meter import Figures
from systems import OURS, Ours, Plain, System

LONG: Final = "long"
LONG_TASKS: Final = 16
LONG_LOOPS: Final = (1_000_000, 1_250_000, 1_500_000, 2_000_000, 2_500_000)
"""Turns of an empty loop, a case each; the shortest takes about 20 ms on a machine of 2020."""
LONG_SOURCE: Final = "count = int(input())\nfor _ in range(count):\n    pass\nprint(count)\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One run beside what was measured in the same round."""

    figures: Figures
    plain_seconds: float
    limit_seconds: float
    ours: Mapping[Pass, float]
    """Seconds that ScaleBox took."""

    def times(self, which: Pass) -> float | None:
        """How many times as long as ScaleBox's it took; None where there is nothing to compare."""
        return self.figures.wall_seconds / self.ours[which] if which in self.ours else None


def write_long(folder: Path) -> Path:
    """The workload of long cases, in the format of the shared ones."""
    path = folder / f"workload_{LONG}.jsonl.gz"
    texts = [f"{count}\n" for count in LONG_LOOPS]
    data = {"type": "stdin_stdout", "fn_name": None, "input": texts, "output": texts}
    config = {"language": "python", "run_timeout": 5, "provided_data": {"test_cases": data}, "extra": {}}
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for number in range(LONG_TASKS):
            row = {
                "name": f"{number:02}-long",
                "kind": "ok",
                "completion": f"```python\n{LONG_SOURCE}```",
                "config": config,
                "expected": {"accepted": True, "tests": [True] * len(texts)},
            }
            file.write(json.dumps(row) + "\n")
    return path


def measure(workload: Path, systems: Sequence[System], rounds: int, folder: Path) -> list[dict[str, object]]:
    """All rounds of one workload; gives a row for each pass and system."""
    tasks, python = read_tasks(workload), programs_python()
    turns: dict[tuple[Pass, str], list[Turn]] = defaultdict(list)
    for _ in range(rounds):
        costs = own(tasks, python)
        for stop in (False, True):
            (by_hand,) = Plain().run(workload, folder, stop=stop).values()
            found = {("plain", Pass.FIRST if stop else Pass.ALL): by_hand}
            for system in systems:
                found |= {(system.name, which): each for which, each in system.run(workload, folder, stop=stop).items()}
            ours = {which: each.wall_seconds for (name, which), each in found.items() if name == OURS}
            for (name, which), figures in found.items():
                limit = limit_seconds(costs, which)
                turn = Turn(figures=figures, plain_seconds=by_hand.wall_seconds, limit_seconds=limit, ours=ours)
                turns[which, name].append(turn)
    said = workload.name.removeprefix("workload_").partition(".")[0]
    return [row(said, which, name, len(tasks), turns[which, name]) for which, name in sorted(turns, key=_order)]


def _order(key: tuple[Pass, str]) -> int:
    return list(Pass).index(key[0])


def row(workload: str, which: Pass, system: str, tasks: int, turns: Sequence[Turn]) -> dict[str, object]:
    """What a system came to: medians, of figures and of the rounds' ratios."""
    figures = [turn.figures for turn in turns]
    wrong = [each.mismatches for each in figures if each.mismatches is not None]
    return {
        "workload": workload,
        "mode": which.value,
        "system": system,
        "tasks_per_second": median([tasks / each.wall_seconds for each in figures]),
        "times_plain": median([turn.plain_seconds / turn.figures.wall_seconds for turn in turns]),
        "times_limit": median([turn.figures.wall_seconds / turn.limit_seconds for turn in turns]),
        "cpu_seconds": median([each.spent.system for each in figures]),
        "cpu_efficiency": median([turn.limit_seconds * CPUS / turn.figures.spent.system for turn in turns]),
        "p50_seconds": median([each.p50_seconds for each in figures]),
        "p99_seconds": median([each.p99_seconds for each in figures]),
        "mismatches": max(wrong, default=None),
        "others_cpu_seconds": median([each.spent.others for each in figures]),
        "limit_seconds": median([turn.limit_seconds for turn in turns]),
        "scalebox_times": median([turn.times(which) for turn in turns]),
        "scalebox_second_times": median([turn.times(Pass.SECOND) for turn in turns]),
    }


def add_options(options: argparse.ArgumentParser) -> None:
    """Those about workloads."""
    options.add_argument("--shared", type=Path, default=SHARED, help=f"where the shared workloads are ({SHARED})")
    options.add_argument("--workload", action="append", choices=[*WORKLOADS, LONG], help="one of them; may be repeated")
    options.add_argument("--tasks", type=int, metavar="N", help="only the first so many of each, for a quick look")


def measure_all(arguments: argparse.Namespace, systems: Sequence[System]) -> None:
    """The workloads asked for; prints each as it is done, and writes the file anew, so that what was measured is kept."""
    rows: list[dict[str, object]] = []
    print(f"{CPUS} CPUs, {arguments.rounds} rounds, programs under {programs_python()}, medians")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for workload in arguments.workload or [*WORKLOADS, LONG]:
            path = write_long(folder) if workload == LONG else workload_file(arguments.shared, workload)
            if arguments.tasks:
                (folder / "first").mkdir(exist_ok=True)
                path = write_first(path, folder / "first", arguments.tasks)
            found = measure(path, systems, arguments.rounds, folder)
            show(found)
            rows += found
            write_json(arguments.json, rows, rounds=arguments.rounds)


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3)
    add_options(options)
    arguments = options.parse_args()
    ours = Ours(load=arguments.shared / "bench" / "load.py", port=arguments.port)
    measure_all(arguments, [ours])


if __name__ == "__main__":
    main()
