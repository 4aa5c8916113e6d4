"""AetherCode's file of checkers, taken into a registry and written again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acceptance import aethercode, shared
from scalebox.registry.exchange import aethercode_lines, import_lines
from scalebox.registry.store import Registry
from scalebox.rows.read import read_lines

pytestmark = pytest.mark.data


def test_every_checker_comes_and_goes(tmp_path: Path) -> None:
    registry = Registry(str(tmp_path / "judges.db"))
    done = import_lines(
        registry, read_lines(shared.SHARED / aethercode.FILE), keep_states=False, source="aethercode", problems={}
    )
    assert (done.added, done.known, done.without, done.bad) == (398, 0, 2, [])
    stories = [registry.story(judge.id) for judge in registry.list()]
    written = [json.loads(line) for line in aethercode_lines(stories)]
    there = {row["id"]: row["checker"] for row in aethercode.rows()}
    assert {row["id"]: row["checker"] for row in written} == there
    registry.close()
