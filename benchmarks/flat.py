"""Whether a server grows: resident memory of the service and of the slots' parents, and CPU a case, after each so many cases.

Every submission is another program (a comment differs), so that the caches for programs and problems are filled and turned over as
in training; half of them fail one of their cases. Exits with 1 where the last figures exceed those after the first tenth by more
than ``--most-mb`` for the service, or by a tenth of that for a parent.

    nice python benchmarks/flat.py [--cases 100000] [--every 10000] [--tests 20] [--depth 16] [--json FILE]
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from common import PORT, Server, server, show, write_json
from meter import children_of, tree
from sending import Connection

PROBLEMS: Final = 50
SOURCE: Final = "number = int(input())\nprint(number + 1 if number != {wrong} else 0)  # {mark}\n"


def resident_kb(pid: int) -> int:
    """Memory that a process has of its own and shares, in KiB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def parents_of(service: int) -> list[int]:
    """The slots' parents."""
    return [parent for launcher in children_of(service) for parent in children_of(launcher)]


def body(number: int, tests: int) -> bytes:
    """A submission of its own, to one of the problems; every other fails."""
    base = number % PROBLEMS * 1000
    wrong = base + number // PROBLEMS % tests if number % 2 else -1
    cases = [{"kind": "stdio", "input": f"{base + case}\n", "answer": f"{base + case + 1}\n"} for case in range(tests)]
    asked = {"source": SOURCE.format(wrong=wrong, mark=number), "language": "python", "detail": "verdict"}
    return json.dumps(asked | {"problem": {"tests": cases}, "stop_on_failure": False}).encode()


def block(ours: Server, numbers: itertools.count[int], cases: int, tests: int, depth: int) -> dict[str, object]:
    """Judge so many cases; what they cost, and what is held afterwards."""
    before, began = tree([ours.pid]).both, time.perf_counter()
    last = iter(range(cases // tests))

    def keep_up(_: int) -> None:
        connection = Connection(ours.url)
        try:
            for _ in last:
                number = next(numbers)
                connection.ask(body(number, tests), "WA" if number % 2 else "AC")
        finally:
            connection.close()

    with ThreadPoolExecutor(depth) as threads:
        list(threads.map(keep_up, range(depth)))
    parents = [resident_kb(pid) for pid in parents_of(ours.pid)]
    return {
        "service_mb": resident_kb(ours.pid) / 1024,
        "largest_parent_mb": max(parents) / 1024,
        "parents": len(parents),
        "cpu_us_a_case": 1e6 * (tree([ours.pid]).both - before) / cases,
        "cases_a_second": cases / (time.perf_counter() - began),
    }


def main() -> None:
    """Measure, print as it goes, and say whether anything grew."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=100_000)
    options.add_argument("--every", type=int, default=10_000)
    options.add_argument("--tests", type=int, default=20, help="of a submission")
    options.add_argument("--depth", type=int, default=16, help="submissions in flight")
    options.add_argument("--most-mb", type=float, default=32.0, help="that the service may hold more than at first")
    options.add_argument("--port", type=int, default=PORT)
    options.add_argument("--json", type=Path, metavar="FILE")
    arguments = options.parse_args()
    numbers, rows = itertools.count(), []
    with server(arguments.port, keep_order="0") as ours:
        for done in range(arguments.every, arguments.cases + 1, arguments.every):
            row = block(ours, numbers, arguments.every, arguments.tests, arguments.depth)
            rows.append({"cases": done} | row)
            show(rows[-1:])
    write_json(arguments.json, rows)
    first, last = rows[max(0, len(rows) // 10 - 1)], rows[-1]
    allowed = {"service_mb": arguments.most_mb, "largest_parent_mb": arguments.most_mb / 10}
    grown = {name: float(str(last[name])) - float(str(first[name])) for name in allowed}
    print(", ".join(f"{name} grew by {more:.1f}" for name, more in grown.items()))
    sys.exit(any(grown[name] > most for name, most in allowed.items()))


if __name__ == "__main__":
    main()
