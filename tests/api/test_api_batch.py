"""Batches that are hard to read: many lines of nothing, many of little, and a line over which the service fails."""

from __future__ import annotations

import asyncio
import gzip
import json

import httpx2
import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st

from scalebox.api import batch
from scalebox.api.admission import Held, Room
from scalebox.api.app import create_app
from scalebox.api.batch import LINES_A_TURN, Splitter
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.problem import TestCase
from scalebox.core.verdict import Verdict

TEST = {"kind": "stdio", "input": "1\n", "answer": "2"}


def line(source: str = "x") -> bytes:
    """A line that is judged."""
    return json.dumps({"source": source, "language": "python", "problem": {"tests": [TEST]}}).encode()


async def cut(body: bytes, size: int) -> list[tuple[int, bytes | ScaleBoxError]]:
    """The lines of a body that comes in pieces."""
    splitter = Splitter(1 << 20, Room(1 << 20))
    found = []
    for at in range(0, len(body), size):
        async for one in splitter.feed(body[at : at + size]):
            found.append((one.index, one.content))
            one.give_back()
    last = splitter.finish()
    if last is not None:
        found.append((last.index, last.content))
    return found


@given(
    st.lists(st.sampled_from([b"\n", b"\r\n", b" ", b"\t", b"a", b"bc", b"\x0b\n"])).map(b"".join), st.integers(1, 9)
)
async def test_lines_are_numbered_and_blank_ones_left_out_however_they_come(body: bytes, size: int) -> None:
    due = [(index, part) for index, part in enumerate(body.split(b"\n")) if part.strip()]
    assert await cut(body, size) == due


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \t\n"])
async def test_blank_lines_cost_no_objects(monkeypatch: pytest.MonkeyPatch, blank: bytes) -> None:
    made: list[Held] = []

    class Counted(Held):
        def __init__(self, room: Room, wait_seconds: float | None = None) -> None:
            super().__init__(room, wait_seconds)
            made.append(self)

    monkeypatch.setattr(batch, "Held", Counted)
    assert await cut(b"a\n" + blank * 100_000 + b"b\n" + blank * 100_000, 64 << 10) == [(0, b"a"), (100_001, b"b")]
    assert len(made) <= 4


async def test_many_short_lines_let_others_in_between() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    count = 20 * LINES_A_TURN
    other = asyncio.create_task(others())
    assert len(await cut(b"x\n" * count, 2 * count)) == count
    other.cancel()
    assert turns >= 19


async def test_blank_lines_that_were_compressed(client: httpx2.AsyncClient) -> None:
    body = gzip.compress(line() + b"\n" * (4 << 20) + line())
    reply = await client.post("/v1/judge/batch", content=body, headers={"Content-Encoding": "gzip"})
    found = {answer["index"]: answer["verdict"] for answer in map(json.loads, reply.text.splitlines())}
    assert found == {0: "AC", 4 << 20: "AC"}


@pytest.fixture
def app(judge: MockJudge) -> FastAPI:
    """An application whose judge has a fault."""

    def verdict_of(source: str, _case: TestCase) -> Verdict:
        if source == "fault":
            raise ZeroDivisionError("secret")
        return Verdict.AC

    judge.verdict_of = verdict_of
    return create_app(judge, Settings())


async def test_a_line_over_which_the_service_fails_is_an_error_line(client: httpx2.AsyncClient) -> None:
    reply = await client.post("/v1/judge/batch", content=b"\n".join([line(), line("fault"), line()]))
    found = {answer["index"]: answer for answer in map(json.loads, reply.text.splitlines())}
    assert [found[0]["verdict"], found[2]["verdict"]] == ["AC", "AC"]
    assert found[1]["error"]["code"] == "internal"
    assert "secret" not in reply.text
