"""`scalebox problem register`, and requests that name what it registered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from scalebox.api.app import create_app
from scalebox.cli import register, shared
from scalebox.cli.main import app
from scalebox.client.client import HttpJudge
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.wire.canonical import canonical_text, id_of, read_problem

PROBLEM = {"tests": [{"kind": "stdio", "input": "1\n", "answer": "2"}]}
ID = id_of(read_problem(json.dumps(PROBLEM).encode())[1])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> MockJudge:
    """The judge behind every URL, and the one opened here."""
    mock = MockJudge()
    transport = httpx2.ASGITransport(app=create_app(mock, Settings()))

    class Reaching(HttpJudge):
        def __init__(self, url: str, **more: Any) -> None:  # noqa: ANN401 - as HttpJudge
            super().__init__(url, transport=transport, **more)

    @asynccontextmanager
    async def opened(_: Settings) -> AsyncGenerator[MockJudge, None]:
        await asyncio.sleep(0)
        yield mock

    monkeypatch.setattr(register, "HttpJudge", Reaching)
    monkeypatch.setattr(shared, "HttpJudge", Reaching)
    monkeypatch.setattr(shared, "open_judge", opened)
    return mock


def run(*args: str | Path) -> tuple[int, str]:
    """Exit code, and everything said."""
    reply = CliRunner().invoke(app, [str(arg) for arg in args])
    return reply.exit_code, reply.output


def test_a_problem_is_registered_and_named_in_requests(server: MockJudge, tmp_path: Path) -> None:
    source = tmp_path / "problem.json"
    source.write_text(json.dumps(PROBLEM), encoding="utf-8")
    code, output = run("problem", "register", source, "--url", "http://here")
    assert (code, output.splitlines()[-1]) == (0, ID)
    lines = [{"source": "x", "language": "python", "problem_id": ID} for _ in range(3)]
    requests, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    requests.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run("judge", requests, "-o", out, "--url", "http://here")[0] == 0
    assert [json.loads(line)["verdict"] for line in out.read_text(encoding="utf-8").splitlines()] == ["AC"] * 3
    assert {id_of(canonical_text(call[1])) for call in server.calls} == {ID}


@pytest.mark.parametrize(
    ("more", "code"), [(["--url", "http://here"], "problem_unknown"), ([], "not_offered")]
)  # fmt: skip
def test_a_line_whose_problem_is_unknown_is_an_error_line(
    server: MockJudge, tmp_path: Path, more: list[str], code: str
) -> None:
    requests, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    requests.write_text(json.dumps({"source": "x", "language": "python", "problem_id": ID}), encoding="utf-8")
    assert run("judge", requests, "-o", out, *more)[0] == 1
    assert json.loads(out.read_text(encoding="utf-8"))["error"]["code"] == code
    assert not server.calls


@pytest.mark.parametrize(
    ("text", "said"), [("{", "not JSON"), ('{"tests": []}', "tests: "), (None, "there is no file")]
)  # fmt: skip
def test_what_is_no_problem_is_refused(server: MockJudge, tmp_path: Path, text: str | None, said: str) -> None:
    source = tmp_path / "problem.json"
    if text is not None:
        source.write_text(text, encoding="utf-8")
    code, output = run("problem", "register", source, "--url", "http://here")
    assert (code, said in output) == (2, True)
    assert not server.calls
