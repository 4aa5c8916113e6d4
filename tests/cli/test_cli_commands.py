"""run, languages, doctor and the settings they read, over a judge in memory; serve on a real socket."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from typer.testing import CliRunner

from scalebox.api.app import create_app
from scalebox.cli import shared
from scalebox.cli.main import app
from scalebox.cli.serve import DrainingServer
from scalebox.client.mock import ISOLATION, USAGE, MockJudge
from scalebox.config import ConfigError, Settings, load_settings, program_python
from scalebox.core.limits import Usage
from scalebox.core.result import CompileResult, Exceeded, RunReport, RunResult
from scalebox.core.submission import Submission
from scalebox.core.tenant import Tenant
from scalebox.core.verdict import Verdict


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


def call(*args: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, list(args))
    return result.exit_code, result.stdout, result.stderr


def test_run_prints_the_output_and_how_it_ended(tmp_path: Path, judge: MockJudge) -> None:
    (tmp_path / "main.py").write_text("print(1)")
    (tmp_path / "in").write_bytes(b"given\n")
    status, out, err = call("run", str(tmp_path / "main.py"), "--stdin", str(tmp_path / "in"))
    assert (status, out) == (0, "given\n")
    assert "exit code 0" in err
    assert judge.runs[0][0] == Submission(source="print(1)", language="python")


@pytest.mark.parametrize(
    ("exit_code", "number", "exceeded", "status", "words"),
    [
        (3, None, None, 3, "exit code 3"),
        (None, 11, None, 139, "signal 11"),
        (None, 9, Exceeded.TIME, 1, "TLE"),
    ],
)
def test_run_ends_with_the_status_of_the_program(
    tmp_path: Path,
    judge: MockJudge,
    exit_code: int | None,
    number: int | None,
    exceeded: Exceeded | None,
    status: int,
    words: str,
) -> None:
    (tmp_path / "main.py").write_text("")
    run = RunResult(exit_code=exit_code, signal=number, exceeded=exceeded, usage=USAGE, stdout=b"", stderr=b"oh\n")
    judge.report = RunReport(run=run, compile=None, extraction=None, isolation=ISOLATION)
    ended, _, err = call("run", str(tmp_path / "main.py"))
    assert ended == status
    assert words in err
    assert "oh\n" in err


def test_run_shows_what_the_compiler_said(tmp_path: Path, judge: MockJudge) -> None:
    (tmp_path / "a").write_text("")
    compiled = CompileResult(verdict=Verdict.CE, cached=False, usage=Usage(), message="line 1: [no]")
    judge.report = RunReport(run=None, compile=compiled, extraction=None, isolation=ISOLATION)
    status, _, err = call("run", str(tmp_path / "a"), "--language", "python")
    assert status == 1
    assert "line 1: [no]" in err


@pytest.mark.parametrize("args", [["run", "/nowhere"], ["run", "{file}"], ["run", "{file}", "--language", "klingon"]])
def test_run_refuses_in_one_line(tmp_path: Path, judge: MockJudge, args: list[str]) -> None:
    (tmp_path / "a.unknown").write_text("")
    status, out, err = call(*[arg.replace("{file}", str(tmp_path / "a.unknown")) for arg in args])
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_languages(judge: MockJudge) -> None:
    assert "python" in call("languages")[1]
    assert json.loads(call("languages", "--json")[1])["languages"][0]["id"] == "python"
    judge.languages_known = ()
    assert call("languages")[0] == 0


def test_doctor_tells_what_is_missing(judge: MockJudge) -> None:
    status, out, _ = call("doctor")
    assert status == 0
    assert "seccomp" in out
    judge.ready = False
    assert call("doctor")[0] == 1


def test_version() -> None:
    assert call("--version")[0] == 0


def test_serve_refuses_an_open_door() -> None:
    status, _, err = call("serve", "--host", "192.0.2.1")
    assert status == 2
    assert "SCALEBOX_API_KEY" in err
    assert "SCALEBOX_HOST=127.0.0.1" in err


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "99999", "SCALEBOX_PORT: "),
        ("PORT", "x", "SCALEBOX_PORT: "),
        ("SLOTS", "0", "SCALEBOX_SLOTS: "),
        ("ISOLATION", "full", "SCALEBOX_ISOLATION: "),
        ("HOST", "192.0.2.1", "SCALEBOX_API_KEY"),
        ("API_KEY", " ", "SCALEBOX_API_KEY is blank"),
        ("PYTHON", "/nowhere/python", "SCALEBOX_PYTHON: "),
        ("LOG_PROGRAMS", "perhaps", "SCALEBOX_LOG_PROGRAMS: "),
        ("CONFIG", "/nowhere/scalebox.toml", "SCALEBOX_CONFIG: "),
    ],
)
def test_a_bad_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str) -> None:
    monkeypatch.setenv(f"SCALEBOX_{name}", value)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert words in str(caught.value)


def test_arguments_win_over_variables_and_those_over_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "scalebox.toml"
    file.write_text('port = 1\nslots = 1\nnode = "file"\n')
    monkeypatch.setenv("SCALEBOX_CONFIG", str(file))
    monkeypatch.setenv("SCALEBOX_SLOTS", "2")
    monkeypatch.setenv("SCALEBOX_PORT", "2")
    settings = load_settings({"port": 3, "host": None})
    assert (settings.port, settings.slots, settings.node, settings.host) == (3, 2, "file", "127.0.0.1")


@pytest.mark.parametrize(
    ("text", "words"), [("prot = 1", "prot"), ("port =", "SCALEBOX_CONFIG"), ("port = 'x'", "PORT")]
)
def test_a_bad_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "scalebox.toml"
    file.write_text(text)
    monkeypatch.setenv("SCALEBOX_CONFIG", str(file))
    with pytest.raises(ConfigError, match=words):
        load_settings()


@pytest.mark.parametrize(
    ("tenants", "words"),
    [
        ("[{", "TENANTS"),
        ("[{}]", r"TENANTS\.0\.NAME"),
        ('[{"name": "A b", "key": "hidden"}]', r"TENANTS\.0\.NAME.*A b"),
        ('[{"name": "default", "key": "hidden"}]', "choose another name"),
        ('[{"name": "a"}]', r"TENANTS\.0\.KEY: Field required"),
        ('[{"name": "a", "key": " "}]', r"TENANTS\.0\.KEY: a key is printable"),
        ('[{"name": "a", "key": ["hidden"]}]', r"TENANTS\.0\.KEY"),
        ('["hidden"]', r"TENANTS\.0"),
        ('[{"name": "a", "key": "hidden", "weight": 0}]', r"TENANTS\.0\.WEIGHT.*got 0"),
        ('[{"name": "a", "key": "hidden", "max_slots": 0}]', r"TENANTS\.0\.MAX_SLOTS"),
        ('[{"name": "a", "key": "hidden", "quota": 1}]', r"tenants\.0\.quota: there is no such setting"),
        ('[{"name": "a", "key": "hidden"}, {"name": "a", "key": "b"}]', "number 1 is called a as another is"),
        ('[{"name": "a", "key": "hidden"}, {"name": "b", "key": "hidden"}]', r"number 1 \(b\) has the key of another"),
        ('[{"name": "a", "key": "hidden-too"}]', "has the key of another"),
    ],
)
def test_a_bad_tenant_is_named_and_no_key_is_shown(monkeypatch: pytest.MonkeyPatch, tenants: str, words: str) -> None:
    monkeypatch.setenv("SCALEBOX_API_KEY", "hidden-too")
    monkeypatch.setenv("SCALEBOX_TENANTS", tenants)
    with pytest.raises(ConfigError, match=words) as caught:
        load_settings()
    assert "hidden" not in str(caught.value)


def test_tenants_of_the_file_have_keys_that_open_other_addresses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "scalebox.toml"
    file.write_text('[[tenants]]\nname = "rl"\nkey = "s3cret"\nweight = 2\nmax_slots = 8\n')
    monkeypatch.setenv("SCALEBOX_CONFIG", str(file))
    settings = load_settings({"host": "::"})
    assert [tenant.tenant() for tenant in settings.tenants] == [Tenant(name="rl", weight=2.0, max_slots=8)]
    assert {name: key.get_secret_value() for name, key in settings.keys().items()} == {"rl": "s3cret"}
    assert "s3cret" not in repr(settings)


def test_a_key_opens_other_addresses_and_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCALEBOX_API_KEY", "s3cret")
    settings = load_settings({"host": "::"})
    assert "s3cret" not in repr(settings)


def test_the_interpreter_of_the_settings_wins() -> None:
    assert program_python(Settings(python=Path(sys.executable))) == Path(sys.executable)
    assert program_python(Settings()).exists()


async def started(mock: MockJudge, settings: Settings) -> tuple[FastAPI, asyncio.Task[None], str]:
    """A server on a free port."""
    served = create_app(mock, settings)
    config = uvicorn.Config(served, port=0, log_config=None, access_log=False, timeout_graceful_shutdown=10)
    server = DrainingServer(config, served)
    task = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        while not server.started:  # ruff: ignore[async-busy-wait] -- uvicorn has no event for it
            await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    return served, task, f"http://127.0.0.1:{port}"


async def test_a_signal_drains_and_loses_nothing() -> None:
    mock = MockJudge(gate=asyncio.Event())
    served, task, url = await started(mock, Settings())
    body = {"source": "", "language": "python", "problem": {"tests": [{"kind": "stdio", "input": "", "answer": ""}]}}
    async with httpx2.AsyncClient(base_url=url) as client:
        running = asyncio.create_task(client.post("/v1/judge", json=body))
        await mock.started.acquire()
        os.kill(os.getpid(), signal.SIGTERM)
        async with asyncio.timeout(10):
            while not served.state.service.draining:  # ruff: ignore[async-busy-wait] -- the signal sets a flag
                await asyncio.sleep(0)
        assert not task.done()
        assert mock.gate is not None
        mock.gate.set()
        assert (await running).json()["verdict"] == "AC"
    async with asyncio.timeout(10):
        await task


async def test_the_refusal_of_a_huge_body_reaches_its_sender() -> None:
    async def pieces() -> AsyncGenerator[bytes, None]:
        for _ in range(100):
            yield b" " * (1 << 20)
            await asyncio.sleep(0)

    _, task, url = await started(MockJudge(), Settings(max_body_mb=1))
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:
        assert (await client.post("/v1/judge", content=pieces())).status_code == 413
        assert (await client.post("/v1/judge", content=b" " * (100 << 20))).status_code == 413
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(10):
        await task
