"""`scalebox judges`: a judge's life by commands, and judges from and to files in every form."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from registry.samples import PROBLEM, SUMS, TESTS, new, version
from typer.testing import CliRunner

from scalebox.cli.main import app
from scalebox.registry.entry import Use
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.synthesis.domain import (
    Category,
    Classification,
    Cost,
    Draft,
    Outcome,
    Proof,
    ProvedJudge,
    Provenance,
    Tally,
    Trial,
)
from scalebox.synthesis.rates import Rate, Rates

FILES_JUDGE = (
    "import sys\nsys.exit(sum(map(int, open('answer.txt').read().split())) != int(open('stdin.txt').read()))\n"
)


class Judges:
    """The commands over a registry of their own."""

    def __init__(self, folder: Path) -> None:
        self.url = str(folder / "judges.db")

    def __call__(self, *args: str | Path, status: int = 0) -> str:
        """What a command prints."""
        result = CliRunner().invoke(app, ["judges", *map(str, args), "--registry", self.url])
        assert result.exit_code == status, result.output
        return result.output

    def json(self, *args: str | Path) -> Any:  # noqa: ANN401 - JSON
        """What a command prints as JSON."""
        return json.loads(self(*args, "--json"))


@pytest.fixture
def judges(tmp_path: Path) -> Judges:
    """An empty registry."""
    return Judges(tmp_path)


def kept(judges: Judges, *sources: str) -> list[str]:
    """The ids of validated judges of one problem."""
    registry = Registry(judges.url)
    ids = [registry.add(new(source))[0].id for source in sources]
    registry.close()
    return ids


def verl_row(**more: object) -> dict[str, Any]:
    """A row with the cases of the sample problem and a judge."""
    truth = {
        "type": "stdin_stdout",
        "input": [case.input.decode() for case in TESTS],
        "output": [case.answer.decode() for case in TESTS],
    }
    return {
        "prompt": [{"role": "user", "content": "split it"}],
        "data_source": "taco",
        "reward_model": {"style": "rule", "ground_truth": json.dumps(truth | more)},
        "extra_info": {"id": "split"},
    }


def test_a_life_by_commands(judges: Judges) -> None:
    one, two = kept(judges, version(1), version(2))
    assert judges("activate", one, "--reason", "good") == f"{one} active split\n"
    assert judges("activate", two) == f"{two} active split\n"
    assert judges("rollback", "split") == f"{one} active split\n"
    assert "dispute 1 of" in judges("dispute", "split", "--reason", "3 2 is right")
    listed = judges.json("list", "--state", "active")
    assert [(row["id"], row["open_disputes"]) for row in listed] == [(one, 1)]
    assert "dismissed" in judges("settle", "1", "--dismissed")
    shown = judges("show", one)
    assert "validated -> active" in shown
    assert "good" in shown
    assert SUMS.splitlines()[0] in shown
    assert judges.json("show", one)["changes"][-1]["reason"] == "rollback"
    assert judges("retire", one) == f"{one} retired split\n"


def test_what_cannot_be_is_one_clear_line(judges: Judges) -> None:
    [one] = kept(judges, SUMS)
    assert "there is no judge or problem 'none'" in judges("show", "none", status=2)
    assert f"judge {one} is validated; to restore" not in judges("list")
    assert "no judge that was in use before" in judges("rollback", one, status=2)
    judges("retire", one)
    assert "is retired; to activate one it must be validated" in judges("activate", one, status=2)
    assert "there is no file" in judges("import", "/none", status=2)
    assert "attach" in judges("export", "--format", "rows", status=2)


def test_what_is_exported_comes_back_whole(judges: Judges, tmp_path: Path) -> None:
    one, two = kept(judges, version(1), version(2))
    registry = Registry(judges.url)
    registry.activate(one)
    registry.activate(two, by="me", reason="better")
    registry.note_rates(
        two, Rates(right=Rate(hits=9, total=9), wrong=Rate(hits=7, total=8), broken=1, measured_on="gold")
    )
    registry.note_uses({two: Use(judgements=3, refused=2)})
    registry.settle(registry.dispute(two, "odd", "1 1").number, upheld=False)
    file = tmp_path / "judges.jsonl"
    judges("export", "-o", file)
    other = Judges(tmp_path / "other")
    assert "2 judges taken, 0 were there already" in other("import", file, "--keep-states")
    assert "0 judges taken, 2 were there already" in other("import", file, "--keep-states")
    again = Registry(other.url)
    for name in (one, two):
        there, here = registry.story(name), again.story(name)
        assert here.judge == there.judge
        assert (here.changes, [one.reason for one in here.disputes]) == (
            there.changes,
            [one.reason for one in there.disputes],
        )
    assert [active.name.id for active in again.active()[1]] == [two]
    assert again.roll_back("split").id == one  # the history came along
    drafts = Judges(tmp_path / "drafts")
    drafts("import", file)
    assert [(row["state"], row["use"]["judgements"]) for row in drafts.json("list")] == [("draft", 0)] * 2
    again.close()
    registry.close()


def test_rows_with_judges_are_taken_as_drafts(judges: Judges, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    prime = {
        "problem_id": "prime",
        "verification_info": json.dumps({
            "language": "python",
            "test_cases": [{"type": "stdin_stdout", "input": "1\n", "output": "0 1\n"}],
            "special_judge_program": FILES_JUDGE,
        }),
    }
    rows = [verl_row(special_judge_program=FILES_JUDGE), verl_row(), prime, {"odd": 1}]
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    said = judges("import", file, status=1)
    assert "2 judges taken, 0 were there already, 1 lines without a judge" in said
    assert "line 4: the row has none of the known shapes" in said
    found = {row["problem"]["name"]: row for row in judges.json("list")}
    assert found["split"]["problem"]["id"] == PROBLEM  # the same, whatever file it came in
    assert [(row["state"], row["protocol"], row["origin"]) for row in found.values()] == [
        ("draft", "files", "rows:verification_info"),
        ("draft", "files", "rows:verl"),
    ]
    assert judges.json("show", "split")["checker"]["source"] == FILES_JUDGE


def test_aethercodes_checkers_come_and_go(judges: Judges, tmp_path: Path) -> None:
    file, problems, back = (tmp_path / name for name in ("checkers.jsonl", "problems.jsonl", "back.jsonl"))
    rows: list[dict[str, Any]] = [
        {"id": 7, "checker": "int main() { return 0; }", "success": True},
        {"id": 8, "checker": None, "success": False},
        {"id": "split", "checker": "int main() { return 1; }", "success": True},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    problems.write_text(json.dumps(verl_row()) + "\n")
    assert "2 judges taken, 0 were there already, 1 lines without" in judges("import", file, "--problems", problems)
    found = {row["problem"]["name"]: row["problem"]["id"] for row in judges.json("list")}
    assert found == {"aethercode/7": "name:aethercode/7", "split": PROBLEM}
    judges("export", "--format", "aethercode", "-o", back)
    written = [json.loads(line) for line in back.read_text().splitlines()]
    assert written == [{"id": row["id"], "checker": row["checker"]} for row in rows if row["checker"]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"problem": {"id": "md5:0", "name": "x"}}, "is no id of a problem"),
        ({"state": "odd"}, "state"),
        ({"checker": {"name": "program", "protocol": "odd", "language": "python", "source": ""}}, "protocol"),
        ({"rates": {"tpr": {"hits": 2, "total": 1}, "tnr": {"hits": 0, "total": 0}}}, "is no share"),
    ],
)
def test_a_line_at_fault_is_named(judges: Judges, tmp_path: Path, change: dict[str, object], words: str) -> None:
    kept(judges, SUMS)
    good = json.loads(judges("export"))
    file = tmp_path / "judges.jsonl"
    file.write_text(
        json.dumps(good | change) + "\n" + json.dumps(good | {"checker": good["checker"] | {"source": "#"}})
    )
    said = judges("import", file, status=1)
    assert "line 1: " in said
    assert words in said
    assert "1 judges taken" in said


def test_two_active_judges_of_one_problem_never_meet(judges: Judges, tmp_path: Path) -> None:
    [one] = kept(judges, version(1))
    judges("activate", one)
    file = tmp_path / "judges.jsonl"
    judges("export", "-o", file)
    other = Judges(tmp_path / "other")
    [theirs] = kept(other, version(2))
    other("activate", theirs)
    assert "has another active judge here" in other("import", file, "--keep-states", status=1)
    assert [row["id"] for row in other.json("list")] == [theirs]
    assert other.json("show", theirs)["state"] == State.ACTIVE.value


def test_what_the_pipeline_proved_is_taken_as_validated(judges: Judges, tmp_path: Path) -> None:
    draft = Draft(source=SUMS, template="multiset", parameters={"abs": "1"})
    proved = ProvedJudge(
        problem_id=PROBLEM,
        problem_name="split",
        classification=Classification(category=Category.ANY_CONSTRUCTION, reason="any", confidence=0.9),
        draft=draft,
        proof=Proof(draft_digest=draft.digest, outcome=Outcome.PROVED, tallies={Trial.ANSWER: Tally(tried=2)}),
        provenance=Provenance(
            model="m", prompt_hashes=("ab",), cost=Cost(requests=2, money=0.5), rounds=1, scalebox="0"
        ),
    )
    refuted = replace(proved, proof=replace(proved.proof, outcome=Outcome.UNPROVABLE, reason="too little"))
    file = tmp_path / "judges.jsonl"
    file.write_bytes(b"".join(TypeAdapter(ProvedJudge).dump_json(one) + b"\n" for one in (refuted, proved)))
    said = judges("import", file, status=1)
    assert "1 judges taken" in said
    assert "line 1: proof.outcome: this judge is not proved, but unprovable" in said
    [one] = judges.json("list")
    assert (one["state"], one["category"], one["protocol"]) == ("validated", "any_construction", "function")
    shown = judges.json("show", one["id"])
    assert shown["provenance"]["cost"]["requests"] == 2
    assert shown["provenance"]["draft"]["template"] == "multiset"
    assert shown["evidence"]["proof"]["tallies"] == {"answer": {"tried": 2, "convicted": 0, "undecided": 0}}
    judges("activate", "split")
