"""Two models' programs for LiveCodeBench get verdicts that agree with the official ones, but for a list of those held to be wrong."""

from __future__ import annotations

from typing import Final

import pytest

from acceptance import lcb_items, shared
from acceptance.judging import ask, settle
from scalebox.core.ports import Judge

ONE_IN: Final = 3
"""The part of the questions that a bounded run takes."""
MODELS: Final = 2


@pytest.mark.data
@pytest.mark.asyncio(loop_scope="session")
async def test_verdicts_agree_with_the_official_ones(judge: Judge) -> None:
    questions = lcb_items.questions()
    items = [item for question in shared.part(questions, "id", ONE_IN) for item in lcb_items.items(question)]
    await settle("lcb_mini", items, lambda item: ask(judge, item), left_out=MODELS * len(questions) - len(items))


@pytest.mark.data
def test_every_verdict_held_to_be_wrong_is_one_of_the_official_ones() -> None:
    found = {
        lcb_items.item_id(question, sample): sample
        for question in lcb_items.questions()
        for sample in question["samples"]
    }
    for name, held in lcb_items.held_wrong().items():
        assert held.official.split(":")[0] == lcb_items.official(found[name]), name


def test_every_verdict_held_to_be_wrong_has_its_reason() -> None:
    entries = lcb_items.held_wrong()
    assert entries
    for held in entries.values():
        assert held.looked
        assert held.reason
        assert set(held.due.split("|")) <= {"AC", "TLE", "WA"}, held.id
