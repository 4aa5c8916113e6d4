"""Where the registry is, by the settings: what a service opens, what it refuses, and that the URL is no secret to cells and one to all others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from registry.samples import new
from synthesis.small_problems import RIGHT, SUM

from scalebox.assembly import open_registry, registry_opener
from scalebox.cells.split import CellPlan
from scalebox.cli.serve import cell_document, judges_of
from scalebox.client.mock import MockJudge
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.errors import RequestError
from scalebox.registry.database import RegistryError, parsed, shown
from scalebox.registry.exchange import judge_in
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.synthesis.domain import Category, Classification, Cost, Outcome, Proof, ProvedJudge, Provenance

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


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("postgresql://me:secret@h:5433/name?host=/run&password=secret", "postgresql://h:5433/name"),
        ("postgresql:///name?user=me&password=secret&sslpassword=secret", "postgresql:///name"),
        ("sqlite:////var/lib/judges.db?key=secret", "sqlite:////var/lib/judges.db"),
    ],
)
def test_nothing_of_a_url_is_shown_that_may_be_a_password(url: str, seen: str) -> None:
    assert shown(parsed(url)) == seen


def test_an_edited_program_is_not_taken_for_the_one_that_was_proved() -> None:
    draft = RIGHT[SUM.name]
    proof = Proof(draft_digest=draft.digest, outcome=Outcome.PROVED, tallies={})
    proved = ProvedJudge(
        problem_id=SUM.id,
        problem_name=SUM.name,
        classification=Classification(category=Category.ANY_CONSTRUCTION, reason="r", confidence=1.0),
        draft=draft,
        proof=proof,
        provenance=Provenance(model="m", prompt_hashes=(), cost=Cost(), rounds=0, scalebox="1"),
    )
    line = TypeAdapter(ProvedJudge).dump_json(proved)
    taken = judge_in(json.loads(line), line, "f", {})
    assert taken is not None
    assert taken.state is State.VALIDATED
    edited = replace(proved, draft=replace(draft, source=draft.source + "# edited\n"))
    line = TypeAdapter(ProvedJudge).dump_json(edited)
    with pytest.raises(RequestError, match="of another program") as refused:
        judge_in(json.loads(line), line, "f", {})
    assert refused.value.field == "proof.draft_digest"


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
