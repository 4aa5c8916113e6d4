"""The study behind ScaleBox, on real contest problems: what comparing alone does to submissions that are known to be right.

The references are verified correct submissions, so every rejection is a false one. Shares are asserted by their order and their
rough size, never to the digit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import pytest

from acceptance import gold, shared
from acceptance.gold import GoldRow, GoldSubmission
from scalebox.audit.audit import Options, Outcome, audit
from scalebox.audit.findings import OWN, Flaw
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import CheckerProtocol, CheckerSpec, Problem, ProgramChecker, ProgramText, StdioCase
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.packages.default_validator import checker_of
from scalebox.rows.read import Line
from scalebox.rows.row import ReadOptions
from scalebox.wire.convert_client import judge_body

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

MANY_ANSWERS: Final = ("float", "python")
"""Kinds of problems that have more right outputs than the jury's."""
PROBLEMS_ONE_IN: Final = 3
QUICK_SECONDS: Final = 1.0
"""A bounded run takes references that were not slower than this on any test."""
CPU_SECONDS: Final = 60.0


def reference_of(row: GoldRow) -> GoldSubmission | None:
    """The first submission in Python that was verified to be right."""
    for submission in row["submissions"]:
        right = submission["label"] == "verified" and submission["expected"] == "AC"
        quick = shared.FULL or (submission.get("max_s") or 0.0) <= QUICK_SECONDS
        if right and quick and submission["language"] == "python":
            return submission
    return None


def line_of(row: GoldRow, reference: GoldSubmission) -> bytes:
    """The problem as a row of ours, with the checker it was published with."""
    checker: CheckerSpec | ProgramChecker
    if row["checker"]["kind"] in gold.DEFAULT:
        checker = checker_of((row["checker"].get("flags") or "").split())
    else:
        program = ProgramText(language="python", files={"judge": row["checker"]["code"]}, entry="judge")
        order = ("input", "answer", "output")
        checker = ProgramChecker(protocol=CheckerProtocol.ARGV, program=program, order=order)
    tests = [
        StdioCase(name=test["name"], input=test["input"].encode(), answer=test["output"].encode())
        for test in row["tests"]
    ]
    problem = Problem(tests=tests, checker=checker, limits=Limits(cpu_seconds=CPU_SECONDS, judge_seconds=CPU_SECONDS))
    submission = Submission(source=reference["code"], language="python")
    body = judge_body(submission, problem, JudgeOptions())
    return json.dumps({"id": row["id"], "problem": body["problem"], "reference": submission.source}).encode()


async def audited(judge: Judge, kinds: Sequence[str]) -> Outcome:
    """The audit of all problems of these kinds that have a reference."""
    rows = [row for row in shared.read(gold.FILE, GoldRow) if row["checker"]["kind"] in kinds]
    chosen = [row for row in rows if shared.chosen(row["id"], PROBLEMS_ONE_IN)]
    pairs = [(row, reference) for row in chosen if (reference := reference_of(row)) is not None]
    lines = [Line(number=number, data=line_of(*pair)) for number, pair in enumerate(pairs, 1)]
    return await audit(judge, lines, Options(read=ReadOptions(), jobs=4))


async def test_right_submissions_are_rejected_by_comparing_and_accepted_by_their_checkers(judge: Judge) -> None:
    outcome = await audited(judge, MANY_ANSWERS)
    figures = outcome.figures
    assert (figures.bad_rows, figures.not_audited) == (0, 0)
    exact, tokens, floats, own = figures.rejections
    assert exact.by_comparison >= tokens.by_comparison >= floats.by_comparison > 0
    assert exact.by_comparison > floats.by_comparison
    assert exact.compared >= 8
    assert exact.share is not None
    assert exact.share > 0.5
    assert own.compared == exact.compared
    assert own.rejected == 0, rejected(outcome)
    assert figures.remaining.own_checker == floats.by_comparison
    assert figures.remaining.special_judge == 0


async def test_where_one_output_is_right_comparing_tokens_is_enough(judge: Judge) -> None:
    outcome = await audited(judge, ["none"])
    exact, tokens, floats, own = outcome.figures.rejections
    assert own.rejected == 0, rejected(outcome)
    assert exact.by_comparison >= tokens.by_comparison >= floats.by_comparison
    assert tokens.share is not None
    assert tokens.share < 0.1
    assert not outcome.figures.count(Flaw.FAILS).problems


def rejected(outcome: Outcome) -> list[str]:
    """The problems whose own checker rejects the reference, for a failing test."""
    reports = [problem.report for problem in outcome.problems if OWN in problem.report.rejected]
    return [f"{report.id}: {[finding.words for finding in report.findings]}" for report in reports]
