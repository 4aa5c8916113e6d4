"""POST /v1/judge: the reply's shape at each detail, ids, a client that hangs up, an error for every bad request."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping, MutableMapping
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from scalebox.api.app import create_app
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import QueueFull
from scalebox.core.problem import AssertCase, CallCase, CheckerSpec, StdioCase, TestCase
from scalebox.core.result import Origin
from scalebox.core.submission import Completion
from scalebox.core.verdict import Verdict
from scalebox.wire import v1
from scalebox.wire.convert_client import judge_body, judgement_from
from scalebox.wire.convert_v1 import judge_call
from scalebox.wire.reply_v1 import judgement_reply, reply_bytes

Json = dict[str, Any]
ANSWER = "forty-two"


def stdio(**more: object) -> Json:
    """A stdio test."""
    return {"kind": "stdio", "input": "1\n", "answer": ANSWER, **more}


def request(*tests: Json, **more: object) -> Json:
    """A judge request."""
    return {"source": "print(1)", "language": "python", "problem": {"tests": list(tests or [stdio()])}, **more}


def without(body: Json, field: str) -> Json:
    """A request that lacks a field."""
    return {name: value for name, value in body.items() if name != field}


async def test_a_judgement_has_every_field(client: httpx2.AsyncClient) -> None:
    reply = await client.post("/v1/judge", json=request(id="mine"))
    assert reply.status_code == 200
    judgement = reply.json()
    assert set(judgement) == {
        "id", "verdict", "reason", "reward", "score", "passed", "ran", "total", "hardened", "cases", "extraction",
        "compile", "usage", "isolation", "versions", "node",
    }  # fmt: skip
    assert judgement["id"] == "mine"
    assert judgement["reward"] == pytest.approx(1.0)
    assert set(judgement["usage"]) == {"cpu_s", "wall_s", "queue_s", "memory_bytes"}
    assert set(judgement["cases"][0]) == {
        "name", "verdict", "reason", "exit_code", "signal", "cpu_s", "wall_s", "memory_bytes", "checker",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("taken", "shown"),
    [
        ({}, {}),
        ({"origin": Origin.SHARED}, {"origin": "shared"}),
        ({"origin": Origin.CACHED, "learned_cpu_seconds": 1.5}, {"origin": "cached", "learned_cpu_s": 1.5}),
    ],
)
async def test_a_judgement_says_what_it_took_from_others(taken: dict[str, Any], shown: Json) -> None:
    judge = MockJudge()
    asked = judge_call(v1.JudgeV1.model_validate(request()))
    judgement = replace(await judge.judge(asked.submission, asked.problem, asked.options), **taken)
    reply = judgement_reply(judgement, "verdict")
    assert {name: reply[name] for name in ("origin", "learned_cpu_s") if name in reply} == shown
    read = judgement_from(reply_bytes(reply))
    assert (read.origin, read.learned_cpu_seconds) == (judgement.origin, judgement.learned_cpu_seconds)


@pytest.mark.parametrize(
    ("field", "value"), [("learned_limits", True), ("fresh", True), ("in_order", True), ("in_order", False)]
)
async def test_options_reach_the_judge(client: httpx2.AsyncClient, judge: MockJudge, field: str, value: bool) -> None:
    await client.post("/v1/judge", json=request(**{field: value}))
    submission, problem, options = judge.calls[0]
    assert getattr(options, field) is value
    assert judge_body(submission, problem, options).get(field, False) is value


@pytest.mark.parametrize("value", [True, False])
async def test_whether_a_registered_judge_may_decide_reaches_the_judge(
    client: httpx2.AsyncClient, judge: MockJudge, value: bool
) -> None:
    await client.post("/v1/judge", json=request(registered_judge=value))
    submission, problem, options = judge.calls[0]
    assert options.registered_judge is value
    assert judge_body(submission, problem, options).get("registered_judge", True) is value


async def test_detail_verdict_leaves_cases_out(client: httpx2.AsyncClient) -> None:
    assert "cases" not in (await client.post("/v1/judge", json=request(detail="verdict"))).json()


@pytest.mark.parametrize("detail", ["verdict", "cases"])
async def test_no_answer_is_shown_without_full_detail(
    client: httpx2.AsyncClient, judge: MockJudge, detail: str
) -> None:
    judge.verdict_of = lambda _source, _case: Verdict.WA
    judge.answer_excerpt = ANSWER
    assert ANSWER not in (await client.post("/v1/judge", json=request(detail=detail))).text


async def test_full_detail_shows_output_and_answer(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.output = b"\xff" + b"a" * (64 * 1024)
    judge.answer_excerpt = ANSWER
    [case] = (await client.post("/v1/judge", json=request(detail="full"))).json()["cases"]
    assert case["checker"]["answer_excerpt"] == ANSWER
    assert case["stdout"].startswith("\ufffda")
    assert case["stdout_truncated"] is True
    assert base64.b64decode(case["stdout_base64"]) == judge.output[: 64 * 1024]
    assert (case["stderr"], case["stderr_truncated"]) == ("", False)
    assert "stderr_base64" not in case


async def test_a_cut_never_splits_a_character(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.output = b"a" + "é".encode() * (64 * 1024)
    [case] = (await client.post("/v1/judge", json=request(detail="full"))).json()["cases"]
    assert "stdout_base64" not in case
    assert case["stdout"].endswith("é")


async def test_every_kind_of_test_reaches_the_judge(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    call = {"kind": "call", "function": "Solution().f", "args": [1, {"$tuple": [1]}], "answer": {"$float": "nan"}}
    check = {"kind": "assert", "code": "assert f", "style": "check", "entry_point": "f", "name": "last"}
    raw = {"kind": "stdio", "input_base64": base64.b64encode(b"\xff\x00").decode(), "answer": "é", "args": ["-x"]}
    body = request(raw, call, check, checker=None) | {"problem": {"tests": [raw, call, check], "checker": "lines"}}
    assert (await client.post("/v1/judge", json=without(body, "checker"))).status_code == 200
    [(_, problem, _)] = judge.calls
    first, second, third = problem.tests
    assert isinstance(first, StdioCase)
    assert (first.input, first.answer, first.args, first.name) == (b"\xff\x00", "é".encode(), ("-x",), "0")
    assert isinstance(second, CallCase)
    assert second.args == (1, (1,))
    assert second.answer != second.answer
    assert isinstance(third, AssertCase)
    assert third.name == "last"
    assert isinstance(problem.checker, CheckerSpec)
    assert problem.checker.name == "lines"


async def test_a_completion_needs_no_language(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    body = {"completion": "text", "problem": {"tests": [stdio()]}, "detail": "full"}
    reply = (await client.post("/v1/judge", json=body)).json()
    assert judge.calls[0][0] == Completion(text="text")
    assert reply["extraction"]["source"] == "text"


async def test_stopping_early_skips_the_rest(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.verdict_of = lambda _source, case: Verdict.WA if case.name == "1" else Verdict.AC
    reply = await client.post("/v1/judge", json=request(stdio(), stdio(), stdio(), stop_on_failure=True))
    assert [case["verdict"] for case in reply.json()["cases"]] == ["AC", "WA", "SK"]


BAD_TEST: list[tuple[Json, str]] = [
    (without(stdio(), "kind"), "problem.tests.0.kind"),
    (stdio(kind="other"), "problem.tests.0"),
    (stdio(input=5), "problem.tests.0.input"),
    (stdio(extra=1), "problem.tests.0.extra"),
    (without(stdio(), "answer"), "problem.tests.0.answer"),
    (stdio(input_base64=""), "problem.tests.0.input"),
    (stdio() | {"answer": None, "answer_base64": "!"}, "problem.tests.0.answer_base64"),
    (stdio(weight=True), "problem.tests.0.weight"),
    (stdio(weight=-1), "problem.tests.0.weight"),
    (stdio(weight=0), "problem.tests.0.weight"),
    (stdio(args=["a\0b"]), "problem.tests.0.args.0"),
    (stdio(files={"../../escape.txt": "aGk="}), "problem.tests.0.files.../../escape.txt"),
    (stdio(files={"/etc/x": "aGk="}), "problem.tests.0.files./etc/x"),
    (stdio(files={"a//b": "aGk="}), "problem.tests.0.files.a//b"),
    (stdio(files={"": "aGk="}), "problem.tests.0.files."),
    (stdio(files={"a\0": "aGk="}), "problem.tests.0.files.a\0"),
    (stdio(files={"a": "aGk=", "a/b": "aGk="}), "problem.tests.0.files.a/b"),
    (stdio(files={"a": "?"}), "problem.tests.0.files.a"),
    (stdio(checker="nonsense"), "problem.tests.0.checker"),
    (stdio(checker={"name": "floats", "abs": -1}), "problem.tests.0.checker.abs"),
    (stdio(checker={"name": "program", "protocol": "testlib", "source": ""}), "problem.tests.0.checker.language"),
    ({"kind": "call", "function": "f(", "args": [], "answer": 1}, "problem.tests.0.function"),
    ({"kind": "call", "function": "f", "args": [1], "answer": {"$float": "x"}}, "problem.tests.0.answer"),
    ({"kind": "call", "function": "f", "args": [{"$what": 1}], "answer": 1}, "problem.tests.0.args.0"),
    ({"kind": "call", "function": "f", "args": [1], "answer": 1, "mutated": 1}, "problem.tests.0.mutated"),
    ({"kind": "assert", "code": " ", "style": "bare"}, "problem.tests.0.code"),
    ({"kind": "assert", "code": "x", "style": "check"}, "problem.tests.0.entry_point"),
    ({"kind": "interactive"}, "problem.interactor"),
]

BAD_REQUEST: list[tuple[Json, str]] = [
    (request(unknown=1), "unknown"),
    (request(deadline_s="5"), "deadline_s"),
    (request(deadline_s=0), "deadline_s"),
    (request(stop_on_failure=1), "stop_on_failure"),
    (request(detail="everything"), "detail"),
    (request(id="x" * 129), "id"),
    (request(language="klingon"), "language"),
    (request(completion="both"), "source"),
    (request(extraction={"parts": "one"}), "extraction"),
    (request(extraction={"parts": "some"}), "extraction.parts"),
    (without(request(), "source"), "source"),
    (without(request(), "language"), "language"),
    (without(request(), "problem"), "problem"),
    (request(problem={"tests": []}), "problem.tests"),
    (request(problem={}), "problem.tests"),
    (request(problem_id="sha256:0"), "problem_id"),
    (request(problem={"tests": [stdio()], "interactor": {}}), "problem.interactor.language"),
    (request(problem={"tests": [stdio()], "checker": "nonsense"}), "problem.checker"),
    (request(problem={"tests": [stdio()], "limits": {"cpu_s": 1e9}}), "problem.limits.cpu_s"),
    (request(problem={"tests": [stdio()], "limits": {"memory_mb": "5"}}), "problem.limits.memory_mb"),
    (request(problem={"tests": [stdio()], "limits": {"processes": True}}), "problem.limits.processes"),
]


@pytest.mark.parametrize(("body", "field"), BAD_REQUEST + [(request(test), field) for test, field in BAD_TEST])
async def test_a_bad_field_is_named_and_nothing_runs(
    client: httpx2.AsyncClient, judge: MockJudge, body: Json, field: str
) -> None:
    reply = await client.post("/v1/judge", json=body)
    assert reply.status_code == 422
    error = reply.json()["error"]
    assert set(error) == {"code", "field", "message", "hint"}
    assert error["field"] == field
    assert error["message"]
    assert not judge.calls or field == "language"  # the judge knows the languages


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_json"),
        (b"{", "invalid_json"),
        (b"{} {}", "invalid_json"),
        (b'{"a": NaN}', "not_finite"),
        (b'{"a": [-Infinity]}', "not_finite"),
        (b'{\n"a": 1,\n"b": NaN}', "not_finite"),
        (b'{"a": "\\ud800"}', "lone_surrogate"),
        (b'{"a": "\\udc00x"}', "lone_surrogate"),
        (b'{"\\ud800": 1}', "lone_surrogate"),
        (b'{"a": "\xff"}', "invalid_utf8"),
        (b'{"a": "\xed\xa0\x80"}', "invalid_utf8"),
        (b"[" * 100_000, "too_deep"),
        (b'{"a":' * 100_000, "too_deep"),
        (b"1" * 5000, "number_too_long"),
    ],
)
async def test_what_is_not_json_is_400(client: httpx2.AsyncClient, body: bytes, code: str) -> None:
    for path in ("/v1/judge", "/v1/run", "/common_evaluate_batch", "/run_code"):
        reply = await client.post(path, content=body)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, code)


async def test_a_number_beyond_a_double_is_refused(client: httpx2.AsyncClient) -> None:
    body = json.dumps(request({"kind": "call", "function": "f", "args": [], "answer": 12345})).replace("12345", "1e999")
    reply = await client.post("/v1/judge", content=body)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "problem.tests.0.answer")
    body = json.dumps(request(deadline_s=12345)).replace("12345", "1e999")
    reply = await client.post("/v1/judge", content=body)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "deadline_s")


async def test_a_body_that_declares_too_much_is_refused_before_it_is_read(app: FastAPI) -> None:
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        await asyncio.sleep(0)
        assert len(sent) == 2, "the reply comes first; then the body is thrown away"
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        await asyncio.sleep(0)
        sent.append(message)

    await app(scope({"content-length": str(100 << 20)}), receive, send)
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["error"]["code"] == "too_large"


async def test_a_streamed_body_is_refused_when_it_grows_too_large(app: FastAPI) -> None:
    received = 0
    at_reply = 0

    async def receive() -> MutableMapping[str, Any]:
        nonlocal received
        await asyncio.sleep(0)
        received += 1 << 16
        return {"type": "http.request", "body": b" " * (1 << 16), "more_body": received < 100 << 20}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal at_reply
        await asyncio.sleep(0)
        if message["type"] == "http.response.start":
            assert message["status"] == 413
            at_reply = received

    await app(scope({}), receive, send)
    assert 1 << 20 < at_reply <= (1 << 20) + (1 << 16)


async def exchange(app: FastAPI, line: Line, path: str = "/v1/judge") -> tuple[int, Json]:
    """One request by hand; the status and the body of the reply."""
    sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    await app(scope({}, path), line.receive, sent.put)
    status = sent.get_nowait()["status"]
    body = b""
    while not sent.empty():
        body += sent.get_nowait().get("body", b"")
    return status, json.loads(body or b"{}")


def scope(headers: Mapping[str, str], path: str = "/v1/judge") -> MutableMapping[str, Any]:
    """An ASGI scope."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "scheme": "http",
        "server": ("scalebox", 80),
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }


class Line:
    """What a client sends, by hand."""

    def __init__(self, body: bytes) -> None:
        self.messages: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self.messages.put_nowait({"type": "http.request", "body": body, "more_body": False})

    async def receive(self) -> MutableMapping[str, Any]:
        """The next message."""
        return await self.messages.get()

    def hang_up(self) -> None:
        """Close the connection."""
        self.messages.put_nowait({"type": "http.disconnect"})


@pytest.mark.parametrize("path", ["/v1/judge", "/v1/judge/batch"])
async def test_a_client_that_hangs_up_cancels_its_judgement(app: FastAPI, judge: MockJudge, path: str) -> None:
    judge.gate = asyncio.Event()
    line = Line(json.dumps(request()).encode())
    serving = asyncio.create_task(exchange(app, line, path))
    await judge.started.acquire()
    line.hang_up()
    async with asyncio.timeout(5):
        await serving
    assert (judge.running, judge.cancelled) == (0, 1)


async def test_a_judgement_that_another_client_shares_goes_on(app: FastAPI, judge: MockJudge) -> None:
    judge.gate = asyncio.Event()
    body = json.dumps(request(id="shared")).encode()
    lines = [Line(body), Line(body)]
    serving = [asyncio.create_task(exchange(app, line)) for line in lines]
    await judge.started.acquire()
    await asyncio.sleep(0)
    lines[0].hang_up()
    await serving[0]
    assert judge.cancelled == 0
    judge.gate.set()
    status, judgement = await serving[1]
    assert (status, judgement["verdict"]) == (200, "AC")
    assert len(judge.calls) == 1


async def test_an_id_gives_one_judgement(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    first = await client.post("/v1/judge", json=request(id="a"))
    shuffled = dict(reversed(request(id="a").items()))
    again = await client.post("/v1/judge", content=json.dumps(shuffled, indent=1))
    assert again.content == first.content
    assert len(judge.calls) == 1


async def test_an_id_of_another_body_is_a_conflict(client: httpx2.AsyncClient) -> None:
    await client.post("/v1/judge", json=request(id="a"))
    reply = await client.post("/v1/judge", json=request(id="a", source="other"))
    assert (reply.status_code, reply.json()["error"]["field"]) == (409, "id")


async def test_what_failed_is_judged_anew(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.errors.append(QueueFull(3.2))
    refused = await client.post("/v1/judge", json=request(id="a"))
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "4")
    judge.verdict_of = lambda _source, _case: Verdict.IE
    assert (await client.post("/v1/judge", json=request(id="a"))).json()["reward"] is None
    judge.verdict_of = lambda _source, _case: Verdict.AC
    assert (await client.post("/v1/judge", json=request(id="a"))).json()["verdict"] == "AC"


async def test_replies_are_finite_json(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    def lose(_source: str, _case: TestCase) -> Verdict:
        return Verdict.JE

    judge.verdict_of = lose
    reply = await client.post("/v1/judge", json=request())
    assert (reply.json()["reward"], reply.json()["score"]) == (None, None)
    assert "NaN" not in reply.text


async def lines_of(*parts: bytes) -> AsyncIterator[bytes]:
    """A body in pieces."""
    for part in parts:
        await asyncio.sleep(0)
        yield part


async def test_a_batch_replies_to_every_line(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    good = json.dumps(request(id="one")).encode()
    body = good + b"\n\nnonsense\n" + b" " * (2 << 20) + b"x\n" + json.dumps(request(unknown=1)).encode() + b"\n" + good
    pieces = [body[at : at + 70_000] for at in range(0, len(body), 70_000)]
    reply = await client.post("/v1/judge/batch", content=lines_of(*pieces))
    assert reply.headers["content-type"].startswith("application/x-ndjson")
    by_index = {line["index"]: line for line in map(json.loads, reply.text.splitlines())}
    assert sorted(by_index) == [0, 2, 3, 4, 5]
    assert by_index[0]["verdict"] == by_index[5]["verdict"] == "AC"
    assert by_index[2]["error"]["code"] == "invalid_json"
    assert by_index[3]["error"]["code"] == "too_large"
    assert by_index[4]["error"]["field"] == "unknown"
    assert len(judge.calls) == 1  # one id, one judgement


async def test_a_batch_waits_where_the_queue_is_full(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.errors += [QueueFull(0.0), QueueFull(0.0)]
    reply = await client.post("/v1/judge/batch", content=json.dumps(request()))
    assert reply.json()["verdict"] == "AC"


async def test_a_batch_replies_before_its_body_ends(app: FastAPI) -> None:
    waiting: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    replied: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    serving = asyncio.create_task(app(scope({}, "/v1/judge/batch"), waiting.get, replied.put))
    waiting.put_nowait({"type": "http.request", "body": json.dumps(request()).encode() + b"\n", "more_body": True})
    async with asyncio.timeout(5):
        assert (await replied.get())["status"] == 200
        assert json.loads((await replied.get())["body"])["index"] == 0
        waiting.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        await serving


async def test_more_lines_than_may_be_in_flight(client: httpx2.AsyncClient) -> None:
    body = b"\n".join(json.dumps(request()).encode() for _ in range(600))
    reply = await client.post("/v1/judge/batch", content=body)
    assert sorted(json.loads(line)["index"] for line in reply.text.splitlines()) == list(range(600))


async def test_the_key_is_wanted_everywhere_but_for_health(judge: MockJudge) -> None:
    app = create_app(judge, Settings(api_key=SecretStr("s3cret")))
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        for path in ("/healthz", "/readyz", "/v1/ping"):
            assert (await client.get(path)).status_code == 200
        for headers in ({}, {"X-API-Key": "wrong"}, {"Authorization": "Bearer "}, {"Authorization": "Basic s3cret"}):
            reply = await client.post("/v1/judge", json=request(), headers=headers)
            assert (reply.status_code, reply.json()["error"]["code"]) == (401, "unauthorized")
            assert (await client.get("/metrics", headers=headers)).status_code == 401
        for headers in (
            {"X-API-Key": "s3cret"},
            {"Authorization": "Bearer s3cret"},
            {"Authorization": "bearer s3cret"},
        ):
            assert (await client.post("/v1/judge", json=request(), headers=headers)).status_code == 200
