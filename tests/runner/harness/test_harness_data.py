"""Public benchmarks and the adversarial corpus, through both boxes: references pass hardened, attacks do not pass."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from runner.harness.harness_boxes import SHARED, Boxes, boxes_in

from scalebox.core import plain
from scalebox.core.report import Outcome

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not SHARED.exists(), reason="the public data is not beside the checkout"),
]
NEEDS_WALL_CLOCK = {"hf-17", "hf-18", "hf-19"}
"""They only spend time; limits are the box's business."""
MBPP_EVERY = 4
"""The whole of MBPP takes a minute on two busy CPUs."""


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    with boxes_in(str(tmp_path_factory.mktemp("work"))) as leased:
        yield leased


def rows(name: str) -> list[dict[str, Any]]:
    path = SHARED / "data" / "benchmarks" / name
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_humaneval_references_pass_hardened(boxes: Boxes) -> None:
    lost = []
    for row in rows("humaneval.jsonl.gz"):
        spec = {"code": row["test"], "style": "check", "entry_point": row["entry_point"]}
        report = boxes.two_boxes(row["prompt"] + row["canonical_solution"], spec)
        if report.outcome is not Outcome.PASSED:
            lost.append((row["task_id"], report))
    assert lost == []


def test_humaneval_programs_that_return_nothing_fail(boxes: Boxes) -> None:
    passed = []
    for row in rows("humaneval.jsonl.gz")[::4]:
        spec = {"code": row["test"], "style": "check", "entry_point": row["entry_point"]}
        if boxes.two_boxes(f"{row['prompt']}    return None\n", spec).outcome is Outcome.PASSED:
            passed.append(row["task_id"])
    assert passed == []


def test_mbpp_references_pass_hardened(boxes: Boxes) -> None:
    lost = []
    chosen = [row for row in rows("mbpp.jsonl.gz") if row["task_id"] % MBPP_EVERY == 0 or row["test_setup_code"]]
    for row in chosen:
        for tests in filter(None, (row["test_list"], row["challenge_test_list"])):
            spec = {"code": "\n".join(tests), "style": "bare", "setup": row["test_setup_code"]}
            report = boxes.two_boxes(row["code"], spec)
            if report.outcome is not Outcome.PASSED:
                lost.append((row["task_id"], report))
    assert lost == []


def corpus(test_type: str) -> list[dict[str, Any]]:
    path: Path = SHARED / "adversarial" / "corpus.jsonl"
    with path.open(encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    return [
        item
        for item in items
        if item["language"] == "python" and item["test_type"] == test_type and item["id"] not in NEEDS_WALL_CLOCK
    ]


def passes_assert(boxes: Boxes, item: Mapping[str, Any]) -> bool:
    style = "check" if item["assert_style"] == "humaneval_check" else "bare"
    specs = [{"code": test["code"], "style": style, "entry_point": item["fn_name"]} for test in item["tests"]]
    return all(boxes.two_boxes(item["program"], spec).outcome is Outcome.PASSED for spec in specs)


def passes_call(boxes: Boxes, item: Mapping[str, Any]) -> bool:
    """Compared as the service compares, as far as these items need it."""
    for test in item["tests"]:
        code, data = boxes.call(item["program"], {"function": item["fn_name"], "args": test["args"]})
        if code != 0 or not data.endswith(b"\n"):
            return False
        value = plain.loads(data)
        listed = list(value) if isinstance(value, tuple) else value
        if type(listed) is not type(test["expected"]) or listed != test["expected"]:
            return False
    return True


def test_corpus_attacks_do_not_pass_and_honest_programs_do(boxes: Boxes) -> None:
    wrong = []
    for test_type, passes in (("assert", passes_assert), ("function_call", passes_call)):
        for item in corpus(test_type):
            due = "AC" in item["expected"]["verdict_any_of"]
            if passes(boxes, item) is not due:
                wrong.append(item["id"])
    assert wrong == []
