"""`scalebox judges attach`: rows in, the same rows with their judges out; and what a reward function makes of such a row."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from registry.samples import SUMS, TESTS, judge, new
from typer.testing import CliRunner

from scalebox.api.app import create_app
from scalebox.assembly import open_judge
from scalebox.cli.main import app
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.ports import Judge
from scalebox.core.problem import AskWhen, CheckerProtocol
from scalebox.registry.entry import JudgeVersion
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.registry.training import Fate, attached
from scalebox.synthesis.rates import Rate, Rates

INPUTS = [case.input.decode() for case in TESTS]
ANSWERS = [case.answer.decode() for case in TESTS]
RATES = Rates(right=Rate(hits=99, total=100), wrong=Rate(hits=48, total=50), measured_on="gold")


def verl(truth: object, *, text: bool = True, **more: object) -> dict[str, Any]:
    """A row of verl."""
    shown = json.dumps(truth) if text else truth
    return {
        "data_source": "taco",
        "prompt": [{"role": "user", "content": "split it"}],
        "reward_model": {"style": "rule", "ground_truth": shown},
        "extra_info": {"index": 7},
        **more,
    }


COLUMNS = {"inputs": INPUTS, "outputs": ANSWERS}
BATCH = {"type": "stdin_stdout", "input": INPUTS, "output": ANSWERS, "fn_name": None}
CASES = [
    {"type": "stdin_stdout", "input": given, "output": answer} for given, answer in zip(INPUTS, ANSWERS, strict=True)
]
PRIME: dict[str, object] = {
    "problem_id": "split",
    "verification_info": json.dumps({"language": "python", "test_cases": CASES}),
}
V1: dict[str, object] = {
    "id": "split",
    "problem": {"tests": [{"kind": "stdio", "input": g, "answer": a} for g, a in zip(INPUTS, ANSWERS, strict=True)]},
}
WITH_JUDGE = verl(BATCH | {"special_judge_program": "import sys"})
OTHER = verl({"inputs": ["1\n"], "outputs": ["1\n"]})
CALL = verl({"fn_name": "f", "inputs": [[1]], "outputs": [1]})
LISTED = verl(CASES)


@pytest.fixture
def active(tmp_path: Path) -> JudgeVersion:
    """A judge in use for the sample problem."""
    registry = Registry(str(tmp_path / "judges.db"))
    one = registry.add(new())[0].id
    registry.note_rates(one, RATES)
    kept = registry.activate(one)
    registry.close()
    return kept


def attach(folder: Path, source: Path, *args: str, status: int = 0) -> tuple[Path, str]:
    """The file written, and what the command prints."""
    target = folder / f"out-{source.name}"
    result = CliRunner().invoke(
        app, ["judges", "attach", str(source), "-o", str(target), *args, "--registry", str(folder / "judges.db")]
    )
    assert result.exit_code == status, result.output
    return target, result.output


def lines(path: Path, rows: list[object]) -> Path:
    """A file of rows."""
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def truth_of(row: dict[str, Any]) -> dict[str, Any]:
    """The ground truth of a row of verl."""
    found = row["reward_model"]["ground_truth"]
    tree: dict[str, Any] = json.loads(found) if isinstance(found, str) else found
    return tree


def test_every_row_comes_back_in_its_place(tmp_path: Path, active: JudgeVersion) -> None:
    rows = [verl(COLUMNS), verl(BATCH), PRIME, V1, verl({"test_cases": CASES}), verl(BATCH, text=False)]
    others = [WITH_JUDGE, OTHER, CALL, LISTED, {"odd": 1}, "no json", verl({"inputs": [], "outputs": []})]
    source = lines(tmp_path / "rows.jsonl", [*rows, *others])
    target, said = attach(tmp_path, source)
    assert said.splitlines() == [
        "13 rows: 6 with a judge from the registry",
        "  2 without: cannot be read",
        "  1 without: has a comparison of its own",
        "  1 without: its cases have no outputs",
        "  1 without: its form has no room for a judge",
        "  1 without: no cases",
        "  1 without: no judge for it",
    ]
    written = target.read_text().splitlines()
    assert written[len(rows) :] == source.read_text().splitlines()[len(rows) :]  # byte for byte
    first, second, prime, v1, nested, plain = (json.loads(line) for line in written[: len(rows)])
    assert first["extra_info"]["index"] == 7
    note = first["extra_info"]["special_judge"]
    assert (note["id"], note["version"], note["class"], note["state"]) == (active.id, 1, "any_construction", "active")
    assert (note["tpr"], note["tnr"]) == (0.99, 0.96)
    assert json.loads(note["evidence"]) == {"outcome": "proved"}
    for row, given in ((first, COLUMNS), (second, BATCH), (nested, {"test_cases": CASES}), (plain, BATCH)):
        found = truth_of(row)
        assert found.pop("special_judge_language") == "python"
        assert "validate_solution" in found.pop("special_judge_program")
        assert found == given
        assert row | {"reward_model": 0, "extra_info": 0} == verl(given) | {"reward_model": 0, "extra_info": 0}
    assert isinstance(plain["reward_model"]["ground_truth"], dict)
    assert "validate_solution" in json.loads(prime["verification_info"])["special_judge_program"]
    assert prime["special_judge"] == note
    assert v1["problem"]["checker"] == {
        "language": "python",
        "name": "program",
        "protocol": "function",
        "source": SUMS,
    }


def test_a_gzipped_file_stays_one(tmp_path: Path, active: JudgeVersion) -> None:
    source = tmp_path / "rows.jsonl.gz"
    source.write_bytes(gzip.compress((json.dumps(verl(BATCH)) + "\n").encode()))
    target, _ = attach(tmp_path, source)
    row = json.loads(gzip.decompress(target.read_bytes()))
    assert row["extra_info"]["special_judge"]["id"] == active.id


def test_a_parquet_file_keeps_its_columns_and_types(tmp_path: Path, active: JudgeVersion) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    source = tmp_path / "rows.parquet"
    rows = [verl(BATCH, level=1), verl({"inputs": ["1\n"], "outputs": ["1\n"]}, level=2)]
    struct = pa.struct([("index", pa.int32())])
    table = pa.Table.from_pylist(rows)
    at = table.column_names.index("level")
    table = table.set_column(at, "level", pa.array([1, 2], pa.int16()))
    at = table.column_names.index("extra_info")
    table = table.set_column(at, "extra_info", pa.array([{"index": 7}, {"index": 8}], struct))
    parquet.write_table(table, source)
    target, said = attach(tmp_path, source)
    assert said.startswith("2 rows: 1 with a judge")
    found = parquet.read_table(target)
    assert found.column_names == table.column_names
    kept = [name for name in table.column_names if name != "extra_info"]
    assert [found.schema.field(name).type for name in kept] == [table.schema.field(name).type for name in kept]
    assert found.schema.field("extra_info").type.field("index").type == pa.int32()
    one, other = found.to_pylist()
    assert one["extra_info"]["special_judge"]["id"] == active.id
    assert other["extra_info"] == {"index": 8, "special_judge": None}
    assert other["reward_model"] == rows[1]["reward_model"]
    assert truth_of(one)["special_judge_language"] == "python"


def test_what_is_asked_for_is_taken(tmp_path: Path, active: JudgeVersion) -> None:
    registry = Registry(str(tmp_path / "judges.db"))
    registry.add(new(problem="sha256:" + "0" * 64, name="7"))
    registry.close()
    source = lines(tmp_path / "rows.jsonl", [WITH_JUDGE, OTHER])
    assert "2 rows: 0 with a judge" in attach(tmp_path, source)[1]
    target, said = attach(tmp_path, source, "--replace", "--validated", "--by-name")
    assert "2 rows: 2 with a judge" in said
    replaced, named = (json.loads(line) for line in target.read_text().splitlines())
    assert replaced["extra_info"]["special_judge"]["id"] == active.id
    assert truth_of(replaced)["special_judge_program"] != "import sys"
    assert named["extra_info"]["special_judge"]["state"] == State.VALIDATED.value
    assert "name another file" in attach(tmp_path, source, "-o", str(source), status=2)[1]


@pytest.mark.parametrize("protocol", [CheckerProtocol.ARGV, CheckerProtocol.TESTLIB, CheckerProtocol.KATTIS])
def test_protocols_that_rows_do_not_know_are_told(tmp_path: Path, protocol: CheckerProtocol) -> None:
    registry = Registry(str(tmp_path / "judges.db"))
    kept = registry.add(new())[0]
    registry.close()
    other = replace(kept, checker=judge(SUMS, protocol))
    assert attached(verl(BATCH), other) is Fate.PROTOCOL
    assert isinstance(attached(V1, other), dict)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def local() -> AsyncIterator[Judge]:
    """The judge of this machine."""
    try:
        async with open_judge(Settings(slots=1)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@asynccontextmanager
async def serving(local: Judge, judges: Path | None = None) -> AsyncGenerator[httpx2.AsyncClient, None]:
    """A client of the service over a judge.

    Args:
        local: the judge.
        judges: the registry of the service, if it has one.
    """
    app = create_app(local, Settings(), open_registry=None if judges is None else lambda: Registry(str(judges)))
    await app.state.service.judges.refresh()
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        yield client
    await app.state.service.judges.aclose()


def reward_request(completion: str, row: dict[str, Any]) -> dict[str, Any]:
    """What a published reward function sends for a row: cases from the ground truth, the special judge in ``extra``."""
    truth = truth_of(row)
    extra = {name: value for name, value in truth.items() if "special_judge" in name}
    columns = {name: value for name, value in truth.items() if name not in extra}
    if "inputs" in columns:
        columns = {"type": "stdin_stdout", "input": columns["inputs"], "output": columns["outputs"]}
    config = {"language": "python", "provided_data": {"test_cases": columns}, "extra": extra}
    return {"completion": f"```python\n{completion}\n```", "config": config}


REWARDS = [
    ("n = int(input())\nprint(n, 0)", True),  # right, and not what the jury printed
    ("n = int(input())\nprint(n - 1, 1)", True),
    ("n = int(input())\nprint(n, 1)", False),
    ("print(2, 3)", False),
    ("print('two three')", False),  # what the judge cannot read is no fault of the judge
]


@pytest.mark.sandbox
@pytest.mark.parametrize("truth", [BATCH, COLUMNS])
async def test_the_reward_follows_the_judge(
    tmp_path: Path, active: JudgeVersion, local: Judge, truth: dict[str, object]
) -> None:
    source = lines(tmp_path / "rows.jsonl", [verl(truth)])
    target, _ = attach(tmp_path, source)
    before, after = json.loads(source.read_text()), json.loads(target.read_text())
    assert after["extra_info"]["special_judge"]["id"] == active.id
    async with serving(local) as client:
        for completion, due in REWARDS:
            replies = [
                (await client.post("/common_evaluate_batch", json=reward_request(completion, row))).json()
                for row in (before, after)
            ]
            assert replies[1]["accepted"] is due, (completion, replies[1])
            assert replies[1]["reward"] == int(due)
            if due and ", 0)" in completion:
                assert replies[0]["accepted"] is False  # without its judge the row would punish a right program


@pytest.mark.sandbox
async def test_a_service_with_the_registry_needs_no_judge_in_the_row(
    tmp_path: Path, active: JudgeVersion, local: Judge
) -> None:
    async with serving(local, tmp_path / "judges.db") as client:
        for completion, due in REWARDS:
            reply = (await client.post("/common_evaluate_batch", json=reward_request(completion, verl(BATCH)))).json()
            assert (reply["accepted"], reply["judge"]["id"]) == (due, active.id), (completion, reply)
    registry = Registry(str(tmp_path / "judges.db"))
    use = registry.get(active.id).use
    assert (use.judgements, use.broken) == (5, 1)  # the words that it cannot read
    assert use.accepted >= 3  # of what equals the answer no judge is asked
    assert use.refused >= 2
    registry.close()


HOSTILE = """\
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Pair:
    left: 'int'
    right: int
if __name__ == "__main__":
    raise SystemExit(0)
def validate_solution(stdin_path, stdout_path, answer_path):
    words = open(answer_path).read().split()
    pair = Pair(*map(int, words))
    return None if words[0] == '5' else int(pair.left == 1)
"""
"""What may lie in a judge: a future, classes that look themselves up, a guard, values that are only nearly truth values."""


@pytest.mark.sandbox
async def test_a_function_means_the_same_as_a_program(tmp_path: Path, local: Judge) -> None:
    registry = Registry(str(tmp_path / "judges.db"))
    kept = registry.add(new(HOSTILE))[0]
    registry.close()
    row = attached(verl(BATCH), kept)
    assert isinstance(row, dict)
    always = {"checker": {"name": "program", "protocol": "function", "language": "python", "source": HOSTILE}}
    async with serving(local) as client:
        for printed in ("1 1", "3 1", "5 5", "x y", ""):
            completion = f"input()\nprint({printed!r})"
            reply = (await client.post("/common_evaluate_batch", json=reward_request(completion, row))).json()
            body = {"source": completion, "language": "python", "problem": V1["problem"] | always}  # type: ignore[operator]
            due = (await client.post("/v1/judge", json=body | {"stop_on_failure": True})).json()
            assert (reply["verdict"], reply["reward"]) == (due["verdict"], due["reward"]), printed


def test_a_judge_that_sees_everything_says_so(tmp_path: Path) -> None:
    registry = Registry(str(tmp_path / "judges.db"))
    kept = registry.add(new())[0]
    registry.close()
    always = replace(kept, checker=replace(kept.checker, when=AskWhen.ALWAYS))
    row = attached(verl(BATCH), always)
    assert isinstance(row, dict)
    assert truth_of(row)["force_special_judge"] is True
