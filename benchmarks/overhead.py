"""What a trivial isolated Python case costs inside the engine, beside a bare fork and beside starting the interpreter.

Three things in turns, so that a machine whose speed drifts slows all alike; ratios are of medians over the rounds:

``fork``     fork and exit of the programs' own interpreter, started with ``-I -S`` (CPU of parent and child)
``start``    ``python3 -I -S file.py`` once a case, from the shell's point of view: fork, exec, run, wait
``case``     the same program as a case: request to a slot, box, walls, limits, output, usage, clean-up, reply
             (CPU of the service's process, the slot's parent and the box)

    python benchmarks/overhead.py [--rounds 15] [--count 100] [--isolation strict] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from meter import on_cpu

from scalebox.assembly import Engine, open_engine
from scalebox.config import load_settings
from scalebox.core.limits import Limits
from scalebox.core.result import CompileResult
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import Input
from scalebox.runner.slot import tree_of

PROGRAM: Final = "print(int(input()) + 1)\n"
FORK: Final = """
import os, resource, sys, time
count = int(sys.argv[1])
began = time.perf_counter()
for _ in range(count):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
wall = time.perf_counter() - began
spent = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(wall, spent)
"""
START: Final = """
import resource, subprocess, sys, time
count, path = int(sys.argv[1]), sys.argv[2]
began = time.perf_counter()
for _ in range(count):
    subprocess.run([sys.executable, "-I", "-S", path], input=b"41\\n", stdout=subprocess.PIPE, check=True)
wall = time.perf_counter() - began
print(wall, sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Microseconds a piece."""

    wall: float
    cpu: float


def outside(python: str, script: str, count: int, *args: str) -> Cost:
    """Run a measuring script under the programs' interpreter; its own start-up is not counted in the wall time."""
    asked = [python, "-I", "-S", "-c", script, str(count), *args]
    reply = subprocess.run(asked, capture_output=True, text=True, check=True)  # ruff: ignore[subprocess-without-shell-equals-true] - our own scripts
    wall, cpu = (float(word) for word in reply.stdout.split())
    return Cost(wall=wall / count * 1e6, cpu=(cpu - idle(python)) / count * 1e6)


_idle: dict[str, float] = {}


def idle(python: str) -> float:
    """CPU seconds that the measuring interpreter itself needs to start."""
    if python not in _idle:
        script = "import resource; print(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))"
        costs = [
            float(subprocess.run([python, "-I", "-S", "-c", script], capture_output=True, check=True).stdout)  # ruff: ignore[subprocess-without-shell-equals-true]
            for _ in range(7)
        ]
        _idle[python] = statistics.median(costs)
    return _idle[python]


async def inside(engine: Engine, pair: Pair, program: Program, count: int) -> Cost:
    """Run the program as ``count`` cases on one slot."""
    slot = await pair.main()
    parents = tree_of(slot.pid) or [slot.pid]
    before = sum(map(on_cpu, parents)) + time.process_time()
    boxes = 0.0
    began = time.perf_counter()
    for _ in range(count):
        result = await engine.runner.run(pair, program, Input(stdin=b"41\n"), Limits())
        if result.stdout != b"42\n":
            message = f"a case went wrong: {result}"
            raise RuntimeError(message)
        boxes += result.usage.cpu_seconds
    wall = time.perf_counter() - began
    spent = sum(map(on_cpu, parents)) + time.process_time() - before + boxes
    return Cost(wall=wall / count * 1e6, cpu=spent / count * 1e6)


async def measure(arguments: argparse.Namespace) -> dict[str, list[Cost]]:
    """All rounds."""
    settings = load_settings({"slots": 1, "isolation": arguments.isolation})
    found: dict[str, list[Cost]] = {"fork": [], "start": [], "case": []}
    async with open_engine(settings) as engine:
        language = engine.catalogue.get("python")
        if language is None:
            sys.exit("there is no definition of Python")
        python, count = engine.slots.python, arguments.count
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file.py"
            path.write_text(PROGRAM, encoding="ascii")
            async with engine.pool.lease() as pair:
                program = await engine.runner.compile(pair, language, PROGRAM.encode(), Limits())
                if isinstance(program, CompileResult):
                    sys.exit(program.message)
                await inside(engine, pair, program, count)
                for _ in range(arguments.rounds):
                    found["fork"].append(await asyncio.to_thread(outside, python, FORK, count))
                    found["case"].append(await inside(engine, pair, program, count))
                    found["start"].append(
                        await asyncio.to_thread(outside, python, START, max(count // 5, 5), str(path))
                    )
        print(f"{engine.walls.level} isolation: {', '.join(engine.walls.names())}; programs under {python}")
    return found


def report(found: dict[str, list[Cost]]) -> dict[str, float]:
    """Medians and the ratios that are promised."""
    figures: dict[str, float] = {}
    print(f"{'':8} {'wall us':>10} {'CPU us':>10}")
    for name, costs in found.items():
        figures[name + "_wall_us"] = statistics.median(cost.wall for cost in costs)
        figures[name + "_cpu_us"] = statistics.median(cost.cpu for cost in costs)
        print(f"{name:8} {figures[name + '_wall_us']:10.0f} {figures[name + '_cpu_us']:10.0f}")
    pairs = list(zip(found["case"], found["fork"], found["start"], strict=True))
    figures["cpu_case_over_fork"] = statistics.median(case.cpu / fork.cpu for case, fork, _ in pairs)
    figures["rate_case_over_start"] = statistics.median(start.wall / case.wall for case, _, start in pairs)
    print(f"a case costs {figures['cpu_case_over_fork']:.2f} times the CPU of a bare fork (promised: at most 4)")
    print(
        f"cases a second: {figures['rate_case_over_start']:.2f} times those of starting python3 -I -S (promised: at least 4)"
    )
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--isolation", default="auto", choices=["auto", "strict", "standard", "none"])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = report(asyncio.run(measure(arguments)))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
