"""The list of `make bench`, the workloads it changes, and the page made of its results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="`make bench` installs it")

from by_hand import Pass
from common import CPUS, read_tasks, write_changed, write_first, write_json
from meter import Figures, Spent
from report import Place, page
from run import BENCHMARKS, HERE
from workloads import LONG_LOOPS, LONG_TASKS, Turn, row, write_long

ROW = {
    "workload": "short",
    "mode": "every test",
    "system": "ScaleBox",
    "tasks_per_second": 10.0,
    "times_plain": 2.0,
    "times_limit": 1.5,
    "cpu_seconds": 4.0,
    "cpu_efficiency": 0.75,
    "p50_seconds": 0.1,
    "p99_seconds": 0.2,
    "mismatches": 0,
    "others_cpu_seconds": 0.5,
    "limit_seconds": 1.0,
    "scalebox_times": 1.0,
    "scalebox_second_times": None,
}
PLAIN = ROW | {"system": "plain", "times_plain": 1.0, "mismatches": None, "p50_seconds": None, "p99_seconds": None}
PEER = ROW | {"system": "another", "times_plain": 0.5, "mismatches": 3, "scalebox_times": 4.0}
STOPPED = PEER | {"mode": "first pass", "scalebox_times": 3.0, "scalebox_second_times": 5.0}
RESULTS: dict[str, dict[str, object]] = {
    "zeta": {"rows": [{"what": "more", "ms": 1.25}]},
    "flat": {"ratio": 1.5},
    "duplicates": {"copies": 4, "rows": [{"language": "cpp", "what": "same", "submissions_per_second": 3.0}]},
    "latency": {"depth": 8, "rows": [{"what": "plain", "p50_ms": 50.0, "p99_ms": 60.0}]},
    "peers-cpp": {"rows": [PLAIN, ROW, PEER]},
    "peers": {"rows": [PLAIN, ROW, PEER, STOPPED]},
    "workloads": {"rows": [PLAIN, ROW]},
}


@pytest.mark.parametrize("script", [each.script for each in BENCHMARKS])
def test_every_benchmark_takes_what_it_is_given(script: str) -> None:
    (listed,) = [each for each in BENCHMARKS if each.script == script]
    done = subprocess.run([sys.executable, HERE / f"{script}.py", "--help"], capture_output=True, text=True, check=True)
    options = ["--json", *(["--rounds"] if listed.rounds else []), *(word for word in listed.quick if word[0] == "-")]
    for option in options:
        assert option in done.stdout


def test_a_changed_workload_differs_by_a_comment(tmp_path: Path) -> None:
    before = write_long(tmp_path)
    after = write_changed(before, tmp_path, "again")
    for old, new in zip(read_tasks(before), read_tasks(after), strict=True):
        assert new.source == old.source + "\n# again\n"
        assert (new.inputs, new.answers, new.due) == (old.inputs, old.answers, old.due)


def test_a_quick_look_takes_the_first_tasks(tmp_path: Path) -> None:
    path = write_long(tmp_path)
    (tmp_path / "first").mkdir()
    tasks = read_tasks(write_first(path, tmp_path / "first", 3))
    assert tasks == read_tasks(path)[:3]
    assert len(read_tasks(path)) == LONG_TASKS
    assert len(tasks[0].inputs) == len(LONG_LOOPS)


def test_the_page_has_every_result(tmp_path: Path) -> None:
    text = page(RESULTS, Place(folder=tmp_path / "performance"))
    heads = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert heads == [
        "The shared workloads",
        "Beside other judges",
        "Beside other judges: cpp",
        "Latency",
        "Submissions that are alike",
        "Flat",
        "Zeta",
    ]
    assert "| short | every test | ScaleBox | 10 | 2 | 1.5 | 4 | 75% | 0.1 | 0 | 0.5 |" in text
    assert "**another**: 4.00 on `short` (every test), 3.00 on `short` (first pass), 5.00 (second pass)." in text
    assert "| more | 1.25 |" in text
    assert "| ratio | 1.5 |" in text


def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "performance", tmp_path / "b" / "performance"
    assert page(RESULTS, Place(folder=first)) == page(RESULTS, Place(folder=second))
    names = sorted(file.name for file in first.iterdir())
    assert names == [
        "latency.svg",
        "peers-cpp-efficiency.svg",
        "peers-cpp-speed.svg",
        "peers-efficiency.svg",
        "peers-speed.svg",
        "workloads-efficiency.svg",
        "workloads-speed.svg",
    ]
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_results_say_what_they_were_measured_on(tmp_path: Path) -> None:
    file = tmp_path / "results" / "zeta.json"
    write_json(file, [{"what": "more", "ms": 1.25}], rounds=2)
    result = json.loads(file.read_text(encoding="utf-8"))
    assert result["rows"] == [{"what": "more", "ms": 1.25}]
    assert result["machine"]["programs_python"] in page({"zeta": result}, Place(folder=tmp_path / "performance"))


def test_ratios_are_taken_within_a_round() -> None:
    turns = [
        Turn(
            figures=Figures(wall_seconds=2.0 * slow, spent=Spent(tree=3.0 * slow, kernel=1.0 * slow, others=0.0)),
            plain_seconds=4.0 * slow,
            limit_seconds=1.0 * slow,
            ours={Pass.FIRST: 0.5 * slow, Pass.SECOND: 0.25 * slow},
        )
        for slow in (1.0, 7.0, 3.0)
    ]
    told = row("short", Pass.FIRST, "another", 6, turns)
    assert told["tasks_per_second"] == pytest.approx(1)
    assert (told["times_plain"], told["times_limit"]) == (2.0, 2.0)
    assert (told["scalebox_times"], told["scalebox_second_times"]) == (4.0, 8.0)
    assert told["cpu_efficiency"] == pytest.approx(CPUS * 1.0 / 4.0)
    assert told["mismatches"] is None
