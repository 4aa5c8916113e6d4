"""Bodies: bounded together, read beside the loop where they are large, and never the cause that another request is not answered."""

from __future__ import annotations

import asyncio
import json
import threading
import zlib
from collections.abc import Mapping, MutableMapping
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from scalebox.api import batch, routes_legacy
from scalebox.api.admission import Held, Room
from scalebox.api.app import create_app
from scalebox.api.errors import NoRoom
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import DeadlineExceeded
from scalebox.core.limits import Limits
from scalebox.wire import convert_v1
from scalebox.wire.v1 import LimitsV1

Message = MutableMapping[str, Any]

TEST = {"kind": "stdio", "input": "1\n", "answer": "2"}
JUDGE = {"source": "print(1)", "language": "python", "problem": {"tests": [TEST]}}
RUN_CODE = {"code": "x", "language": "python", "compile_timeout": 10, "run_timeout": 10}
LARGE = 700 << 10


@pytest.fixture
def app(judge: MockJudge) -> FastAPI:
    """An application with room for one large body."""
    return create_app(judge, Settings(max_body_mb=1, max_bodies_mb=1))


def large(body: Mapping[str, object]) -> dict[str, object]:
    """A request of which one fits into the room, and two do not."""
    field = "code" if "code" in body else "source"
    return {**body, field: "x" * LARGE}


class Line:
    """A request sent by hand, and its reply."""

    def __init__(self, app: FastAPI, path: str, **headers: str) -> None:
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self.replied: asyncio.Queue[Message] = asyncio.Queue()
        names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": path,
                 "raw_path": path.encode(), "query_string": b"", "headers": names, "scheme": "http",
                 "server": ("scalebox", 80), "client": ("127.0.0.1", 1), "root_path": ""}  # fmt: skip
        self.task = asyncio.create_task(app(scope, self.sent.get, self.replied.put))

    def send(self, data: bytes, *, more: bool) -> None:
        """A piece of the body."""
        self.sent.put_nowait({"type": "http.request", "body": data, "more_body": more})

    async def status(self) -> int:
        """The status of the reply, once it has begun."""
        async with asyncio.timeout(5):
            return int((await self.replied.get())["status"])

    async def hang_up(self) -> None:
        """Close the connection and wait for its end."""
        self.sent.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(5):
            await asyncio.gather(self.task, return_exceptions=True)


async def started(app: FastAPI, judge: MockJudge, path: str, body: Mapping[str, object]) -> Line:
    """A request that is being judged."""
    judge.gate = judge.gate or asyncio.Event()
    line = Line(app, path)
    line.send(json.dumps(body).encode(), more=False)
    async with asyncio.timeout(5):
        await judge.started.acquire()
    return line


@pytest.mark.parametrize("path", ["/v1/judge", "/v1/run"])
async def test_without_room_a_request_is_to_come_again(
    app: FastAPI, client: httpx2.AsyncClient, judge: MockJudge, path: str
) -> None:
    holder = await started(app, judge, "/v1/judge", large(JUDGE))
    reply = await client.post(path, json=large(JUDGE))
    assert (reply.status_code, reply.json()["error"]["code"]) == (429, "no_room")
    assert int(reply.headers["Retry-After"]) >= 1
    assert (await client.get("/healthz")).status_code == 200
    assert judge.gate is not None
    judge.gate.set()
    assert await holder.status() == 200
    assert (await client.post("/v1/judge", json=large(JUDGE))).status_code == 200


async def test_what_is_held_is_given_back_however_a_request_ends(
    app: FastAPI, client: httpx2.AsyncClient, judge: MockJudge
) -> None:
    await (await started(app, judge, "/v1/judge", large(JUDGE))).hang_up()
    await (await started(app, judge, "/v1/judge/batch", large(JUDGE))).hang_up()
    half = Line(app, "/v1/judge")
    half.send(b" " * LARGE, more=True)
    await half.hang_up()
    judge.gate = None
    assert (await client.post("/v1/judge", content=b"x" * LARGE)).status_code == 400
    assert (await client.post("/v1/judge", content=b"x" * (2 << 20))).status_code == 413
    assert (await client.post("/v1/judge", json=large(JUDGE))).status_code == 200


async def test_only_what_has_come_takes_room(app: FastAPI, client: httpx2.AsyncClient) -> None:
    liars = [Line(app, "/v1/judge", content_length=str(1 << 20)) for _ in range(8)]
    for liar in liars:
        liar.send(b" ", more=True)
    assert (await client.post("/v1/judge", json=large(JUDGE))).status_code == 200
    for liar in liars:
        await liar.hang_up()


async def test_run_code_waits_for_room(app: FastAPI, judge: MockJudge) -> None:
    holder = await started(app, judge, "/v1/judge", large(JUDGE))
    body = json.dumps(large(RUN_CODE)).encode()
    waiting = Line(app, "/run_code", content_length=str(len(body)))
    waiting.send(body, more=False)
    await asyncio.sleep(0)
    assert not judge.runs
    assert judge.gate is not None
    judge.gate.set()
    assert await holder.status() == 200
    assert await waiting.status() == 200


@pytest.mark.parametrize("path", ["/run_code", "/common_evaluate_batch", "/common_evaluate", "/submit"])
async def test_compatibility_routes_without_room_in_time_are_504(
    app: FastAPI, client: httpx2.AsyncClient, judge: MockJudge, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(routes_legacy, "ROOM_SECONDS", 0.01)
    holder = await started(app, judge, "/v1/judge", large(JUDGE))
    reply = await client.post(path, json=large(RUN_CODE))
    assert (reply.status_code, reply.json()["error"]["code"]) == (504, "deadline")
    assert not judge.runs
    await holder.hang_up()


async def test_a_batch_waits_for_room(app: FastAPI, judge: MockJudge) -> None:
    holder = await started(app, judge, "/v1/judge", large(JUDGE))
    batch = Line(app, "/v1/judge/batch")
    batch.send(json.dumps(large(JUDGE)).encode(), more=False)
    assert await batch.status() == 200
    assert judge.running == 1
    assert judge.gate is not None
    judge.gate.set()
    async with asyncio.timeout(5):
        assert json.loads((await batch.replied.get())["body"])["verdict"] == "AC"
    assert await holder.status() == 200


async def test_room_is_counted_to_the_byte() -> None:
    room = Room(10)
    with Held(room) as first, Held(room) as second, Held(room, 0.01) as third:
        await first.grow_to(6)
        await second.grow_to(4)
        await second.grow_to(3)  # it never shrinks
        with pytest.raises(NoRoom):
            await second.grow_to(5)
        with pytest.raises(DeadlineExceeded):
            await third.grow_to(1)
    with Held(room) as alone:
        await alone.grow_to(11)  # one is always let in
        await alone.grow_to(12)
    assert room.fits(10)


@pytest.mark.parametrize(("size", "beside"), [(100, False), (LARGE, True)])
async def test_a_large_body_is_read_beside_the_loop(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, size: int, beside: bool
) -> None:
    threads: list[threading.Thread] = []
    limits = convert_v1._limits

    def noted(given: LimitsV1) -> Limits:
        threads.append(threading.current_thread())
        return limits(given)

    monkeypatch.setattr(convert_v1, "_limits", noted)
    assert (await client.post("/v1/judge", json={**JUDGE, "source": "x" * size})).status_code == 200
    assert [thread is not threading.main_thread() for thread in threads] == [beside]


async def test_large_requests_of_one_id_are_told_apart_by_their_bytes(
    client: httpx2.AsyncClient, judge: MockJudge
) -> None:
    body = {**large(JUDGE), "id": "one"}
    statuses = [
        (await client.post("/v1/judge", json=given)).status_code for given in (body, body, {**body, "source": "y"})
    ]
    assert statuses == [200, 200, 409]
    assert len(judge.calls) == 1


async def test_a_key_twice_is_refused_by_name(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    body = b'{"source":"print(2)",' + json.dumps(JUDGE).encode()[1:]
    reply = await client.post("/v1/judge", content=body)
    assert (reply.status_code, reply.json()["error"]["field"]) == (400, "source")
    assert reply.json()["error"]["code"] == "duplicate_key"
    assert not judge.calls


async def test_too_many_tests_are_refused_by_name(judge: MockJudge) -> None:
    app = create_app(judge, Settings())
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        reply = await client.post("/v1/judge", json={**JUDGE, "problem": {"tests": [TEST] * 20_001}})
        most = await client.post("/v1/judge", json={**JUDGE, "problem": {"tests": [TEST] * 20_000}})
    error = reply.json()["error"]
    assert (reply.status_code, error["field"], error["code"]) == (422, "problem.tests", "too_many_tests")
    assert (most.status_code, most.json()["total"]) == (200, 20_000)


class CountedRoom(Room):
    """Knows the most that was ever held."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.now = self.most = 0
        self.nearly_full = asyncio.Event()
        self._nearly = size * 2 // 3

    def change(self, size: int) -> None:
        """As the room does."""
        super().change(size)
        self.now += size
        self.most = max(self.most, self.now)
        if self.now >= self._nearly:
            self.nearly_full.set()


@pytest.mark.parametrize("encoded", [False, True])
async def test_a_flood_of_large_bodies_stays_within_the_room(judge: MockJudge, encoded: bool) -> None:
    app = create_app(judge, Settings(max_body_mb=1, max_bodies_mb=3))
    room = app.state.service.room = CountedRoom(3 << 20)
    judge.gate = asyncio.Event()
    headers = {"content_encoding": "gzip"} if encoded else {}
    lines = []
    for number in range(60):
        path = ("/v1/judge", "/v1/judge/batch", "/common_evaluate_batch", "/v1/problems", "/v1/run")[number % 5]
        data = json.dumps(large(JUDGE)).encode()
        if path.endswith("batch"):
            data += b"\n" + data[:-1]  # the last line is never whole
        line = Line(app, path, **headers)
        compressor = zlib.compressobj(1, wbits=31)
        body = compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH) if encoded else data
        for start in range(0, len(body), 10_000):
            line.send(body[start : start + 10_000], more=True)
        lines.append(line)
    async with asyncio.timeout(60):
        await room.nearly_full.wait()
    judge.gate.set()  # from here on they all end, or find room
    for line in lines:
        line.sent.put_nowait({"type": "http.disconnect"})
    async with asyncio.timeout(60):
        await asyncio.gather(*(line.task for line in lines), return_exceptions=True)
    assert room.most <= (3 + 1) << 20  # one that is half read may always go on
    assert room.now == 0


async def halves_of_lines(judge: MockJudge) -> tuple[FastAPI, list[Line], bytes]:
    """Two batches, half a line of each read, that leave no room for the rest of either; and the rest."""
    app = create_app(judge, Settings(max_body_mb=1, max_bodies_mb=1))
    data = json.dumps(large(JUDGE)).encode()
    halves = [Line(app, "/v1/judge/batch") for _ in range(2)]
    for half in halves:
        half.send(data[: len(data) // 2], more=True)
        assert await half.status() == 200
    for _ in range(100):  # far more turns of the loop than it takes to read both
        await asyncio.sleep(0)
    assert not app.state.service.room.fits(len(data) // 2)
    return app, halves, data[len(data) // 2 :]


async def replied(line: Line) -> dict[str, Any]:
    """The next line of a batch's reply."""
    async with asyncio.timeout(30):
        reply: dict[str, Any] = json.loads((await line.replied.get())["body"])
        return reply


async def test_halves_of_lines_that_fill_the_room_do_not_wait_for_each_other(judge: MockJudge) -> None:
    app, halves, rest = await halves_of_lines(judge)
    for half in halves:
        half.send(rest, more=False)
    assert [(await replied(half))["verdict"] for half in halves] == ["AC", "AC"]
    await asyncio.gather(*(half.task for half in halves))
    assert app.state.service.room.fits(1 << 20)


async def test_half_a_line_that_never_becomes_whole_does_not_stop_others_for_ever(
    judge: MockJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "ROOM_SECONDS", 0.01)
    app, [slow, other], rest = await halves_of_lines(judge)
    slow.send(rest[:-1], more=True)
    for _ in range(100):
        await asyncio.sleep(0)
    other.send(rest, more=False)
    assert (await replied(other))["error"]["code"] == "no_room"
    slow.send(rest[-1:], more=False)
    assert (await replied(slow))["verdict"] == "AC"
    await asyncio.gather(slow.task, other.task)
    assert app.state.service.room.fits(1 << 20)
