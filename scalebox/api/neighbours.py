"""What must be one over all cells of a server: the judgement of an id, the lines of a batch, health and metrics.

Theory of operation: a connection belongs to one cell. An id belongs to one too, by a hash that all cells agree on, and a request with
that id is sent on to it, wherever it came in. Lines of a batch are dealt out, so that one connection can keep all cells
busy. A cell that ends takes what it remembers along; then its ids belong to others, who judge anew.
"""

from __future__ import annotations

import enum
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from scalebox.api.errors import Conflict, as_request_error, status_of
from scalebox.core.errors import DeadlineExceeded, QueueFull, RequestError, ScaleBoxError
from scalebox.core.result import Health
from scalebox.wire import convert_client
from scalebox.wire.reply_v1 import error_reply, reply_bytes

_OK: Final = 0
_HEAD: Final = struct.Struct(">Hd")
"""Status of an error (0 where there is none), and the pause asked for."""


class Ask(enum.IntEnum):
    """The kinds of questions between cells."""

    LINE = 1
    """Judge a line of a batch."""
    OWNED = 2
    """Judge a request whose id is the asked cell's."""
    OWNED_LINE = 3
    """The same for a line of a batch, which waits where the queue is full."""
    HEALTH = 4
    METRICS = 5


class Neighbours(Protocol):
    """The other cells of this server."""

    @property
    def number(self) -> int:
        """Of this cell."""
        ...

    @property
    def count(self) -> int:
        """How many cells the server is to have, this one among them."""
        ...

    def up(self) -> Sequence[int]:
        """The cells that take work."""
        ...

    def owner(self, key: str) -> int:
        """The cell that remembers an id."""
        ...

    async def ask(self, cell: int, kind: int, payload: bytes = b"") -> bytes:
        """Another cell's answer.

        Raises:
            JudgeUnreachable: it ended first.
        """
        ...


class Deal:
    """Deals the lines of one batch to cells: each to the one that has the fewest of them, here first.

    Args:
        neighbours: None where there is one cell only.
    """

    def __init__(self, neighbours: Neighbours | None) -> None:
        self._neighbours = neighbours
        self._out: Counter[int] = Counter()

    def take(self) -> int | None:
        """The cell for the next line, None for this one; ``give_back`` is to follow."""
        if self._neighbours is None:
            return None
        own = self._neighbours.number
        cell = min((own, *self._neighbours.up()), key=lambda cell: (self._out[cell], cell != own))
        self._out[cell] += 1
        return None if cell == own else cell

    def give_back(self, cell: int | None) -> None:
        """A line is done."""
        if self._neighbours is not None:
            self._out[self._neighbours.number if cell is None else cell] -= 1


def of_tenant(tenant: str, body: bytes) -> bytes:
    """A request as it goes to another cell: whose it is, and what."""
    return tenant.encode() + b"\n" + body


def tenant_and_body(payload: bytes) -> tuple[str, bytes]:
    """What ``of_tenant`` made one of."""
    tenant, _, body = payload.partition(b"\n")
    return tenant.decode(), body


def pack(result: bytes | ScaleBoxError) -> bytes:
    """A reply, or the error in its place, as it goes between cells."""
    if isinstance(result, bytes):
        return _HEAD.pack(_OK, 0.0) + result
    pause = result.retry_after_seconds if isinstance(result, QueueFull) else 0.0
    return _HEAD.pack(status_of(result), pause) + reply_bytes(error_reply(as_request_error(result)))


def unpack(answer: bytes) -> bytes:
    """The reply of another cell.

    Raises:
        ScaleBoxError: what it raised.
    """
    status, pause = _HEAD.unpack_from(answer)
    body = answer[_HEAD.size :]
    if status == _OK:
        return body
    error = convert_client.error_from(status, body, pause)
    if status == 409 and isinstance(error, RequestError):
        raise Conflict(error.message, field=error.field, hint=error.hint, code=error.code)
    if isinstance(error, QueueFull | RequestError | DeadlineExceeded):
        raise error
    raise ScaleBoxError(str(error))


def whole_health(parts: Mapping[int, Health], neighbours: Neighbours) -> Health:
    """The health of a server from that of its cells: ready where one is, slots and queues summed, the rest as this cell has it."""
    return replace(
        parts[neighbours.number],
        ready=any(part.ready for part in parts.values()),
        slots=sum(part.slots for part in parts.values()),
        busy=sum(part.busy for part in parts.values()),
        queued=sum(part.queued for part in parts.values()),
        cells=neighbours.count,
        cells_up=len(parts),
    )
