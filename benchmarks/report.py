"""Render the results of `run` and `peers` as a page with figures. Every figure comes from the results folder; nothing is measured here.

    python benchmarks/report.py [--results benchmarks/results] [--output docs/performance.md]

The figures are written beside the page, to a folder of its name. A result without a section of its own is shown as a table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from common import PAGE, RESULTS
from figures import Bars, draw, label

Row = Mapping[str, Any]

HEAD: Final = """\
# Performance

The figures of `make bench`, rendered by [`benchmarks/report.py`](../benchmarks/report.py) from [`benchmarks/results`](../benchmarks/results); change
neither by hand. [`benchmarks/README.md`](../benchmarks/README.md) says what each benchmark measures, how to repeat it, and how to add a peer.
Absolute figures move from machine to machine. Ratios are of things that were measured in turns within one run.
"""
WORDS: Final = """\
`plain` is each test as a fresh `python3 file.py` (C++ is compiled once), from as many threads as there are CPUs: no isolation, no limits, no judgement. The
*limit* is the programs' own CPU, from a program's first own instruction to its exit, on the cases that had to run, over the
CPUs: no judge can be faster. *CPU efficiency* is that own CPU as a share of all CPU the system spent, kernel threads included.
*Others* is what else the machine was busy with, the load generator included: where it is large, the run was disturbed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where figures go, and how the page names them."""

    folder: Path

    def figure(self, name: str, bars: Bars) -> str:
        """Draw a figure and give its line of Markdown."""
        draw(bars, self.folder / f"{name}.svg")
        return f"![{bars.title}]({self.folder.name}/{name}.svg)\n"


def of_workloads(name: str, result: Row, place: Place) -> str:
    """ScaleBox beside plain and the limit."""
    return _workloads("The shared workloads", name, result["rows"], place)


def of_peers(name: str, result: Row, place: Place) -> str:
    """The same with the peers that were measured beside; a run of its own, for some workloads only, is named after a hyphen."""
    _, _, part = name.partition("-")
    text = _workloads(f"Beside other judges: {part}" if part else "Beside other judges", name, result["rows"], place)
    theirs = sorted({row["system"] for row in result["rows"]} - {"plain", "ScaleBox"})
    lines = [_times(result["rows"], peer) for peer in theirs]
    return text + "\n" + "".join(lines)


def _times(rows: Sequence[Row], peer: str) -> str:
    """How many times a peer's tasks a second ScaleBox does, workload by workload."""
    told = []
    for row in (row for row in rows if row["system"] == peer):
        told.append(f"{row['scalebox_times']:.2f} on `{row['workload']}` ({row['mode']})")
        # A peer learns nothing: its only pass with a stop stands beside both of ours.
        if row["scalebox_second_times"] is not None:
            told.append(f"{row['scalebox_second_times']:.2f} (second pass)")
    return f"- ScaleBox does as many times the tasks a second of **{peer}**: {', '.join(told)}.\n"


def _workloads(title: str, name: str, rows: Sequence[Row], place: Place) -> str:
    groups = list(dict.fromkeys((row["workload"], row["mode"]) for row in rows))
    systems = sorted(
        {row["system"]: None for row in rows}, key="plain".__eq__
    )  # plain last: the others keep their colours
    by_key = {(row["workload"], row["mode"], row["system"]): row for row in rows}
    labels = [f"{workload}, {which}" for workload, which in groups]

    def values(field: str, system: str) -> list[float | None]:
        return [by_key.get((*group, system), {}).get(field) for group in groups]

    faster = Bars(
        title="Tasks a second, beside plain",
        axis="times plain (longer is faster)",
        groups=labels,
        series={system: values("times_plain", system) for system in systems if system != "plain"},
        line=(1.0, "plain"),
    )
    efficiency = Bars(
        title="CPU efficiency",
        axis="the programs' own CPU as a share of all that was spent",
        groups=labels,
        series={system: values("cpu_efficiency", system) for system in systems},
    )
    table = _table(
        [
            "workload",
            "mode",
            "system",
            "tasks/s",
            "times plain",
            "time over limit",
            "CPU s",
            "CPU efficiency",
            "p50 s",
            "wrong verdicts",
            "others' CPU s",
        ],
        [
            [
                row["workload"],
                row["mode"],
                row["system"],
                *(_number(row[key]) for key in ("tasks_per_second", "times_plain", "times_limit", "cpu_seconds")),
                f"{row['cpu_efficiency']:.0%}",
                _number(row["p50_seconds"]),
                _number(row["mismatches"]),
                _number(row["others_cpu_seconds"]),
            ]
            for row in rows
        ],
        words=3,
    )
    figures = place.figure(f"{name}-speed", faster) + "\n" + place.figure(f"{name}-efficiency", efficiency)
    words = "" if "-" in name else f"{WORDS}\n"
    return f"## {title}\n\n{words}{figures}\n{table}"


def of_latency(name: str, result: Row, place: Place) -> str:
    """What a small task waits."""
    rows = result["rows"]
    bars = Bars(
        title="What a submission waits, end to end",
        axis="milliseconds (logarithmic)",
        groups=[row["what"] for row in rows],
        series={"p50": [row["p50_ms"] for row in rows], "p99": [row["p99_ms"] for row in rows]},
        logarithmic=True,
    )
    intro = (
        "`small` is a Python program with five tests, `plain` the same five tests as fresh processes one after another. In a full queue "
        f"{result['depth']} heavy submissions (20 tests of 20 ms of CPU and more) are in flight all the time.\n"
    )
    return f"## Latency\n\n{intro}\n{place.figure(name, bars)}\n{_plain_table(rows)}"


def of_duplicates(name: str, result: Row, place: Place) -> str:
    """What likeness saves."""
    del name, place
    intro = (
        f"{result['copies']} submissions at once, to a new server each time: all different, all the same, and one source with other "
        "tests each time. `plain` runs the different ones by hand.\n"
    )
    return f"## Submissions that are alike\n\n{intro}\n{_plain_table(result['rows'])}"


def of_any(name: str, result: Row, place: Place) -> str:
    """A result without a section of its own."""
    del place
    rows = result.get("rows")
    if isinstance(rows, list) and rows:
        return f"## {name.replace('_', ' ').capitalize()}\n\n{_plain_table(rows)}"
    flat = {key: value for key, value in result.items() if isinstance(value, int | float | str)}
    return f"## {name.replace('_', ' ').capitalize()}\n\n" + _table(
        ["figure", "value"], [[key, _number(value)] for key, value in flat.items()], words=1
    )


SECTIONS: Final[Mapping[str, Callable[[str, Row, Place], str]]] = {
    "workloads": of_workloads,
    "peers": of_peers,
    "latency": of_latency,
    "duplicates": of_duplicates,
}
"""In the order of the page, by what a result's name begins with, up to a hyphen; what has no section here comes after, by name."""


def _number(value: object) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return label(value)


def _plain_table(rows: Sequence[Row]) -> str:
    words = sum(isinstance(value, str) for value in rows[0].values())
    heads = [key.replace("_", " ") for key in rows[0]]
    return _table(heads, [[_number(value) for value in row.values()] for row in rows], words=words)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> str:
    rule = ["---"] * words + ["---:"] * (len(heads) - words)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, rule, *rows))


def _machines(results: Mapping[str, Row]) -> str:
    """On what each result was measured, once where all are alike."""
    told: dict[str, list[str]] = {}
    for name, result in results.items():
        facts = result.get("machine")
        if facts:
            said = (
                f"{facts['cpus']} CPUs ({facts['cpu']}), Linux {facts['kernel']}, programs under {facts['programs_python']}, service on "
                f"Python {facts['service_python']}, commit {facts['commit']}, {facts['date']}, rounds: {result.get('rounds', 1)}"
            )
            told.setdefault(said, []).append(name)
    return "".join(f"- {', '.join(names)}: {said}\n" for said, names in told.items())


def page(results: Mapping[str, Row], place: Place) -> str:
    """The whole page."""
    kinds = list(SECTIONS)

    def order(name: str) -> tuple[int, str]:
        kind, _, _ = name.partition("-")
        return kinds.index(kind) if kind in kinds else len(kinds), name

    parts = [HEAD, f"Measured on:\n\n{_machines(results)}"]
    parts += [
        SECTIONS.get(name.partition("-")[0], of_any)(name, results[name], place) for name in sorted(results, key=order)
    ]
    return "\n".join(parts)


def main() -> None:
    """Read, draw and write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--results", type=Path, default=RESULTS, help=f"folder with the figures ({RESULTS})")
    options.add_argument("--output", type=Path, default=PAGE, help=f"the page ({PAGE})")
    arguments = options.parse_args()
    files = sorted(arguments.results.glob("*.json"))
    if not files:
        options.error(f"there are no results in {arguments.results}; run `make bench` first")
    results = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    place = Place(folder=arguments.output.with_suffix(""))
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(page(results, place), encoding="utf-8")
    print(f"{arguments.output}, figures in {place.folder}")


if __name__ == "__main__":
    main()
