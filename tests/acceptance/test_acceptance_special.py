"""Programs that judge: every recorded output is judged as its problem's official checker did."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import pytest

from acceptance import gold, shared
from scalebox.core.ports import Judge
from scalebox.core.problem import AskWhen
from scalebox.core.submission import JudgeOptions

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

ONE_IN: Final = {"kattis_validator": 4}
"""The part of a kind's problems that a bounded run takes."""
DEADLINE_SECONDS: Final = 3000.0
JUDGED: Final = ("python", "kattis_validator")
"""Kinds that have recorded outputs."""


@pytest.mark.parametrize("kind", JUDGED)
async def test_outputs_are_judged_as_the_official_checker_did(judge: Judge, kind: str) -> None:
    if lacking := gold.lacking(kind):
        pytest.skip(lacking)
    by_problem: dict[str, list[gold.OutputRow]] = defaultdict(list)
    for output in shared.read(gold.OUTPUTS, gold.OutputRow):
        by_problem[output["problem"]].append(output)
    different: list[str] = []
    asked = 0
    for row in gold.rows(kind):
        outputs = by_problem[row["id"]]
        if outputs and shared.chosen(row["id"], ONE_IN.get(kind, 1)):
            asked += len(outputs)
            different += await differently_judged(judge, row, outputs)
    assert asked
    assert not different, f"{len(different)} of {asked} differ\n" + "\n".join(different)


async def differently_judged(judge: Judge, row: gold.GoldRow, outputs: list[gold.OutputRow]) -> list[str]:
    """One line for each output of a problem on which our judge and the official checker differ."""
    tests = {test["name"]: test for test in row["tests"]}
    captured = [gold.Captured(test=tests[output["test"]], output=output["output"].encode()) for output in outputs]
    problem = gold.printed_problem(row, captured, AskWhen.ALWAYS)
    judgement = await judge.judge(gold.PRINTS, problem, JudgeOptions(deadline_seconds=DEADLINE_SECONDS))
    wanted = {"OK": "AC", "WA": "WA"}
    return [
        f"{row['id']} {output['test']}: due {output['expected']}, got {case.verdict} ({case.reason}) for {output['output'][:60]!r}"
        for output, case in zip(outputs, judgement.cases, strict=True)
        if case.verdict != wanted[output["expected"]]
    ]
