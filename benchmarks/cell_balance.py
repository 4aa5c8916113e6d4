"""How evenly connections come to rest on the processes that share one port, by three ways to share it.

``reuseport``  each process listens by itself (SO_REUSEPORT), the kernel chooses by a hash of the addresses
``inherited``  one listening socket, whichever process wakes first accepts
``passed``     one process accepts and passes each connection to the process with the fewest: what ``scalebox.cells`` does

Each process is an event loop that answers a line with a line and burns some CPU for it (``--burn``). ``kept``: so many
connections opened at once, all stay open; ``short``: a connection for each line, 16 at a time. Shown is the largest share of a process over the
mean (1.00 is even), as median and worst of the rounds; and, for short ones, lines a second.

    python benchmarks/cell_balance.py [--processes 4] [--rounds 20]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import socket
import statistics
import struct
import time
from collections.abc import Generator
from typing import Final

from scalebox.cells.board import Board
from scalebox.cells.dispatch import Dispatcher, Load, choose

WAYS: Final = ("reuseport", "inherited", "passed")
KEPT: Final = (8, 32, 128)
SHORT: Final = 1000
AT_A_TIME: Final = 16
BURN_SECONDS: Final = 0.0005


class Line(asyncio.Protocol):
    """Answers each line with the number of its process."""

    def __init__(self, number: int, board: Board) -> None:
        self._number = number
        self._board = board
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep it."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the type checker
        self._transport = transport

    def data_received(self, _data: bytes) -> None:
        """Work a little, then answer."""
        until = time.thread_time() + BURN_SECONDS
        while time.thread_time() < until:
            pass
        if self._transport is not None:
            self._transport.write(struct.pack("B", self._number))

    def connection_lost(self, _error: Exception | None) -> None:
        """Count it."""
        self._board.set_ended(self._number, self._board.ended(self._number) + 1)


async def serve(way: str, number: int, board: Board, listener: socket.socket, control: socket.socket) -> None:
    """One process, for ever."""
    loop = asyncio.get_running_loop()
    if way != "passed":
        await loop.create_server(lambda: Line(number, board), sock=listener, backlog=2048)
    tasks: set[asyncio.Task[object]] = set()

    def take() -> None:
        _, fds, _, _ = socket.recv_fds(control, 1, 1)
        for fd in fds:
            connection = socket.socket(fileno=fd)
            connection.setblocking(False)
            task = asyncio.create_task(loop.connect_accepted_socket(lambda: Line(number, board), connection))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    control.setblocking(False)
    loop.add_reader(control.fileno(), take)
    await asyncio.Event().wait()


async def hand_out(listener: socket.socket, board: Board, controls: list[socket.socket]) -> None:
    """The process that passes connections, for ever."""
    given = [0] * len(controls)
    given_at = [0] * len(controls)

    def give(connection: socket.socket) -> bool:
        cell = choose([
            Load(cell=cell, connections=given[cell] - board.ended(cell), slots=1, given_at=given_at[cell])
            for cell in range(len(controls))
        ])
        socket.send_fds(controls[cell], [b"c"], [connection.fileno()])
        given[cell] += 1
        given_at[cell] = sum(given)
        return True

    Dispatcher([listener], give).open()
    await asyncio.Event().wait()


def listening(port: int, *, listen: bool) -> socket.socket:
    """A socket on a port that others may have too."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("127.0.0.1", port))
    listener.setblocking(False)
    if listen:
        listener.listen(2048)
    return listener


@contextlib.contextmanager
def processes(way: str, count: int) -> Generator[int, None, None]:
    """So many processes that share a port; gives the port."""
    board_fd = Board.make(count)
    board = Board(board_fd, count)
    first = listening(0, listen=way == "inherited")
    port = first.getsockname()[1]
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(count)]
    pids = []
    for number in range(count + (way == "passed")):
        pid = os.fork()
        if pid == 0:
            if number == count:
                asyncio.run(hand_out(first, board, [ours for ours, _ in pairs]))
            own = listening(port, listen=True) if way == "reuseport" else first
            asyncio.run(serve(way, number, board, own, pairs[number][1]))
        pids.append(pid)
    time.sleep(0.5)  # until all of them listen
    if way == "reuseport":
        first.close()
    try:
        yield port
    finally:
        for pid in pids:
            os.kill(pid, 9)
            os.waitpid(pid, 0)


async def ask(port: int) -> tuple[int, asyncio.StreamWriter]:
    """Open a connection and ask who has it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"\n")
    return (await reader.readexactly(1))[0], writer


def unevenness(owners: list[int], count: int) -> float:
    """The largest share over the mean."""
    return max(owners.count(number) for number in range(count)) * count / len(owners)


async def kept(port: int, connections: int, count: int) -> float:
    """Connections that are opened together and stay."""
    asked = await asyncio.gather(*(ask(port) for _ in range(connections)))
    for _, writer in asked:
        writer.close()
        await writer.wait_closed()
    return unevenness([owner for owner, _ in asked], count)


async def short(port: int, count: int) -> tuple[float, float]:
    """A connection a line."""
    owners: list[int] = []

    async def one_after_the_other() -> None:
        for _ in range(SHORT // AT_A_TIME):
            owner, writer = await ask(port)
            owners.append(owner)
            writer.close()
            await writer.wait_closed()

    began = time.perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(AT_A_TIME)))
    return unevenness(owners, count), len(owners) / (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    count = arguments.processes
    print(f"{count} processes, {arguments.rounds} rounds; largest share over the mean: median, worst")
    for way in WAYS:
        columns = []
        for connections in KEPT:
            found = []
            for _ in range(arguments.rounds):
                with processes(way, count) as port:
                    found.append(asyncio.run(kept(port, connections, count)))
            columns.append(f"{connections} kept {statistics.median(found):.2f} {max(found):.2f}")
        with processes(way, count) as port:
            rounds = [asyncio.run(short(port, count)) for _ in range(max(3, arguments.rounds // 4))]
        shares, speeds = zip(*rounds, strict=True)
        columns.append(f"short {statistics.median(shares):.2f} {max(shares):.2f}, {statistics.median(speeds):.0f}/s")
        print(f"{way:10}", " | ".join(columns), flush=True)


if __name__ == "__main__":
    main()
