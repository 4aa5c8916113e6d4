"""Submissions in other languages that their contest accepted are accepted here, but for those explained one by one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import pytest

from acceptance import gold, shared
from acceptance.judging import ask, settle
from scalebox.core.ports import Judge

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

LANGUAGES: Final = ("java", "go", "rust", "csharp", "kotlin", "haskell", "scala", "ocaml")
EXPLAINED: Final = Path(__file__).with_name("languages_explained.toml")
MOST: Final = 1_000 if shared.FULL else 3
"""How many of a language a bounded run takes."""


def accepted(language: str) -> list[gold.Gold]:
    """What the contest accepted, whole, with least to run first."""
    found = [
        entry
        for kind in gold.KINDS
        if not gold.lacking(kind)
        for entry in gold.entries(kind)
        if entry.submission["language"] == language and entry.submission["expected"] == "AC" and gold.is_whole(entry)
    ]
    return sorted(found, key=lambda entry: (sum(len(test["input"]) for test in entry.row["tests"]), entry.id))


def explained() -> dict[str, str]:
    """The verdict of each submission that is not accepted here, with a reason beside it."""
    rows = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("explained", [])
    assert all(row["reason"] for row in rows)
    return {row["id"]: row["verdict"] for row in rows}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_contests_accepted_is_accepted(judge: Judge, language: str) -> None:
    status = next(status for status in await judge.languages([language]) if status.id == language)
    if not status.available:
        pytest.skip(status.reason or "")
    found = accepted(language)
    known = explained()
    items = [gold.item(entry, frozenset({known.get(entry.id, "AC")}), "accepted") for entry in found[:MOST]]
    await settle(f"accepted in {language}", items, lambda one: ask(judge, one), left_out=len(found) - len(items))
