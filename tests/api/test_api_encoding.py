"""Compressed bodies: taken on every route, a piece at a time, bounded by what they become; replies compressed for those who ask."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import threading
import zlib
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st

from scalebox.api import encoding
from scalebox.api.app import create_app
from scalebox.api.encoding import PIECE_BYTES, decoded, decoder_of, takes_zstd
from scalebox.api.errors import BadEncoding
from scalebox.client.mock import MockJudge
from scalebox.config import Settings

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Json = dict[str, Any]
TEST = {"kind": "stdio", "input": "1\n", "answer": "2"}
JUDGE: Json = {"source": "print(1)", "language": "python", "problem": {"tests": [TEST]}}
BATCH: Json = {
    "completion": "```python\nprint(1)\n```",
    "config": {"language": "python", "provided_data": {"test_cases": {"input": ["1"], "output": ["2"]}}},
}
SINGLE: Json = {
    **BATCH,
    "config": {**BATCH["config"], "provided_data": {"test_cases": [{"input": "1", "output": "2"}]}},
}
SUBMIT: Json = {
    "id": "1",
    "completion": "x",
    "config": {
        "dataset_type": "CommonOJDataset",
        "language": "python",
        "provided_data": {"test": [{"input": {"stdin": "1"}, "output": {"stdout": "2"}}]},
    },
}
ROUTES = [
    ("/v1/judge", JUDGE),
    ("/v1/judge/batch", JUDGE),
    ("/v1/run", {"source": "x", "language": "python"}),
    ("/v1/problems", JUDGE["problem"]),
    ("/common_evaluate_batch", BATCH),
    ("/common_evaluate", SINGLE),
    ("/submit", SUBMIT),
    ("/run_code", {"code": "x", "language": "python"}),
]
Compress = Callable[[bytes], bytes]
ENCODINGS: list[tuple[str, Compress]] = [("gzip", gzip.compress), ("zstd", zstd.compress)]


@pytest.mark.parametrize(("path", "body"), ROUTES)
@pytest.mark.parametrize(("name", "compress"), ENCODINGS)
async def test_every_route_takes_it(
    client: httpx2.AsyncClient, path: str, body: Json, name: str, compress: Compress
) -> None:
    plain = await client.post(path, json=body)
    reply = await client.post(path, content=compress(json.dumps(body).encode()), headers={"Content-Encoding": name})
    assert reply.status_code in {200, 201}
    assert "error" not in json.loads(reply.text)
    assert set(json.loads(reply.text)) == set(json.loads(plain.text))


@pytest.mark.parametrize("path", [path for path, _ in ROUTES])
async def test_another_encoding_is_415(client: httpx2.AsyncClient, path: str) -> None:
    for name in ("br", "gzip, zstd", "deflate"):
        reply = await client.post(path, content=b"x", headers={"Content-Encoding": name})
        error = reply.json()["error"]
        assert (reply.status_code, error["code"], error["field"]) == (415, "unknown_encoding", "Content-Encoding")


DATA = json.dumps(JUDGE).encode()


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gzip", DATA),
        ("gzip", gzip.compress(DATA, mtime=0)[:-1]),
        ("gzip", gzip.compress(DATA, mtime=0)[:20]),
        ("gzip", gzip.compress(DATA, mtime=0) + b"more"),
        ("gzip", gzip.compress(DATA, mtime=0)[:-8] + bytes(8)),
        ("gzip", zlib.compress(DATA)),
        ("zstd", DATA),
        ("zstd", zstd.compress(DATA)[:-1]),
        ("zstd", zstd.compress(DATA) + b"more"),
        ("zstd", zstd.compress(DATA, options={zstd.CompressionParameter.checksum_flag: 1})[:-4] + bytes(4)),
    ],
)
async def test_a_body_that_cannot_be_decompressed_is_400(
    client: httpx2.AsyncClient, judge: MockJudge, name: str, body: bytes
) -> None:
    reply = await client.post("/v1/judge", content=body, headers={"Content-Encoding": name})
    error = reply.json()["error"]
    assert (reply.status_code, error["code"], error["field"]) == (400, "bad_encoding", "Content-Encoding")
    lines = await client.post("/v1/judge/batch", content=body, headers={"Content-Encoding": name})
    assert json.loads(lines.text.splitlines()[-1])["error"]["code"] == "bad_encoding"
    assert len(judge.calls) <= 1  # a line that came whole before the end was missed


async def test_a_batch_judges_what_came_whole(client: httpx2.AsyncClient) -> None:
    lines = b"\n".join([DATA, DATA, DATA[:20]])
    body = gzip.compress(lines)[:-4]
    reply = await client.post("/v1/judge/batch", content=body, headers={"Content-Encoding": "gzip"})
    found = {line["index"]: line for line in map(json.loads, reply.text.splitlines())}
    assert [found[index].get("verdict") for index in range(3)] == ["AC", "AC", None]
    assert found[2]["error"]["code"] == "bad_encoding"


async def pieces(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    """As they come."""
    for chunk in chunks:
        await asyncio.sleep(0)
        yield chunk


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=4), st.integers(1, 50), st.sampled_from(ENCODINGS))
async def test_however_it_is_cut_it_is_the_same(parts: list[bytes], size: int, kind: tuple[str, Compress]) -> None:
    name, compress = kind
    body = b"".join(map(compress, parts))  # members and frames may follow each other
    cut = [body[start : start + size] for start in range(0, len(body), size)]
    assert b"".join([piece async for piece in decoded(pieces(cut), decoder_of(name))]) == b"".join(parts)
    with pytest.raises(BadEncoding):
        async for _ in decoded(pieces([body[:-1]]), decoder_of(name)):
            pass


@pytest.mark.parametrize(("name", "compress"), ENCODINGS)
async def test_a_bomb_is_413_and_never_lies_in_memory(
    app: FastAPI, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, name: str, compress: Compress
) -> None:
    made: list[int] = []
    threads: set[threading.Thread] = set()
    new = encoding._DECODERS[name]

    def counting() -> encoding.Decoder:
        decoder = new()
        feed = decoder.feed

        def counted(data: bytes, most: int) -> bytes:
            piece = feed(data, most)
            made.append(len(piece))
            if len(piece) > encoding.SMALL_BYTES:
                threads.add(threading.current_thread())
            return piece

        monkeypatch.setattr(type(decoder), "feed", lambda _, data, most: counted(data, most))
        return decoder

    monkeypatch.setattr(encoding, "_DECODERS", {name: counting})
    bomb = compress(bytes(256 << 20))
    assert len(bomb) < 1 << 20  # far below the limit of a body
    reply = await client.post("/v1/judge", content=bomb, headers={"Content-Encoding": name})
    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")
    assert max(made) <= PIECE_BYTES
    assert sum(made) <= (1 << 20) + 2 * PIECE_BYTES
    assert threads
    assert threading.main_thread() not in threads
    assert app.state.service.room.fits(1 << 30)


@pytest.mark.parametrize(("name", "compress"), ENCODINGS)
async def test_bytes_that_become_nothing_are_bounded(
    client: httpx2.AsyncClient, judge: MockJudge, name: str, compress: Compress
) -> None:
    body = [compress(b"") * 2000] * 40 + [compress(DATA)]
    for path in ("/v1/judge", "/v1/judge/batch"):
        reply = await client.post(path, content=pieces(body), headers={"Content-Encoding": name})
        assert json.loads(reply.text)["error"]["code"] == "bad_encoding"
    assert not judge.calls


async def test_compressed_bytes_are_bounded_where_no_length_is_declared(client: httpx2.AsyncClient) -> None:
    part = gzip.compress(b"") * 2000 + gzip.compress(b" ")
    body = [*[part] * ((1 << 20) // len(part) + 1), gzip.compress(DATA)]
    reply = await client.post("/v1/judge", content=pieces(body), headers={"Content-Encoding": "gzip"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize(("name", "compress"), ENCODINGS)
async def test_empty_members_are_passed_over_many_at_once(
    monkeypatch: pytest.MonkeyPatch, name: str, compress: Compress
) -> None:
    calls = 0
    decoder = decoder_of(name)
    assert decoder is not None
    feed = decoder.feed

    def counted(_: object, data: bytes, most: int) -> bytes:
        nonlocal calls
        calls += 1
        return feed(data, most)

    monkeypatch.setattr(type(decoder), "feed", counted)
    body = compress(b"") * 1000 + compress(b"x") + compress(b"") * 1000
    made = [piece async for piece in decoded(pieces([body]), decoder)]
    assert made == [b"x"]
    assert calls < 50


async def test_a_frame_that_asks_for_much_memory_is_refused(client: httpx2.AsyncClient) -> None:
    body = zstd.compress(bytes(64 << 20), options={zstd.CompressionParameter.window_log: 26})
    reply = await client.post("/v1/judge", content=body, headers={"Content-Encoding": "zstd"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "bad_encoding")


async def test_a_bomb_in_a_batch_is_one_error_line(client: httpx2.AsyncClient) -> None:
    body = gzip.compress(DATA + b"\n" + b" " * (64 << 20) + b"x\n" + DATA)
    reply = await client.post("/v1/judge/batch", content=body, headers={"Content-Encoding": "gzip"})
    found = {line["index"]: line for line in map(json.loads, reply.text.splitlines())}
    assert [found[0]["verdict"], found[2]["verdict"]] == ["AC", "AC"]
    assert found[1]["error"]["code"] == "too_large"


@pytest.mark.parametrize(
    ("accepts", "large", "takes"),
    [
        ("zstd", True, True),
        ("gzip, zstd;q=0.5", True, True),
        ("zstd", False, False),
        ("gzip", True, False),
        ("*", True, False),
    ],
)
async def test_large_replies_are_compressed_for_those_who_take_it(
    judge: MockJudge, accepts: str, large: bool, takes: bool
) -> None:
    judge.output = b"a" * (200_000 if large else 10)
    transport = httpx2.ASGITransport(app=create_app(judge, Settings()))
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        body = {**JUDGE, "detail": "full", "problem": {"tests": [TEST] * 20}}
        plain = await client.post("/v1/judge", json=body, headers={"Accept-Encoding": "identity"})
        reply = await client.post("/v1/judge", json=body, headers={"Accept-Encoding": accepts})
    assert reply.headers.get("content-encoding") == ("zstd" if takes else None)
    assert reply.json()["cases"] == plain.json()["cases"]


@pytest.mark.parametrize(
    ("accepts", "takes"),
    [
        (None, False),
        ("", False),
        ("zstd", True),
        ("gzip;q=1, ZSTD ;q=0.1", True),
        ("zstd; q=0", False),
        ("zstdx", False),
    ],
)
def test_who_takes_zstd(accepts: str | None, takes: bool) -> None:
    assert takes_zstd(accepts) is takes
