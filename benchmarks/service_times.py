"""What a workload's submissions cost on this machine: seconds of each case, and what everything else adds to them.

The programs' own CPU seconds come from judging every task, one after the other, on one slot. What a case costs beside its
program, on the slots and in the service, is then set so that the simulation takes as long for the whole workload as a real
server under the shared load generator (median of the rounds). That is the calibration `wall`, which wants a machine that does
nothing else. The calibration `cpu` counts the CPU seconds of server and client instead: it bears other work on the machine, and
leaves out what idles.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from case_costs import by_kind
from common import CPUS, read_rows, server
from meter import machine
from simulation import Costs, Task, Work, simulate

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import AGAINST
from scalebox.wire import convert_legacy, legacy
from scalebox.wire.parse import validate

CLIENTS: Final = 2 * CPUS
"""Requests at once, as in `workloads.py`."""
START_SECONDS: Final = 20.0

Json = dict[str, Any]


async def judged(tasks: Sequence[Mapping[str, object]]) -> list[Json]:
    """Seconds and verdicts of every case of every task, on one slot."""
    found: list[Json] = []
    async with open_judge(Settings(slots=1)) as judge:
        for task in tasks:
            call = convert_legacy.batch_call(
                validate(legacy.BatchIn, {"completion": task["completion"], "config": task["config"]})
            )
            judgement = await judge.judge(call.submission, call.problem, JudgeOptions(deadline_seconds=3600))
            compiled = judgement.compile.usage.cpu_seconds if judgement.compile else 0.0
            found.append(
                dict(
                    name=task["name"],
                    kind=task["kind"],
                    first_seconds=round(compiled, 6),
                    cases=[round(case.usage.cpu_seconds, 6) for case in judgement.cases],
                    fails=[case.verdict in AGAINST for case in judgement.cases],
                )
            )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One run of a workload against a server."""

    wall_seconds: float
    cpu_seconds: float
    """Of the service, its slots, the programs and the client."""
    loop_seconds: float
    """Of the service's own process, for each case."""
    others: float
    """CPU seconds of everything else on the machine, for each second of each CPU."""


def loaded(path: Path, load: Path, port: int, *, run_all: bool) -> Round:
    """The workload through the shared load generator, on a server of its own."""
    with server(port) as ours, tempfile.NamedTemporaryFile() as reply:
        command = [sys.executable, str(load), "--url", ours.url, "--workload", str(path)]
        command += ["--concurrency", str(CLIENTS), "--run-all", str(int(run_all)), "--json", reply.name]
        before, busy, client = by_kind(ours.pid), machine(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        after, asked = by_kind(ours.pid), resource.getrusage(resource.RUSAGE_CHILDREN)
        busy = machine() - busy
        told = json.loads(Path(reply.name).read_text(encoding="utf-8"))
    spent = sum((after[kind] - before[kind]).both for kind in after)
    spent += asked.ru_utime - client.ru_utime + asked.ru_stime - client.ru_stime
    return Round(
        wall_seconds=told["wall"],
        cpu_seconds=spent,
        loop_seconds=(after["service"] - before["service"]).both / told["tests"],
        others=(busy - spent) / told["wall"] / CPUS,
    )


def as_task(row: Mapping[str, Any], *, learned: bool = False) -> Task:
    """A task of the simulation.

    Args:
        row: as measured.
        learned: the cases that fail come first, as on a second pass.
    """
    numbers = list(range(len(row["cases"])))
    if learned:
        numbers.sort(key=lambda number: not row["fails"][number])
    return Task(
        name=row["name"],
        first_seconds=row["first_seconds"],
        cases=[row["cases"][number] for number in numbers],
        fails=[row["fails"][number] for number in numbers],
    )


def makespan(tasks: Sequence[Task], costs: Costs, *, stop: bool, slots: int = CPUS, clients: int = CLIENTS) -> float:
    """Seconds that the simulation takes for tasks sent by so many clients."""
    works = [Work(task, 0.0, stop) for task in tasks]
    return simulate("hybrid", works, slots=slots, costs=costs, clients=clients).span


def calibrated(tasks: Sequence[Task], loop_seconds: float, wall_seconds: float) -> Costs:
    """The costs with which the simulation takes as long as the machine did, every case run.

    Raises:
        ValueError: the machine was faster than the programs alone are.
    """
    if makespan(tasks, Costs(slot_seconds=0.0, loop_seconds=0.0), stop=False) > wall_seconds:
        message = (
            "the machine was busy while the cases were timed: they took longer alone than the whole; measure again"
        )
        raise ValueError(message)
    low, high = 0.0, wall_seconds
    for _ in range(40):
        middle = (low + high) / 2
        loop = min(loop_seconds, middle)
        took = makespan(tasks, Costs(slot_seconds=middle - loop, loop_seconds=loop), stop=False)
        low, high = (middle, high) if took < wall_seconds else (low, middle)
    loop = min(loop_seconds, low)
    return Costs(slot_seconds=low - loop, loop_seconds=loop)


def spread_evenly(tasks: Sequence[Task], loop_seconds: float, cpu_seconds: float) -> Costs:
    """The costs with which the cases use as much CPU as the machine's did."""
    cases = sum(len(task.cases) for task in tasks)
    programs = sum(sum(task.cases) + task.first_seconds for task in tasks)
    return Costs(slot_seconds=max(0.0, (cpu_seconds - programs) / cases - loop_seconds), loop_seconds=loop_seconds)


def measure(shared: Path, workload: str, rounds: int, port: int) -> Json:
    """Everything that the simulation needs to know of a workload and this machine."""
    path = shared / "bench" / f"workload_{workload}.jsonl.gz"
    rows = asyncio.run(judged(read_rows(path)))
    runs = [loaded(path, shared / "bench" / "load.py", port, run_all=True) for _ in range(rounds)]
    tasks = [as_task(row) for row in rows]
    loop = statistics.median(run.loop_seconds for run in runs)
    by_wall = calibrated(tasks, loop, statistics.median(run.wall_seconds for run in runs))
    by_cpu = spread_evenly(tasks, loop, statistics.median(run.cpu_seconds for run in runs))
    return dict(
        workload=workload,
        slots=CPUS,
        clients=CLIENTS,
        rounds=[asdict(run) for run in runs],
        program_seconds=sum(sum(row["cases"]) for row in rows),
        costs=dict(wall=asdict(by_wall), cpu=asdict(by_cpu)),
        tasks=rows,
    )
