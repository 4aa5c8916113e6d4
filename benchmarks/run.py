"""Run the benchmarks of `BENCHMARKS` one after another, write their figures to a folder, and render the report.

python benchmarks/run.py [--only latency --only workloads] [--rounds 3] [--results benchmarks/results] [--report docs/performance.md]
    python benchmarks/run.py --quick

``--quick`` shows that they work: small numbers of everything, into ``build/bench``, and nothing to believe.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from common import PAGE, RESULTS

HERE: Final = Path(__file__).parent
QUICK: Final = HERE.parent / "build" / "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A script that takes ``--json FILE``, and what else it is given."""

    script: str
    rounds: int | None = None
    """For ``--rounds``; None where it has no such option."""
    quick: tuple[str, ...] = ()
    """More arguments for a quick look, which shows that it works and measures nothing."""


BENCHMARKS: Final = (
    Benchmark(script="workloads", rounds=3, quick=("--tasks", "4")),
    Benchmark(script="latency", rounds=3, quick=("--requests", "20", "--depth", "6")),
    Benchmark(script="duplicates", rounds=3, quick=("--copies", "4")),
    Benchmark(script="overhead", rounds=15, quick=("--count", "20")),
)
"""What `make bench` runs, in this order. A new script is added here, and to `report.SECTIONS` if a table of its rows is not enough."""


def main() -> None:
    """Run them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", action="append", choices=[each.script for each in BENCHMARKS], metavar="NAME")
    options.add_argument("--rounds", type=int, help="for all that have rounds, instead of their own number")
    options.add_argument("--quick", action="store_true", help="one small round each, to see that they work")
    options.add_argument("--results", type=Path, metavar="FOLDER", help=f"for the figures ({RESULTS})")
    options.add_argument("--report", type=Path, metavar="FILE", help=f"the page that is rendered ({PAGE})")
    arguments = options.parse_args()
    results = arguments.results or (QUICK if arguments.quick else RESULTS)
    page = arguments.report or (QUICK / PAGE.name if arguments.quick else PAGE)
    results.mkdir(parents=True, exist_ok=True)
    for each in BENCHMARKS:
        if arguments.only and each.script not in arguments.only:
            continue
        command = [
            sys.executable,
            str(HERE / f"{each.script}.py"),
            "--json",
            str(results / f"{each.script}.json"),
        ]
        if each.rounds is not None:
            command += ["--rounds", str(1 if arguments.quick else arguments.rounds or each.rounds)]
        command += each.quick if arguments.quick else ()
        print(f"\n=== {each.script}", flush=True)
        began = time.monotonic()
        subprocess.run(command, check=True)  # noqa: S603 - our own scripts
        print(f"({time.monotonic() - began:.0f} s)", flush=True)
    render = [sys.executable, str(HERE / "report.py"), "--results", str(results), "--output", str(page)]
    subprocess.run(render, check=True)  # noqa: S603 - our own script


if __name__ == "__main__":
    main()
