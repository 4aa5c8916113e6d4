"""Submissions to contest problems get the verdict due, whatever compares their outputs or converses with them."""

from __future__ import annotations

import math
from typing import Final

import pytest

from acceptance import gold, shared
from acceptance.judging import ask, settle
from scalebox.core.ports import Judge

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

ONE_IN: Final = {"none": 6, "float": 2, "kattis_validator": 3, "testlib_cpp": 3}
"""The part of a kind's problems that a bounded run takes."""
HEAVY_SECONDS: Final = math.inf if shared.FULL else 1.0
"""A bounded run leaves out submissions that were slower than this on some test."""
HEAVY: Final = ("win_as_second4.py3",)
"""Likewise, where nobody noted how slow they were."""


def is_heavy(entry: gold.Gold) -> bool:
    """Whether a bounded run leaves the submission out."""
    return not shared.FULL and (gold.seconds_of(entry) > HEAVY_SECONDS or entry.id.endswith(HEAVY))


@pytest.mark.parametrize("kind", gold.KINDS)
async def test_submissions_get_the_verdict_due(judge: Judge, kind: str) -> None:
    """Every verified submission its own; no submission that is wrong as published is accepted."""
    lacking = gold.lacking(kind)
    if lacking:
        pytest.skip(lacking)
    ready = {status.id for status in await judge.languages() if status.available}
    found = [entry for entry in gold.evidence(kind) if entry.submission["language"] in ready]
    taken = [entry for entry in gold.part(found, ONE_IN.get(kind, 1)) if not is_heavy(entry)]
    items = [gold.item(entry, gold.due(entry), entry.submission["label"]) for entry in taken]
    await settle(f"fidelity {kind}", items, lambda one: ask(judge, one), left_out=len(found) - len(taken))
