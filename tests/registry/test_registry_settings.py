"""Where the registry is, by the settings: what a service opens, what it refuses, and that the URL is no secret to cells and one to all others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from registry.samples import new

from scalebox.assembly import open_registry, registry_opener
from scalebox.cells.split import CellPlan
from scalebox.cli.serve import cell_document, judges_of
from scalebox.client.mock import MockJudge
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.registry.database import RegistryError
from scalebox.registry.store import Registry

NAMED = "postgresql://me:secret@127.0.0.1:1/name"


def test_the_state_folder_has_it_once_there_is_one(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path)
    opener = registry_opener(settings, "strict")
    assert opener is not None
    assert opener() is None
    assert not list(tmp_path.iterdir())  # to look makes nothing
    made = open_registry(settings)
    made.add(new())
    found = opener()
    assert found is not None
    assert [judge.problem_name for judge in found.list()] == ["split"]
    for registry in (made, found):
        registry.close()


def test_without_isolation_only_a_named_one_is_used(tmp_path: Path) -> None:
    assert registry_opener(Settings(state_dir=tmp_path), "none") is None
    named = Settings(judges_url=str(tmp_path / "mine.db"))  # type: ignore[arg-type]  # pydantic makes it a secret
    opener = registry_opener(named, "none")
    assert opener is not None
    found = opener()
    assert isinstance(found, Registry)
    found.close()


async def test_a_service_does_not_start_without_the_one_that_is_named(tmp_path: Path) -> None:
    assert await judges_of(MockJudge(), Settings(state_dir=tmp_path)) is None  # its isolation is none
    with pytest.raises(RegistryError) as caught:
        await judges_of(MockJudge(), Settings(judges_url=NAMED))  # type: ignore[arg-type]
    assert "secret" not in str(caught.value)


def test_the_url_is_shown_to_nobody_and_told_to_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(judges_url=NAMED)  # type: ignore[arg-type]
    assert "secret" not in repr(settings)
    cell = CellPlan(number=0, cpus=(0,), slots=1)
    told = json.loads(cell_document(settings, cell, 2))["settings"]
    assert told["judges_url"] == NAMED
    monkeypatch.setenv("SCALEBOX_CONFIG", "")
    with pytest.raises(ConfigError) as caught:
        load_settings({"judges_url": ["secret"]})
    assert "SCALEBOX_JUDGES_URL" in str(caught.value)
    assert "secret" not in str(caught.value)
