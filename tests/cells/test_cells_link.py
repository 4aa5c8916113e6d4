"""Questions between two cells: answers out of order, questions that are given up, and a side that goes."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from scalebox.cells.link import Link
from scalebox.cells.messages import Say, packet, receive
from scalebox.core.errors import JudgeUnreachable


async def echo(kind: int, payload: bytes) -> bytes:
    await asyncio.sleep(0)
    return b"%d:" % kind + payload


@asynccontextmanager
async def linked(
    answer: Callable[[int, bytes], Awaitable[bytes]],
) -> AsyncGenerator[tuple[Link, asyncio.Task[None]], None]:
    """A link whose other side answers so, and the other side's task."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    links = [Link(*await asyncio.open_connection(sock=end), answer) for end in ends]
    serving = [asyncio.create_task(link.serve()) for link in links]
    try:
        yield links[0], serving[1]
    finally:
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


async def test_an_answer_has_the_kind_and_the_bytes() -> None:
    async with linked(echo) as (link, _):
        assert await link.ask(7, b"\0x") == b"7:\0x"


async def test_large_questions_at_once() -> None:
    payloads = [bytes([number]) * (3 << 20) for number in range(5)]
    async with linked(echo) as (link, _):
        answers = await asyncio.gather(*(link.ask(1, payload) for payload in payloads))
    assert answers == [b"1:" + payload for payload in payloads]


async def test_a_quick_answer_overtakes_a_slow_one() -> None:
    slow = asyncio.Event()

    async def answer(kind: int, payload: bytes) -> bytes:
        if kind == 1:
            await slow.wait()
        return payload

    async with linked(answer) as (link, _):
        first = asyncio.create_task(link.ask(1, b"slow"))
        assert await link.ask(2, b"quick") == b"quick"
        assert not first.done()
        slow.set()
        assert await first == b"slow"


async def test_a_question_that_is_given_up_is_given_up_there_too() -> None:
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def answer(kind: int, payload: bytes) -> bytes:
        if kind == 2:
            return payload
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()
        return b""

    async with linked(answer) as (link, _):
        asking = asyncio.create_task(link.ask(1, b""))
        await begun.wait()
        asking.cancel()
        await given_up.wait()
        assert await link.ask(2, b"still there") == b"still there"


async def test_a_side_that_goes_fails_what_waits_and_what_comes() -> None:
    begun = asyncio.Event()

    async def answer(_kind: int, _payload: bytes) -> bytes:
        begun.set()
        await asyncio.Event().wait()
        return b""

    async with linked(answer) as (link, other):
        asking = asyncio.create_task(link.ask(1, b""))
        await begun.wait()
        other.cancel()
        with pytest.raises(JudgeUnreachable):
            await asking
        with pytest.raises(JudgeUnreachable):
            await link.ask(1, b"")


def test_a_child_inherits_no_descriptor_that_came() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        socket.send_fds(ours, [packet(Say.LINK, 7, "x")], [ours.fileno(), theirs.fileno()])
        said = receive(theirs)
        assert said is not None
        assert said[:3] == (Say.LINK, 7, "x")
        inherited = [os.get_inheritable(fd) for fd in said[3]]
        for fd in said[3]:
            os.close(fd)
    assert inherited == [False, False]
