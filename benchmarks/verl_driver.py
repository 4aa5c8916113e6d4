"""Judge a workload with verl's `prime_code` and print what it took. Runs under an interpreter that has numpy, apart from ScaleBox.

    python verl_driver.py FOLDER_OF_PRIME_CODE WORKLOAD PROCESSES

`compute_score` judges one completion in a process of its own, beside a manager process. For a wrong one it leaves a name unbound
when no continuous score is asked for; that is counted as a rejection.
"""

from __future__ import annotations

import gzip
import importlib
import json
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any


def score(folder: str, row: dict[str, Any]) -> tuple[bool, float]:
    """Whether a completion is accepted, and the seconds it took."""
    if folder not in sys.path:
        sys.path.insert(0, folder)
    prime_code = importlib.import_module("prime_code")
    data = row["config"]["provided_data"]["test_cases"]
    began = time.perf_counter()
    try:
        accepted, _ = prime_code.compute_score(
            row["completion"], {"inputs": data["input"], "outputs": data["output"]}, continuous=False
        )
    except UnboundLocalError:
        accepted = False
    return accepted, time.perf_counter() - began


def main() -> None:
    """Judge and print."""
    folder, workload, processes = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with gzip.open(workload, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with ProcessPoolExecutor(processes) as pool:
        list(
            pool.map(score, [str(folder.parent)] * processes, rows[:1] * processes)
        )  # imports numpy before the clock starts
        began = time.perf_counter()
        scored = list(pool.map(score, [str(folder.parent)] * len(rows), rows))
        wall = time.perf_counter() - began
    spent = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    seconds = sorted(taken for _, taken in scored)
    wrong = sum(accepted is not row["expected"]["accepted"] for row, (accepted, _) in zip(rows, scored, strict=True))
    told = {
        "wall": wall,
        "cpu": spent,
        "mismatches": wrong,
        "p50": seconds[len(seconds) // 2],
        "p99": seconds[min(len(seconds) - 1, int(0.99 * len(seconds)))],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
