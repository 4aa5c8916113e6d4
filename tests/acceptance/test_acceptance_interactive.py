"""Conversations with published interactors: what cannot be right is rejected, and never charged to the interactor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from acceptance import gold
from acceptance.judging import Item, ask, settle
from scalebox.core.ports import Judge
from scalebox.core.submission import Submission

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

QUICK_SECONDS: Final = 2.0
"""For a problem whose submissions take no time, or all of it."""
WRONG: Final = {
    "says nothing": "pass",
    "says one thing": "print(-1)",
    "repeats what it hears": "while True: print(input(), flush=True)",
    "listens only": "import sys; sys.stdin.read()",
    "crashes": "raise SystemExit(1)",
    "closes its output": "import os, sys; os.close(1); sys.stdin.read()",
    "stops in the middle": "print(input(), flush=True); input()",
}
COMPLETE: Final = "examples/guess"
"""The Kattis problem that has all its tests."""


def code_jam_items() -> Iterator[Item]:
    """Programs that cannot be right, for each of Code Jam's local testing tools."""
    for row in gold.rows("gcj_interactor"):
        if "tool_py3" not in row["checker"]:  # it was published for an older Python only
            continue
        for name, source in WRONG.items():
            submission = Submission(source=source, language="python")
            problem = gold.problem(row, gold.NO_LIMIT_SECONDS)
            yield Item(id=f"{row['id']} {name}", submission=submission, problem=problem, due=gold.AGAINST)


def kattis_items() -> Iterator[Item]:
    """Every submission to the problem that comes with all its tests, with the verdict that its package promises."""
    for entry in gold.entries("kattis_interactor"):
        if entry.row["id"].endswith(COMPLETE):
            yield Item(
                id=entry.id,
                submission=gold.submission_of(entry),
                problem=gold.problem(entry.row, QUICK_SECONDS),
                due=frozenset({str(entry.submission["expected"])}),
                stop_on_failure=True,
            )


async def test_code_jam_tools_accept_nothing_that_cannot_be_right(judge: Judge) -> None:
    await settle("interactive code jam", list(code_jam_items()), lambda one: ask(judge, one))


async def test_kattis_interactor_gives_the_verdicts_of_the_package(judge: Judge) -> None:
    ready = {status.id for status in await judge.languages() if status.available}
    items = list(kattis_items())
    left = [item for item in items if {"cpp", item.submission.language} <= ready]
    if not left:
        pytest.skip("needs a C++ compiler")
    await settle("interactive kattis", left, lambda one: ask(judge, one), left_out=len(items) - len(left))
