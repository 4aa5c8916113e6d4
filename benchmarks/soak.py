"""Thousands of hostile and honest cases in a row on one judge: nothing may grow, and no honest verdict may change.

The programs are those of the adversarial corpus (``tests/hostile``), in a seeded order. Those that run into a limit on time are
held to a second and are at most one in twenty. After each tenth of the run the holdings of the service are noted: resident
bytes, descriptors, threads, processes, mounts, memory groups, entries of the temp folders. Exits with 1 when the last
are more than those after the first tenth (bytes by more than 32 MiB, counts by more than 8, as others use the machine too), or when a
verdict was not one of those due.

    python benchmarks/soak.py [--cases 10000] [--isolation strict] [--slots 2] [--seed 1] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from acceptance.judging import Item
from hostile.rows import Attack, attacks

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.ports import Judge
from scalebox.core.submission import JudgeOptions

MIB: Final = 1 << 20
BLOCKS: Final = 10
SLOW_SHARE: Final = 0.05
SLOW_SECONDS: Final = 0.4
"""What takes longer, alone and for the first time, counts as one that runs into a limit."""
GROWTH_BYTES: Final = 32 * MIB
GROWTH_COUNT: Final = 8
LIMIT_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """What the service and the machine hold while no case runs."""

    resident_bytes: int
    descriptors: int
    threads: int
    processes: int
    mounts: int
    groups: int
    temp_entries: int


def holdings() -> Holdings:
    """Those of this process, its children, and the machine."""
    me = Path("/proc/self")
    return Holdings(
        resident_bytes=int((me / "statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE"),
        descriptors=len(os.listdir(me / "fd")),
        threads=len(os.listdir(me / "task")),
        processes=_family(os.getpid()),
        mounts=len((me / "mountinfo").read_text(encoding="utf-8").splitlines()),
        groups=sum(1 for _ in Path("/sys/fs/cgroup").rglob(f"scalebox-{os.getpid()}-*")),
        temp_entries=sum(len(os.listdir(folder)) for folder in ("/tmp", "/var/tmp", "/dev/shm")),  # ruff: ignore[hardcoded-temp-file] - counted only
    )


def _family(pid: int) -> int:
    children = [
        int(word)
        for file in Path(f"/proc/{pid}/task").glob("*/children")
        for word in file.read_text(encoding="ascii").split()
    ]
    return 1 + sum(map(_family, children))


def hurried(item: Item) -> Item:
    """The item with at most a second for each case."""
    limits = replace(
        item.problem.limits,
        cpu_seconds=min(item.problem.limits.cpu_seconds, LIMIT_SECONDS),
        wall_seconds=LIMIT_SECONDS + 0.5,
        compile_seconds=10.0,
    )
    return replace(item, problem=replace(item.problem, limits=limits))


async def verdict(judge: Judge, item: Item) -> str:
    """What the judge says."""
    judgement = await judge.judge(item.submission, item.problem, JudgeOptions(deadline_seconds=600, fresh=True))
    return judgement.verdict.value


async def sorted_out(judge: Judge, every: Sequence[Attack]) -> tuple[list[Item], list[Item], dict[str, str]]:
    """Quick items, slow ones, and the verdict of each when it is judged alone."""
    quick: list[Item] = []
    slow: list[Item] = []
    alone: dict[str, str] = {}
    for attack in every:
        if attack.setup or attack.before:
            continue
        item = hurried(attack.item) if attack.hostile else attack.item
        began = time.monotonic()
        alone[item.id] = await verdict(judge, item)
        (slow if time.monotonic() - began > SLOW_SECONDS else quick).append(item)
    return quick, slow, alone


async def run(arguments: argparse.Namespace) -> dict[str, object]:
    """The whole of it."""
    order = random.Random(arguments.seed)  # ruff: ignore[suspicious-non-cryptographic-random-usage] - to be repeated
    settings = load_settings({"slots": arguments.slots, "isolation": arguments.isolation})
    changed: Counter[str] = Counter()
    noted: list[Holdings] = []
    async with open_judge(settings) as judge:
        every = attacks()
        honest = {attack.item.id for attack in every if not attack.hostile}
        quick, slow, alone = await sorted_out(judge, every)
        print(f"{len(quick)} quick and {len(slow)} slow programs, {len(honest)} of all are honest")
        began = time.monotonic()
        for block in range(BLOCKS):
            count = arguments.cases // BLOCKS
            chosen = order.choices(slow, k=int(count * SLOW_SHARE)) if slow else []
            chosen += order.choices(quick, k=count - len(chosen))
            order.shuffle(chosen)
            for item, said in zip(chosen, await all_verdicts(judge, chosen, arguments.slots), strict=True):
                if said != alone[item.id] and (item.id in honest or said not in item.due):
                    changed[f"{item.id}: {alone[item.id]} alone, then {said}"] += 1
            noted.append(holdings())
            print(
                f"{(block + 1) * count:7} cases in {time.monotonic() - began:6.0f} s: {asdict(noted[-1])}", flush=True
            )
    return {
        "cases": arguments.cases,
        "seconds": time.monotonic() - began,
        "changed": dict(changed),
        "holdings": [asdict(each) for each in noted],
    }


async def all_verdicts(judge: Judge, items: Sequence[Item], width: int) -> list[str]:
    """The verdicts of all, so many at a time as there are slots."""
    gate = asyncio.Semaphore(width)

    async def one(item: Item) -> str:
        async with gate:
            return await verdict(judge, item)

    return list(await asyncio.gather(*map(one, items)))


def grown(noted: Sequence[dict[str, int]]) -> list[str]:
    """What is more at the end than after the first tenth."""
    first, last = noted[0], noted[-1]
    return [
        f"{name}: {first[name]} -> {last[name]}"
        for name in first
        if last[name] - first[name] > (GROWTH_BYTES if name == "resident_bytes" else GROWTH_COUNT)
    ]


def main() -> None:
    """Run, print, and fail where something grew or changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--isolation", default="auto", choices=["auto", "strict", "standard"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    told = asyncio.run(run(arguments))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    more = grown(told["holdings"])  # type: ignore[arg-type]  # made a few lines above
    print(f"verdicts that changed: {told['changed'] or 'none'}; holdings that grew: {more or 'none'}")
    if told["changed"] or more:
        sys.exit(1)


if __name__ == "__main__":
    main()
