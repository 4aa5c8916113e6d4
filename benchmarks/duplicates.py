"""What it saves that submissions are alike: the same one many times at once, and one C++ source with different tests.

``distinct``     as many different submissions at once: each source ends in another comment
``same``         one submission, byte for byte, as often at once: what runs already may be shared
``same source``  one source with other tests each time: what is compiled already may be used again

    python benchmarks/duplicates.py [--rounds 3] [--copies 32] [--json FILE]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from by_hand import plain
from common import COMMENT, Task, median, parser, programs_python, server, show, write_json
from meter import Figures, Meter
from sending import Small, all_at_once

_NUMBERS: Final = range(8)
PYTHON: Final = Small(
    source="n = int(input())\nfor _ in range(200_000):\n    pass\nprint(n)\n",
    language="python",
    inputs=tuple(f"{number}\n" for number in _NUMBERS),
    answers=tuple(f"{number}\n" for number in _NUMBERS),
)
CPP: Final = replace(
    PYTHON,
    source="#include <iostream>\n#include <algorithm>\nint main() { int n; std::cin >> n; std::cout << std::max(n, -1) << '\\n'; }\n",
    language="cpp",
)
RUN_SECONDS: Final = 10.0


def submissions(small: Small, copies: int) -> dict[str, list[Small]]:
    """The three kinds of likeness."""
    distinct = [replace(small, source=f"{small.source}{COMMENT[small.language]} {copy}\n") for copy in range(copies)]
    other_tests = [
        replace(small, inputs=_shifted(small, copy), answers=_shifted(small, copy)) for copy in range(copies)
    ]
    return {"distinct": distinct, "same": [small] * copies, "same source": other_tests}


def _shifted(small: Small, by: int) -> tuple[str, ...]:
    return tuple(f"{number + (by + 1) * len(small.inputs)}\n" for number in range(len(small.inputs)))


def sent(port: int, asked: Sequence[Small]) -> Figures:
    """All of them at once to a server of their own."""
    bodies = [small.body() for small in asked]
    with server(port) as ours:
        meter, began = Meter([ours.pid]), time.perf_counter()
        all_at_once(ours.url, bodies)
        return Figures(wall_seconds=time.perf_counter() - began, spent=meter.spent())


def by_hand(asked: Sequence[Small]) -> Figures:
    """The same by hand."""
    tasks = [
        Task(
            name=str(number),
            language=small.language,
            source=small.source,
            run_seconds=RUN_SECONDS,
            inputs=tuple(text.encode() for text in small.inputs),
            answers=tuple(text.encode() for text in small.answers),
            judge=None,
            accepted=True,
            due=(),
        )
        for number, small in enumerate(asked)
    ]
    return plain(tasks, programs_python(), stop=False)


def measure(arguments: argparse.Namespace) -> list[dict[str, object]]:
    """All rounds."""
    found: dict[tuple[str, str], list[tuple[Figures, Figures]]] = {}
    for _ in range(arguments.rounds):
        for small in (PYTHON, CPP):
            kinds = submissions(small, arguments.copies)
            beside = by_hand(kinds["distinct"])
            found.setdefault((small.language, "plain"), []).append((beside, beside))
            for kind, asked in kinds.items():
                found.setdefault((small.language, kind), []).append((sent(arguments.port, asked), beside))
    return [
        {
            "language": language,
            "what": what,
            "submissions_per_second": median([arguments.copies / figures.wall_seconds for figures, _ in turns]),
            "times_plain": median([beside.wall_seconds / figures.wall_seconds for figures, beside in turns]),
            "cpu_seconds": median([figures.spent.system for figures, _ in turns]),
        }
        for (language, what), turns in found.items()
    ]


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3)
    options.add_argument("--copies", type=int, default=32, help="submissions at once (32)")
    arguments = options.parse_args()
    rows = measure(arguments)
    show(rows)
    write_json(arguments.json, rows, rounds=arguments.rounds, copies=arguments.copies)


if __name__ == "__main__":
    main()
