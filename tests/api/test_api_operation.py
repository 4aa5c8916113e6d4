"""The routes of operation, /v1/run, and the document that describes them."""

from __future__ import annotations

import base64
import io
import json
import logging
from dataclasses import replace
from typing import Any, Literal

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import BaseModel, create_model
from structlog.testing import capture_logs

from scalebox.api.app import create_app
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import DeadlineExceeded, QueueFull, SandboxError
from scalebox.core.limits import MIB
from scalebox.core.problem import Problem
from scalebox.core.result import Judgement, Origin
from scalebox.core.submission import Completion, JudgeOptions, Submission
from scalebox.telemetry import logs
from scalebox.wire import v1

RUN = {"source": "x", "language": "python"}


def sealed(model: type[BaseModel]) -> type[BaseModel]:
    """A reply shape that refuses unknown fields."""
    return create_model(f"Sealed{model.__name__}", __base__=model, __cls_kwargs__={"extra": "forbid"})


async def test_health_says_what_stands_and_what_does_not(client: httpx2.AsyncClient) -> None:
    health = (await client.get("/healthz")).json()
    sealed(v1.HealthV1).model_validate(health)
    assert health["isolation"] == {"level": "none", "walls": [], "missing_walls": {"seccomp": "nothing runs here"}}
    assert health["slots"] == {"total": 1, "busy": 0}


async def test_readiness_ends_with_draining(app: FastAPI, client: httpx2.AsyncClient, judge: MockJudge) -> None:
    assert (await client.get("/readyz")).status_code == 200
    judge.ready = False
    assert (await client.get("/readyz")).status_code == 503
    judge.ready = True
    app.state.service.draining = True
    assert (await client.get("/readyz")).json() == {"ready": False, "reason": "draining"}
    assert (await client.get("/healthz")).status_code == 200


async def test_languages(client: httpx2.AsyncClient) -> None:
    listed = (await client.get("/v1/languages")).json()
    sealed(v1.LanguagesV1).model_validate(listed)
    assert [language["id"] for language in listed["languages"]] == ["python", "cpp", "javascript"]


async def test_metrics_count_judgements_by_verdict(client: httpx2.AsyncClient) -> None:
    test = {"kind": "stdio", "input": "", "answer": ""}
    await client.post("/v1/judge", json=RUN | {"problem": {"tests": [test]}})
    text = (await client.get("/metrics")).text
    assert 'scalebox_judgements_total{verdict="AC"} 1.0' in text
    assert 'scalebox_http_requests_total{route="/v1/judge",status="200"} 1.0' in text


async def test_metrics_count_the_cases_of_a_shared_run_once(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    origins, judged = [Origin.RUN, Origin.SHARED, Origin.CACHED], MockJudge.judge

    async def told(
        self: MockJudge, submission: Submission | Completion, problem: Problem, options: JudgeOptions
    ) -> Judgement:
        return replace(await judged(self, submission, problem, options), origin=origins.pop())

    monkeypatch.setattr(MockJudge, "judge", told)
    for _ in range(3):
        test = {"kind": "stdio", "input": "", "answer": ""}
        await client.post("/v1/judge", json=RUN | {"problem": {"tests": [test]}})
    text = (await client.get("/metrics")).text
    assert 'scalebox_judgements_total{verdict="AC"} 3.0' in text
    assert "scalebox_cases_run_total 1.0" in text


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/nothing", 404), ("GET", "/v1/judge", 405), ("POST", "/healthz", 405)]
)
async def test_unknown_routes(client: httpx2.AsyncClient, method: str, path: str, status: int) -> None:
    reply = await client.request(method, path)
    assert reply.status_code == status
    sealed(v1.ErrorV1).model_validate(reply.json())


async def test_the_document_has_every_shape_it_names(client: httpx2.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    named = {part.split('"')[0] for part in json.dumps(document).split("#/components/schemas/")[1:]}
    assert {"JudgeV1", "JudgementV1", "BatchIn", "RunCodeOut"} <= named
    assert named <= set(document["components"]["schemas"])
    assert (await client.get("/docs")).status_code == 200


async def test_a_run(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    more = {"stdin": "é", "args": ["a"], "files": {"d/in.txt": "aGk="}, "fetch_files": ["d/in.txt"]}
    body: dict[str, Any] = RUN | more | {"limits": {"cpu_s": 0.5, "memory_mb": 64, "output_mb": 0.5}}
    reply = await client.post("/v1/run", json=body)
    sealed(v1.RunReplyV1).model_validate(reply.json())
    assert reply.json()["stdout"] == "é"
    assert reply.json()["files"] == {"d/in.txt": "aGk="}
    [(submission, spec)] = judge.runs
    assert submission == Submission(source="x", language="python")
    assert (spec.args, spec.files) == (("a",), {"d/in.txt": b"hi"})
    assert (spec.limits.cpu_seconds, spec.limits.memory_bytes, spec.limits.output_bytes) == (0.5, 64 * MIB, MIB // 2)


async def test_bytes_of_a_run_survive(client: httpx2.AsyncClient) -> None:
    raw = base64.b64encode(b"\xff\x00\r\n").decode()
    reply = (await client.post("/v1/run", json=RUN | {"stdin_base64": raw})).json()
    assert reply["stdout_base64"] == raw


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"files": {"../x": ""}}, "files.../x"),
        ({"fetch_files": ["/etc/passwd"]}, "fetch_files.0"),
        ({"stdin": "a", "stdin_base64": ""}, "stdin"),
        ({"stdin_base64": "*"}, "stdin_base64"),
        ({"stdin": 1}, "stdin"),
        ({"language": None}, "language"),
        ({"language": "klingon"}, "language"),
        ({"tests": []}, "tests"),
    ],
)
async def test_bad_runs(client: httpx2.AsyncClient, more: dict[str, Any], field: str) -> None:
    reply = await client.post("/v1/run", json=RUN | more)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (QueueFull(float("inf")), 429, "queue_full"),
        (DeadlineExceeded(), 504, "deadline"),
        (SandboxError("slot 1 died"), 500, "internal"),
    ],
)
async def test_our_own_errors(
    client: httpx2.AsyncClient, judge: MockJudge, error: Exception, status: int, code: str
) -> None:
    judge.errors.append(error)  # type: ignore[arg-type]  # a row's common type
    reply = await client.post("/v1/run", json=RUN)
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


async def test_a_bug_is_500_without_a_word_of_the_program(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.languages_known = None  # type: ignore[assignment]  # makes the judge raise what nobody expects
    reply = await client.post("/v1/run", json=RUN)
    assert (reply.status_code, reply.json()["error"]["message"]) == (500, "the server failed")


@pytest.mark.parametrize("log_programs", [False, True])
async def test_programs_are_logged_only_on_demand(judge: MockJudge, log_programs: bool) -> None:
    app = create_app(judge, Settings(log_programs=log_programs))
    test = {"kind": "stdio", "input": "the-input", "answer": "the-answer"}
    body = {"source": "the-program", "language": "python", "problem": {"tests": [test]}, "detail": "full"}
    with capture_logs() as records:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://x") as client:
            await client.post("/v1/judge", json=body)
    text = str(records)
    assert ("the-program" in text) is log_programs
    assert "the-input" not in text
    assert "the-answer" not in text
    assert {record["event"] for record in records} == {"judged", "request"}


@pytest.mark.parametrize("style", ["json", "console"])
def test_log_records_of_ours_and_of_libraries_look_alike(style: Literal["json", "console"]) -> None:
    stream = io.StringIO()
    logs.configure("info", style, stream)
    logs.get_logger("here").info("ours", number=1)
    logs.get_logger("here").debug("hidden")
    logging.getLogger("uvicorn").info("theirs %s", 2)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert "ours" in lines[0]
    assert "theirs 2" in lines[1]
    if style == "json":
        assert json.loads(lines[0])["component"] == "here"
