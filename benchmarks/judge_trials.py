"""Hold what the proof takes for certain against the official judges of public problems.

    python benchmarks/judge_trials.py

The proof convicts a judge that accepts, say, an answer with garbage after it. Whether that is fair is measured here: every trial
whose outcome the proof takes for certain is put to the problem's own checker, and those that it decides otherwise are listed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

from judge_problems import line, problems

from scalebox.synthesis.domain import Category, Due, ProblemRecord
from scalebox.synthesis.reading import read_problem
from scalebox.synthesis.trials import Item, changed_answer_items, letter_case_items, right_items, wrong_items

SECONDS: Final = 30.0


def official_accepts(row: dict[str, Any], item: Item) -> bool | None:
    """What the problem's own checker, a Python program, says; None where it breaks."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("checker.py", "input", "answer", "output")]
        contents = (row["checker"]["code"].encode(), item.question.input, item.question.answer, item.question.output)
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        try:
            done = subprocess.run(  # noqa: S603 - a published checker
                ["/usr/bin/python3", *map(str, paths)], capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return None
    return {0: True, 1: False}.get(done.returncode) if b"Traceback" not in done.stderr else None


def certain_items(problem: ProblemRecord) -> list[Item]:
    """Every trial with an outcome that is due whatever the category, each output once."""
    every = [*right_items(problem, problem.good_outputs), *wrong_items(problem, Category.ANY_CONSTRUCTION)]
    every += changed_answer_items(problem, Category.ANY_CONSTRUCTION)
    every += letter_case_items(problem, problem.good_outputs)
    return [item for item in every if item.due is not Due.ANY]


def main() -> None:
    """Print the table."""
    asked: Counter[str] = Counter()
    other: Counter[str] = Counter()
    broke: Counter[str] = Counter()
    for row in problems():
        if row["checker"]["kind"] != "python":
            continue
        problem = read_problem(repr_line(row), row["id"])
        for item in certain_items(problem):
            said = official_accepts(row, item)
            asked[item.trial] += 1
            if said is None:
                broke[item.trial] += 1
            elif said is not (item.due is Due.ACCEPT):
                other[item.trial] += 1
                print(
                    f"{row['id']} case {item.case}: {item.trial} {item.words}: {item.question.output[:80]!r}",
                    file=sys.stderr,
                )
    print("| trial | outputs | official judge disagrees | official judge breaks |\n|---|---|---|---|")
    for trial, count in asked.most_common():
        print(f"| {trial} | {count} | {other[trial]} | {broke[trial]} |")


def repr_line(row: dict[str, Any]) -> bytes:
    """A problem as the pipeline reads it."""
    import json

    return json.dumps(line(row)).encode()


if __name__ == "__main__":
    main()
