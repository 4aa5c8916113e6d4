"""Whose a request is: told by its key, never by the client's word; with quotas, classes and metrics of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from scalebox.api.app import create_app
from scalebox.client.mock import MockJudge
from scalebox.config import Settings, TenantSettings
from scalebox.core.errors import QueueFull, QuotaFull
from scalebox.core.result import Judgement, Origin
from scalebox.core.submission import Priority

Json = dict[str, Any]
TEST: Json = {"kind": "stdio", "input": "", "answer": ""}
JUDGE: Json = {"source": "x", "language": "python", "problem": {"tests": [TEST]}}
RUN: Json = {"source": "x", "language": "python"}
RL = {"Authorization": "Bearer of-rl"}
EVALS = {"X-API-Key": "of-evals"}
OWN = {"X-API-Key": "of-all"}


@pytest.fixture
def settings() -> Settings:
    """A key of the service's own and two tenants."""
    tenants = (
        TenantSettings(name="rl", key=SecretStr("of-rl"), weight=4),
        TenantSettings(name="evals", key=SecretStr("of-evals")),
    )
    return Settings(api_key=SecretStr("of-all"), tenants=tenants)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the application."""
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://scalebox") as opened:
        yield opened


@pytest.mark.parametrize(("headers", "tenant"), [(RL, "rl"), (EVALS, "evals"), (OWN, "default")])
async def test_the_key_says_whose_it_is(
    client: httpx2.AsyncClient, judge: MockJudge, headers: dict[str, str], tenant: str
) -> None:
    line = json.dumps(JUDGE)
    legacy = {"completion": "```python\nx\n```", "config": {"language": "python", "provided_data": {"test_cases": {
        "type": "stdin_stdout", "input": [""], "output": [""]}}}}  # fmt: skip
    for path, content in (
        ("/v1/judge", line),
        ("/v1/judge/batch", line),
        ("/common_evaluate_batch", json.dumps(legacy)),
        ("/v1/run", json.dumps(RUN)),
        ("/run_code", json.dumps({"code": "x", "language": "python"})),
    ):
        assert (await client.post(path, content=content, headers=headers)).status_code == 200
    assert [options.tenant for _, _, options in judge.calls] == [tenant] * 3
    assert [spec.tenant for _, spec in judge.runs] == [tenant] * 2


async def test_a_client_cannot_say_whose_it_is(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    reply = await client.post("/v1/judge", json=JUDGE | {"tenant": "evals"}, headers=RL)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "tenant")
    for headers in ({}, {"X-API-Key": "of-nobody"}, {"X-API-Key": "rl"}):
        assert (await client.post("/v1/judge", json=JUDGE, headers=headers)).status_code == 401
    assert judge.calls == []


async def test_tenants_alone_close_the_door(judge: MockJudge) -> None:
    app = create_app(judge, Settings(tenants=(TenantSettings(name="rl", key=SecretStr("of-rl")),)))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://x") as client:
        assert (await client.post("/v1/judge", json=JUDGE)).status_code == 401
        assert (await client.post("/v1/judge", json=JUDGE, headers=RL)).status_code == 200
        assert (await client.get("/healthz")).status_code == 200


async def test_an_id_is_the_tenants_own(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    for headers, source in ((RL, "x"), (EVALS, "y"), (RL, "x")):
        reply = await client.post("/v1/judge", json=JUDGE | {"id": "1", "source": source}, headers=headers)
        assert (reply.status_code, reply.json()["id"]) == (200, "1")
    assert len(judge.calls) == 2


@pytest.mark.parametrize("priority", [None, *Priority])
async def test_priority(client: httpx2.AsyncClient, judge: MockJudge, priority: Priority | None) -> None:
    more = {} if priority is None else {"priority": priority.value}
    await client.post("/v1/judge", json=JUDGE | more, headers=RL)
    await client.post("/v1/run", json=RUN | more, headers=RL)
    due = priority or Priority.TRAINING
    assert (judge.calls[0][2].priority, judge.runs[0][1].priority) == (due, due)


@pytest.mark.parametrize("priority", ["urgent", 1, None])
@pytest.mark.parametrize(("path", "body"), [("/v1/judge", JUDGE), ("/v1/run", RUN)])
async def test_unknown_priority(client: httpx2.AsyncClient, path: str, body: Json, priority: object) -> None:
    reply = await client.post(path, json=body | {"priority": priority}, headers=RL)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "priority")
    assert "interactive" in reply.text


async def test_a_full_quota_says_so_and_when_to_come_again(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.errors += [QuotaFull(7.3), QueueFull(2.0), QuotaFull(7.3)]
    replies = [await client.post(path, json=body, headers=RL) for path, body in (("/v1/judge", JUDGE),) * 2]
    replies.append(await client.post("/v1/run", json=RUN, headers=RL))
    assert [reply.status_code for reply in replies] == [429] * 3
    assert [reply.headers["Retry-After"] for reply in replies] == ["8", "2", "8"]
    assert [reply.json()["error"]["code"] for reply in replies] == ["quota_full", "queue_full", "quota_full"]
    metrics = (await client.get("/metrics", headers=OWN)).text
    assert 'scalebox_tenant_refusals_total{tenant="rl"} 3.0' in metrics


async def test_compatibility_routes_hold_a_request_over_its_quota(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.errors += [QuotaFull(0.0)] * 2
    async with asyncio.timeout(20):
        reply = await client.post("/run_code", json={"code": "x", "language": "python"}, headers=RL)
    assert (reply.status_code, reply.json()["status"]) == (200, "Success")


@pytest.mark.parametrize(("origin", "seconds"), [(Origin.RUN, "0.01"), (Origin.SHARED, "0.0"), (Origin.CACHED, "0.0")])
async def test_what_was_not_run_again_costs_no_cpu_time_again(
    client: httpx2.AsyncClient, judge: MockJudge, monkeypatch: pytest.MonkeyPatch, origin: Origin, seconds: str
) -> None:
    made = type(judge).judge

    async def judged(*args: Any) -> Judgement:  # noqa: ANN401 - as MockJudge.judge
        return replace(await made(*args), origin=origin)

    monkeypatch.setattr(MockJudge, "judge", judged)
    assert (await client.post("/v1/judge", json=JUDGE, headers=RL)).status_code == 200
    text = (await client.get("/metrics", headers=OWN)).text
    assert f'scalebox_tenant_cpu_seconds_total{{tenant="rl"}} {seconds}\n' in text


async def test_metrics_by_tenant_and_class(client: httpx2.AsyncClient) -> None:
    await client.post("/v1/judge", json=JUDGE | {"priority": "interactive"}, headers=RL)
    await client.post("/v1/judge", json=JUDGE, headers=OWN)
    text = (await client.get("/metrics", headers=OWN)).text
    assert 'scalebox_tenant_queue_seconds_count{priority="interactive",tenant="rl"} 1.0' in text
    assert 'scalebox_tenant_queue_seconds_count{priority="training",tenant="default"} 1.0' in text
    assert 'scalebox_tenant_cpu_seconds_total{tenant="rl"} 0.01' in text
    assert "evals" not in text
