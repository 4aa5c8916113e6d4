"""What each wall costs a case: a slot with all of them beside slots that lack one, in turns within one run.

A trivial Python program is run as a case on each slot; the price of a wall is the CPU (service, slot's parent and box) of the full
slot less that of the slot without it, as a share of a bare fork of the programs' interpreter. Namespaces, the root and the
limits are put up once, or with every box at any level; they have no price of their own here. The differences are taken
round by round, so that a machine whose speed drifts slows all alike; a price below its own spread is not told from nothing.

    python benchmarks/walls.py [--rounds 25] [--count 60] [--isolation strict] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from overhead import FORK, PROGRAM, inside, outside

from scalebox.assembly import Engine, open_engine
from scalebox.config import load_settings
from scalebox.core.limits import Limits
from scalebox.core.result import CompileResult
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.slot import SlotSettings

FULL: Final = "all walls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A slot with its walls, and the program as made there."""

    pair: Pair
    program: Program


def variants(full: SlotSettings) -> Mapping[str, SlotSettings]:
    """The full slot, and slots that each lack one wall."""
    found = {FULL: full}
    if full.seccomp:
        found["system-call filter"] = replace(full, seccomp=False)
    if full.landlock_abi:
        found["landlock"] = replace(full, landlock_abi=0)
    if full.use_cgroup:
        found["memory cgroup (a watchdog without it)"] = replace(full, use_cgroup=False)
    return found


async def opened(engine: Engine, settings: SlotSettings, ends: contextlib.AsyncExitStack) -> Place:
    """A slot of those settings, warm."""
    pair = Pair(settings)
    ends.push_async_callback(pair.close)
    language = engine.catalogue.get("python")
    assert language is not None  # ruff: ignore[assert] - it is part of the package
    made = await engine.runner.compile(pair, language, PROGRAM.encode(), Limits())
    if isinstance(made, CompileResult):
        raise SystemExit(made.message)
    await inside(engine, pair, made, 100)
    return Place(pair=pair, program=made)


async def measure(arguments: argparse.Namespace) -> tuple[list[float], dict[str, list[float]]]:
    """CPU microseconds of a bare fork and of a case on each slot, round by round."""
    forks: list[float] = []
    cases: dict[str, list[float]] = {}
    settings = load_settings({"slots": 1, "isolation": arguments.isolation})
    async with open_engine(settings) as engine, contextlib.AsyncExitStack() as ends:
        places: dict[str, Place] = {}
        for name, variant in variants(engine.slots).items():
            places[name] = await opened(engine, variant, ends)
        print(
            f"{engine.walls.level} isolation: {', '.join(engine.walls.names())}; programs under {engine.slots.python}"
        )
        for _ in range(arguments.rounds):
            forks.append((await asyncio.to_thread(outside, engine.slots.python, FORK, arguments.count)).cpu)
            for name, place in places.items():
                cost = await inside(engine, place.pair, place.program, arguments.count)
                cases.setdefault(name, []).append(cost.cpu)
    return forks, cases


def report(forks: list[float], cases: dict[str, list[float]]) -> dict[str, float]:
    """The table; returns its shares."""
    shares: dict[str, float] = {}
    print(f"a bare fork: {statistics.median(forks):.0f} us of CPU")
    print(f"{'':40} {'CPU us':>8} {'price us':>9} {'of a fork':>9} {'spread':>8}")
    for name, costs in cases.items():
        prices = [(full - cost) / fork for full, cost, fork in zip(cases[FULL], costs, forks, strict=True)]
        price, spread = statistics.median(prices), _spread(prices)
        shares[name] = statistics.median(c / f for c, f in zip(costs, forks, strict=True)) if name == FULL else price
        told = f"{price * statistics.median(forks):9.0f} {price:8.1%} {spread:8.1%}" if name != FULL else ""
        print(f"{name:40} {statistics.median(costs):8.0f} {told}")
    return shares


def _spread(values: list[float]) -> float:
    """Half the distance between the quartiles, over the square root of the rounds: what the median may be off by."""
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2 / math.sqrt(len(values))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--isolation", default="auto", choices=["auto", "strict", "standard"])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    shares = report(*asyncio.run(measure(arguments)))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(shares, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
