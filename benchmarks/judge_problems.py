"""Read the special-judge and float problems of the public data into the pipeline's own lines. Copies nothing into the project.

    python benchmarks/judge_problems.py --out problems.jsonl

What goes to the pipeline: the statement, up to 8 cases, and up to 2 submissions that were verified to be right. What does not: checkers,
labelled outputs (``checker_gold``), wrong submissions: these measure the judges (``benchmarks/judges.py``).
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(__file__).parents[2] / "shared" / "data"
KINDS: Final = frozenset({"float", "kattis_validator", "python"})
"""Checkers that can be run here without testlib, so that judges can be measured against them."""
MOST_TESTS: Final = 8
MOST_TEST_BYTES: Final = 60_000
MOST_REFERENCES: Final = 2
LANGUAGES: Final = ("python", "cpp")
_STYLE_END: Final = "\n}\n"
_SCRIPT: Final = re.compile(r"MathJax\.Hub\.Config|\.problem-io-wrapper")
_BUTTONS: Final = re.compile(r"^ ?(save_alt|content_copy|Copied!)\s*$", re.MULTILINE)
_BLANK: Final = re.compile(r"\n\s*\n+")


def problems(path: Path = DATA / "fidelity_gold.jsonl.gz", split: str | None = None) -> Iterator[dict[str, Any]]:
    """Rows with a special judge or float answers that can be measured, those first of which most can be said, mixed by chance."""
    labelled = {row["problem"] for row in json_lines(DATA / "checker_gold.jsonl.gz")}
    rows = json_lines(path)
    wanted = [row for row in rows if row["checker"]["kind"] in KINDS and not row["interactive"] and usable_tests(row)]
    if split is not None:
        wanted = [row for row in wanted if row["split"] == split]
    yield from sorted(
        wanted, key=lambda row: (_is_second_choice(row, labelled), hashlib.sha256(row["id"].encode()).hexdigest())
    )


def _is_second_choice(row: dict[str, Any], labelled: set[str]) -> bool:
    """Whether less can be said of a judge for it: no labelled outputs (a float problem needs none), or no reference."""
    return not references(row) or (row["id"] not in labelled and row["checker"]["kind"] != "float")


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a gzipped file of JSON lines."""
    with gzip.open(path) as file:
        return [json.loads(line) for line in file]


def usable_tests(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Cases with an answer and of a size that a proof can afford: the smallest, and as many of the larger ones evenly spread."""
    tests = [test for test in row["tests"] if test["input"] and test.get("output")]
    sized = sorted(tests, key=lambda test: len(test["input"]) + len(test["output"]))
    small = [test for test in sized if len(test["input"]) + len(test["output"]) <= MOST_TEST_BYTES] or sized[:1]
    if len(small) <= MOST_TESTS:
        return small
    step = (len(small) - 1) / (MOST_TESTS - 1)
    return [small[round(step * number)] for number in range(MOST_TESTS)]


def statement(row: dict[str, Any]) -> str:
    """The statement without the style sheets and buttons of the page it was taken from."""
    text = row["statement"]
    if _SCRIPT.search(text):
        text = text[text.rindex(_STYLE_END) + len(_STYLE_END) :]
    return _BLANK.sub("\n", html.unescape(_BUTTONS.sub("", text))).strip()


def references(row: dict[str, Any]) -> list[dict[str, str]]:
    """Submissions verified to be right, then those published as right, in languages that are cheap to run."""
    right = [
        item
        for item in row["submissions"]
        if item["expected"] == "AC" and item["label"] in {"verified", "as_published"} and item["language"] in LANGUAGES
    ]
    if any(item["language"] == LANGUAGES[0] for item in right):  # the others are compiled, which takes its time
        right = [item for item in right if item["language"] == LANGUAGES[0]]
    right.sort(key=lambda item: (item["label"] != "verified", LANGUAGES.index(item["language"]), item["name"]))
    return [{"source": item["code"], "language": item["language"]} for item in right[:MOST_REFERENCES]]


def line(row: dict[str, Any]) -> dict[str, Any]:
    """One problem as the pipeline reads it."""
    return {
        "name": row["id"],
        "statement": statement(row),
        "tests": [
            {"name": test["name"], "input_base64": _base64(test["input"]), "answer_base64": _base64(test["output"])}
            for test in usable_tests(row)
        ],
        "references": references(row),
        "limits": {"cpu_seconds": 10.0},
    }


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, help="only the first so many")
    given = parser.parse_args()
    rows = list(problems())[: given.most]
    with given.out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line(row)) + "\n" for row in rows)
    print(f"{len(rows)} problems written to {given.out}")


if __name__ == "__main__":
    main()
