"""A cell's side of the socket to its supervisor: settings first, then connections and links, and at last the word to end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from scalebox.cells.board import Board
from scalebox.cells.messages import Say, packet, receive
from scalebox.cells.neighbours import Neighbours
from scalebox.cells.pulse import BEAT_SECONDS
from scalebox.core.errors import ScaleBoxError

_BATCH: Final = 64


class Deserted(ScaleBoxError):
    """The supervisor is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What a cell does when it is told to; ``connect`` and ``drain`` are called in the order of the packets."""

    connect: Callable[[socket.socket], None]
    drain: Callable[[bool], None]
    """Finish; True where the whole server ends."""
    end: Callable[[], None]
    answer: Callable[[int, bytes], Awaitable[bytes]]
    """The answer to another cell's question."""


class Member:
    """One cell of a server.

    Args:
        control: the socket to the supervisor.
        number: of this cell.
        count: of all cells.

    Raises:
        Deserted: there is no supervisor at the other end.
    """

    def __init__(self, control: socket.socket, number: int, count: int) -> None:
        control.setblocking(True)
        said = receive(control)
        if said is None or said[0] is not Say.SETTINGS:
            msg = "this is started by `scalebox serve --cells N`"
            raise Deserted(msg)
        settings, board = said[3]
        with open(settings, "rb") as file:
            file.seek(0)
            self.settings = file.read()
        self._board = Board(board, count)
        os.close(board)
        control.setblocking(False)
        self._control = control
        self._ended = 0
        self._calls: Calls | None = None
        self._linking: set[asyncio.Task[None]] = set()
        self._beats = 0
        self._next_beat: asyncio.TimerHandle | None = None
        self.number = number
        self.neighbours = Neighbours(number, count, self._board, lambda cell: self._say(packet(Say.LINK, cell)))

    def join(self, calls: Calls) -> None:
        """Take work from now on."""
        self._calls = calls
        self.neighbours.answer = calls.answer
        asyncio.get_running_loop().add_reader(self._control.fileno(), self._on_packets)
        self._beat()
        self._say(packet(Say.READY))

    def fail(self, why: str) -> None:
        """Say why this cell cannot start."""
        self._say(packet(Say.FAILED, text=why))

    def leave(self) -> None:
        """Ask for no more connections; ``drain`` is called after the last."""
        self._say(packet(Say.LEAVING))

    def _beat(self) -> None:
        """Show that the event loop turns."""
        self._beats += 1
        self._board.set_beats(self.number, self._beats)
        self._next_beat = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    def connection_ended(self) -> None:
        """Count the end of a connection."""
        self._ended += 1
        self._board.set_ended(self.number, self._ended)

    async def close(self) -> None:
        """Leave the others."""
        asyncio.get_running_loop().remove_reader(self._control.fileno())
        if self._next_beat is not None:
            self._next_beat.cancel()
        await self.neighbours.close()
        self._control.close()

    def _say(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the supervisor is gone, which is read elsewhere
            self._control.send(data)

    def _on_packets(self) -> None:
        for _ in range(_BATCH):
            try:
                said = receive(self._control)
            except BlockingIOError:
                return
            if self._calls is None:
                return
            if said is None:
                asyncio.get_running_loop().remove_reader(self._control.fileno())
                self._calls.end()
                return
            self._obey(self._calls, *said)

    def _obey(self, calls: Calls, say: Say, number: int, _text: str, fds: list[int]) -> None:
        match say:
            case Say.CONNECTION:
                calls.connect(socket.socket(fileno=fds[0]))
            case Say.LINK:
                task = asyncio.create_task(self.neighbours.add(number, socket.socket(fileno=fds[0])))
                self._linking.add(task)
                task.add_done_callback(self._linking.discard)
            case Say.NO_LINK:
                self.neighbours.refuse(number)
            case Say.DRAIN:
                calls.drain(bool(number))
            case Say.END:
                calls.end()
            case _:
                msg = f"a supervisor does not say {say.name}"
                raise ValueError(msg)
