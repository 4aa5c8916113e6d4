"""What a small task waits: on an idle server, and while heavy ones fill the queue.

``idle``   a Python program with five tests, one request at a time on a kept connection, a pause between; beside ``plain``, the same
           five tests as five fresh processes one after another
``heavy``  submissions of many tests of 20 ms of CPU and more, so many in flight that the queue is never empty, all of one tenant and of priority ``training``
``small``  the small task while the queue is full, one each quarter of a second whether or not those before are answered: of the same
           priority as the heavy ones, and in turn as ``interactive``

    python benchmarks/latency.py [--rounds 3] [--requests 200] [--depth 32] [--json FILE]
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from common import at, median, parser, programs_python, server, show, write_json
from sending import Connection, Small, in_time, kept_up

SMALL: Final = Small(
    source="print(int(input()) + 1)\n",
    language="python",
    inputs=tuple(f"{number}\n" for number in range(5)),
    answers=tuple(f"{number + 1}\n" for number in range(5)),
)
HEAVY: Final = Small(
    source="n = int(input())\nfor _ in range(500_000):\n    pass\nprint(n)\n",
    language="python",
    inputs=tuple(f"{number}\n" for number in range(20)),
    answers=tuple(f"{number}\n" for number in range(20)),
)
PAUSE_SECONDS: Final = 0.02
EVERY_SECONDS: Final = 0.25
WARM_UP: Final = 20


def plain(python: str, count: int) -> list[float]:
    """Seconds of the small task's five tests by hand."""
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.py"
        path.write_text(SMALL.source, encoding="utf-8")
        for _ in range(count):
            began = time.perf_counter()
            for stdin, answer in zip(SMALL.inputs, SMALL.answers, strict=True):
                done = subprocess.run([python, str(path)], input=stdin, capture_output=True, text=True, check=True)  # noqa: S603
                assert done.stdout == answer  # noqa: S101 - the program is two lines above
            taken.append(time.perf_counter() - began)
            time.sleep(PAUSE_SECONDS)
    return taken


def idle(url: str, count: int) -> list[float]:
    """Seconds of the small task alone."""
    connection, body = Connection(url), SMALL.body()
    taken = []
    for number in range(WARM_UP + count):
        seconds = connection.judge(body)
        if number >= WARM_UP:
            taken.append(seconds)
        time.sleep(PAUSE_SECONDS)
    connection.close()
    return taken


def under_load(url: str, depth: int, count: int, priority: str) -> tuple[list[float], list[float]]:
    """Seconds of heavy submissions, and of small ones of a priority among them."""
    done = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        heavy = threads.submit(kept_up, url, HEAVY.body(), depth, done.is_set)
        try:
            time.sleep(2.0)  # the queue fills
            small = in_time(url, SMALL.body(priority), count, EVERY_SECONDS)
        finally:
            done.set()
        return heavy.result(), small


def row(what: str, rounds: Sequence[Sequence[float]], beside: Sequence[Sequence[float]]) -> dict[str, object]:
    """Medians over the rounds; the ratio is of the rounds' p50."""
    return {
        "what": what,
        "p50_ms": median([1000 * at(each, 0.5) for each in rounds]),
        "p99_ms": median([1000 * at(each, 0.99) for each in rounds]),
        "most_ms": median([1000 * max(each) for each in rounds]),
        "requests": len(rounds[0]),
        "p50_times_plain": median([at(each, 0.5) / at(other, 0.5) for each, other in zip(rounds, beside, strict=True)]),
    }


def measure(arguments: argparse.Namespace) -> list[dict[str, object]]:
    """All rounds."""
    by_hand, alone, heavy, small, urgent = [], [], [], [], []
    for _ in range(arguments.rounds):
        by_hand.append(plain(programs_python(), max(arguments.requests // 4, 5)))
        count = max(arguments.requests // 4, 5)
        with server(arguments.port, share="0") as ours:
            alone.append(idle(ours.url, arguments.requests))
            slow, quick = under_load(ours.url, arguments.depth, count, "training")
            urgent.append(under_load(ours.url, arguments.depth, count, "interactive")[1])
        heavy.append(slow)
        small.append(quick)
    return [
        row("plain", by_hand, by_hand),
        row("small, idle server", alone, by_hand),
        row("small, full queue", small, by_hand),
        row("small and interactive, full queue", urgent, by_hand),
        row("heavy, full queue", heavy, by_hand),
    ]


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3)
    options.add_argument("--requests", type=int, default=200, help="of the small task, on the idle server (200)")
    options.add_argument("--depth", type=int, default=32, help="heavy submissions in flight (32)")
    arguments = options.parse_args()
    rows = measure(arguments)
    show(rows)
    write_json(arguments.json, rows, rounds=arguments.rounds, depth=arguments.depth)


if __name__ == "__main__":
    main()
