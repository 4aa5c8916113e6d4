"""The references of HumanEval, MBPP and their plus sets are accepted; wrong variants and recorded completions get the plain verdict."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest

from acceptance import benchmark_items, shared
from acceptance.benchmark_items import Benchmark
from acceptance.judging import Item, ask, settle
from scalebox.core.ports import Judge
from scalebox.core.problem import AssertCase, AssertStyle, Problem
from scalebox.core.submission import Completion

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

HARDENED_SHARE: Final = 0.99
SETS: Final = (
    "humaneval",
    "mbpp",
    "humanevalplus-v0.1.9",
    "humanevalplus-v0.1.10",
    "mbppplus-v0.1.0",
    "mbppplus-v0.2.0",
)
ONE_IN: Final = {"mbpp": 4, "mbppplus-v0.1.0": 3, "mbppplus-v0.2.0": 3}
"""The part of a set whose mutants a bounded run judges."""


@cache
def benchmarks(name: str) -> list[Benchmark]:
    """The problems of a set; the plain runs behind the plus sets happen once a session."""
    match name:
        case "humaneval":
            return benchmark_items.humaneval()
        case "mbpp":
            return benchmark_items.mbpp()
        case _:
            return benchmark_items.plus(name)


@pytest.mark.parametrize("name", SETS)
async def test_references_are_accepted(judge: Judge, name: str) -> None:
    found = benchmarks(name)
    left_out = sum(benchmark.call.left_out for benchmark in found if benchmark.call)
    items = [benchmark_items.reference_item(benchmark) for benchmark in found if benchmark.problem.tests]
    outcomes = await settle(name, items, lambda item: ask(judge, item), left_out=left_out)
    hardened = sum(outcome.hardened for outcome in outcomes)
    assert hardened >= HARDENED_SHARE * len(outcomes), [outcome.id for outcome in outcomes if not outcome.hardened]


@pytest.mark.parametrize("name", SETS)
async def test_wrong_variants_get_the_plain_verdict(judge: Judge, name: str) -> None:
    found = [item for item in benchmarks(name) if item.problem.tests and shared.chosen(item.id, ONE_IN.get(name, 1))]
    items, without = benchmark_items.mutant_items(found)
    await settle(f"{name} mutants", items, lambda item: ask(judge, item), left_out=without)


async def test_recorded_completions_keep_their_verdicts(judge: Judge) -> None:
    """The recorded runs put the prompt in front of each completion and called ``check`` after it."""
    problems = {row["task_id"]: row for row in shared.read("data/benchmarks/humaneval.jsonl.gz", shared.HumanEvalRow)}
    recorded = shared.read("data/outputs/humaneval_poe.jsonl.gz", shared.RecordedRow)
    items = [_recorded(row, problems[row["task_id"]]) for row in recorded]
    await settle("humaneval_poe", items, lambda item: ask(judge, item))


def _recorded(row: shared.RecordedRow, problem: shared.HumanEvalRow) -> Item:
    case = AssertCase(
        name="0",
        code=problem["test"],
        style=AssertStyle.CHECK,
        entry_point=problem["entry_point"],
        prompt=problem["prompt"],
    )
    return Item(
        id=f"{row['model']} {row['task_id']}",
        submission=Completion(text=row["completion"], language="python"),
        problem=Problem(tests=[case]),
        due=benchmark_items.RIGHT if row["passed"] else benchmark_items.WRONG,
        plain=row["result"],
    )
