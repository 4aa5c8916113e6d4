"""One port for all cells: every connection goes to the cell that has the fewest for its slots. Reads nothing of a connection."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.errors import ScaleBoxError

_BACKLOG: Final = 2048
_BATCH: Final = 64
"""Connections taken in one turn of the loop, so that packets of the cells are read in between."""
_PAUSE_SECONDS: Final = 0.05
_SHORTAGE: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_GONE: Final = frozenset({errno.ECONNABORTED, errno.EINTR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a cell has to do."""

    cell: int
    connections: int
    slots: int
    given_at: int
    """When it was last given one, as a count of connections."""


def choose(loads: Sequence[Load]) -> int:
    """The cell for the next connection.

    Args:
        loads: of the cells that are up, at least one.
    """
    return min(loads, key=lambda load: (load.connections / load.slots, load.given_at)).cell


def bind(host: str, port: int) -> list[socket.socket]:
    """Sockets on every address of a host; nothing listens yet.

    Raises:
        ScaleBoxError: an address cannot be had.
    """
    opened: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(found):
            listener = socket.socket(family, kind, protocol)
            opened.append(listener)
            listener.setblocking(False)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            taken = opened[0].getsockname()[1] if len(opened) > 1 else port  # 0 is to be the same everywhere
            listener.bind((address[0], taken, *address[2:]))
    except OSError as error:
        for listener in opened:
            listener.close()
        raise cannot_listen(host, port, error) from None
    return opened


def cannot_listen(host: str, port: int, error: OSError) -> ScaleBoxError:
    """The error for an address that is taken or not ours."""
    why = error.strerror or str(error)
    return ScaleBoxError(f"cannot listen on {host}:{port} ({why}); set SCALEBOX_PORT or --port to a free one")


class Dispatcher:
    """Takes connections and gives them away.

    Args:
        listeners: bound sockets; they are the dispatcher's from now on.
        give: hands a connection to a cell; False where none can take one now.
    """

    def __init__(self, listeners: Sequence[socket.socket], give: Callable[[socket.socket], bool]) -> None:
        self._listeners = listeners
        self._give = give
        self._held: socket.socket | None = None
        self._listening = False

    def open(self) -> None:
        """Listen.

        Raises:
            OSError: somebody else does.
        """
        for listener in self._listeners:
            listener.listen(_BACKLOG)
        self._listening = True
        self._watch()

    def close(self) -> None:
        """Give away all that have come and listen no more."""
        if self._listening:
            self._pause()
            if self._pass_held():
                for listener in self._listeners:
                    while self._take_one(listener):
                        pass
            self._listening = False
        if self._held is not None:
            self._held.close()
            self._held = None
        for listener in self._listeners:
            listener.close()

    def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        for listener in self._listeners:
            loop.add_reader(listener.fileno(), self._take, listener)

    def _pause(self) -> None:
        loop = asyncio.get_running_loop()
        for listener in self._listeners:
            loop.remove_reader(listener.fileno())

    def _take(self, listener: socket.socket) -> None:
        for _ in range(_BATCH):
            if not self._take_one(listener):
                return

    def _take_one(self, listener: socket.socket) -> bool:
        """Take a connection and give it away; False where there is none, or no more can be taken now."""
        try:
            connection, _ = listener.accept()
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in _GONE:
                return True
            if error.errno not in _SHORTAGE:
                raise
            self._rest()
            return False
        self._held = connection
        if self._pass_held():
            return True
        self._rest()
        return False

    def _pass_held(self) -> bool:
        if self._held is None:
            return True
        if not self._give(self._held):
            return False
        self._held.close()
        self._held = None
        return True

    def _rest(self) -> None:
        """Nobody can take a connection, or the kernel has no room for one: those that come wait in the kernel."""
        self._pause()
        asyncio.get_running_loop().call_later(_PAUSE_SECONDS, self._resume)

    def _resume(self) -> None:
        if not self._listening:
            return
        if self._pass_held():
            self._watch()
        else:
            self._rest()
