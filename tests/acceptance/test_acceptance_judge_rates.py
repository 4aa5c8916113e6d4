"""Measuring judges, on recorded outputs: the official checkers make no mistake, and plain comparison makes those that it must."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from acceptance import gold, shared
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import CheckerSpec
from scalebox.rows.read import read_lines
from scalebox.synthesis.measuring.labels import read_outputs, read_problems
from scalebox.synthesis.measuring.measure import Contestant, measure
from scalebox.wire.convert_client import problem_body

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

KIND: Final = "python"
"""The checkers that start quickly; test_acceptance_special has all."""


def rows(path: Path) -> Path:
    """The problems as rows of ours, each with its official checker."""
    with path.open("w", encoding="utf-8") as file:
        for row in gold.rows(KIND):
            body = {"id": row["id"], "problem": problem_body(gold.problem(row, gold.NO_LIMIT_SECONDS))}
            file.write(json.dumps(body) + "\n")
    return path


async def test_official_checkers_are_right_and_plain_comparison_is_not(judge: Judge, tmp_path: Path) -> None:
    problems = read_problems(read_lines(rows(tmp_path / "rows.jsonl")), Limits())
    labelled, _ = read_outputs(read_lines(shared.SHARED / gold.OUTPUTS), problems)
    contestants = [
        Contestant(name="own", own=True),
        Contestant(name="exact", everywhere=CheckerSpec(name="exact")),
        Contestant(name="tokens", everywhere=CheckerSpec(name="tokens")),
    ]
    with_outputs = [problem for problem in labelled.values() if problem.outputs]
    own, exact, tokens = await measure(judge, contestants, with_outputs, jobs=4)
    assert not own.mistakes, own.mistakes[:3]
    assert own.whole.right.total + own.whole.wrong.total == sum(len(problem.outputs) for problem in with_outputs)
    assert exact.whole.right.hits < tokens.whole.right.hits < own.whole.right.hits
    assert exact.whole.wrong.hits == exact.whole.wrong.total  # nothing wrong equals the answer byte by byte
