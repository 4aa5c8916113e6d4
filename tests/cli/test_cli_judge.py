"""`scalebox judge`: result lines as they finish, whole after any end, and only what is missing on resumption."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scalebox.cli import shared
from scalebox.cli.judge import judge_lines
from scalebox.cli.main import app
from scalebox.cli.records import resume
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import RequestError, SandboxError
from scalebox.core.verdict import Verdict

Json = dict[str, Any]
GOOD: Json = {
    "source": "x",
    "language": "python",
    "problem": {"tests": [{"kind": "stdio", "input": "", "answer": ""}]},
}


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> MockJudge:
    """The judge that the commands open."""
    mock = MockJudge()

    @asynccontextmanager
    async def opened(_: Settings) -> AsyncGenerator[MockJudge, None]:
        await asyncio.sleep(0)
        yield mock

    monkeypatch.setattr(shared, "open_judge", opened)
    return mock


def write(path: Path, *lines: Json | str) -> Path:
    """A file of requests."""
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def read(path: Path) -> dict[int, Json]:
    """Result lines by index; each index once."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    by_index = {line["index"]: line for line in lines}
    assert len(by_index) == len(lines)
    return by_index


def run(*args: str | Path) -> tuple[int, str]:
    """Exit status and everything printed."""
    result = CliRunner().invoke(app, ["judge", *map(str, args)])
    return result.exit_code, result.output


def test_every_line_gets_a_result(tmp_path: Path, judge: MockJudge) -> None:
    source = write(tmp_path / "in", GOOD | {"id": "a"}, "", "junk", GOOD | {"what": 1, "id": "b"}, GOOD)
    status, output = run(source, "-o", tmp_path / "out")
    results = read(tmp_path / "out")
    assert status == 1
    assert sorted(results) == [0, 2, 3, 4]
    assert (results[0]["id"], results[0]["verdict"]) == ("a", "AC")
    assert results[2]["error"]["code"] == "invalid_json"
    assert (results[3]["id"], results[3]["error"]["field"]) == ("b", "what")
    assert "AC" in output
    assert len(judge.calls) == 2


def test_all_judged_is_status_0_and_results_may_go_to_standard_output(tmp_path: Path, judge: MockJudge) -> None:
    judge.verdict_of = lambda _source, _case: Verdict.WA
    status, output = run(write(tmp_path / "in", GOOD))
    assert status == 0
    assert '"verdict":"WA"' in output


def test_a_finished_line_is_not_judged_again(tmp_path: Path, judge: MockJudge) -> None:
    source = write(tmp_path / "in", *[GOOD] * 4)
    out = tmp_path / "out"
    judge.errors.append(SandboxError("a slot died"))
    assert run(source, "-o", out)[0] == 1
    torn = out.read_text().splitlines(keepends=True)
    out.write_text("".join(torn[:3]) + torn[3][:20])
    judge.calls.clear()
    assert run(source, "-o", out)[0] == 2  # it exists
    status, _ = run(source, "-o", out, "--resume")
    assert status == 0
    assert sorted(read(out)) == [0, 1, 2, 3]
    assert len(judge.calls) == 2  # the torn line, and the one that our fault had spoilt
    judge.calls.clear()
    assert run(source, "-o", out, "--resume")[0] == 0
    assert judge.calls == []


def test_results_of_another_file_are_not_resumed(tmp_path: Path, judge: MockJudge) -> None:
    out = tmp_path / "out"
    run(write(tmp_path / "in", GOOD | {"id": "a"}), "-o", out)
    status, output = run(write(tmp_path / "other", GOOD | {"id": "b"}), "-o", out, "--resume")
    assert status == 2
    assert "another file" in output
    assert "Traceback" not in output
    assert read(out)[0]["id"] == "a"
    assert len(judge.calls) == 1


async def test_an_interrupted_run_leaves_whole_lines(tmp_path: Path) -> None:
    mock = MockJudge()
    source = write(tmp_path / "in", *[GOOD] * 3)
    out = tmp_path / "out"
    first = MockJudge()
    await judge_lines(first, write(tmp_path / "one", GOOD), out, 1)
    mock.gate = asyncio.Event()
    work = asyncio.create_task(judge_lines(mock, source, out, 2))
    await mock.started.acquire()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert sorted(read(out)) == [0]
    assert mock.running == 0
    mock.gate.set()
    counts = await judge_lines(mock, source, out, 2)
    assert counts == {"AC": 3}
    assert sorted(read(out)) == [0, 1, 2]


async def test_no_more_lines_than_asked_are_in_flight(tmp_path: Path) -> None:
    mock = MockJudge(gate=asyncio.Event())
    work = asyncio.create_task(judge_lines(mock, write(tmp_path / "in", *[GOOD] * 5), tmp_path / "out", 2))
    await mock.started.acquire()
    await mock.started.acquire()
    await asyncio.sleep(0)
    assert mock.running == 2
    assert mock.gate is not None
    mock.gate.set()
    assert await work == {"AC": 5}


@pytest.mark.parametrize(
    "line",
    [
        b'{"index":0,"verdict":"AC"}',
        b'{"index":0,"ver\n',
        b"[]\n",
        b'{"index":0,"verdict":"IE"}\n',
        b'{"index":0,"error":{"code":"unreachable"}}\n',
        b"\n",
    ],
)
def test_what_is_torn_or_not_final_is_dropped(tmp_path: Path, line: bytes) -> None:
    out = tmp_path / "out"
    out.write_bytes(b'{"index":7,"verdict":"WA","id":"x"}\n' + line)
    assert set(resume(out)) == {7}
    assert out.read_bytes() == b'{"index":7,"verdict":"WA","id":"x"}\n'


async def test_an_unjudgeable_line_is_final(tmp_path: Path) -> None:
    mock = MockJudge(errors=[RequestError("no")])
    counts = await judge_lines(mock, write(tmp_path / "in", GOOD), tmp_path / "out", 1)
    assert counts == {"error": 1}
    assert set(resume(tmp_path / "out")) == {0}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["/nowhere/in.jsonl"], "there is no file"),
        (["{in}", "--resume"], "--output"),
        (["{in}", "-o", "/nowhere/out"], "No such file"),
        (["{in}", "--url", "http://127.0.0.1:9"], "127.0.0.1:9"),
        (["{in}", "--isolation", "perfect"], "SCALEBOX_ISOLATION"),
    ],
)
def test_what_cannot_work_is_one_line_and_status_2(
    tmp_path: Path, judge: MockJudge, args: list[str], words: str
) -> None:
    source = write(tmp_path / "in", GOOD)
    status, output = run(*[arg.replace("{in}", str(source)) for arg in args])
    assert status == 2
    assert words in output
    assert output.count("\n") == 1
    assert judge.calls == []
