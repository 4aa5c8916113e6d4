"""What the supervisor and a cell say to each other: packets over a private socket, some with a descriptor. No content of requests."""

from __future__ import annotations

import array
import enum
import socket
from typing import Final

MAX_PACKET: Final = 4096
_MOST_FDS: Final = 2


class Say(enum.IntEnum):
    """The first byte of a packet."""

    SETTINGS = 1
    """To a cell, first: two memory files, the settings and the board."""
    CONNECTION = 2
    """To a cell: a client's connection."""
    LINK = 3
    """To a cell: its end of a stream to the cell named; from a cell: it wants one."""
    NO_LINK = 4
    """To a cell: the cell named is not up."""
    DRAIN = 5
    """To a cell, after its last connection: finish and end. 1 where the whole server ends, else 0."""
    END = 6
    """To a cell: end now."""
    READY = 7
    """From a cell: it takes work."""
    FAILED = 8
    """From a cell: it cannot start; the rest of the packet says why."""
    LEAVING = 9
    """From a cell: it was told to end, and waits for ``DRAIN``."""


def packet(say: Say, number: int = 0, text: str = "") -> bytes:
    """One packet."""
    return bytes([say]) + number.to_bytes(2, "big") + text.encode()[: MAX_PACKET - 3]


def receive(control: socket.socket) -> tuple[Say, int, str, list[int]] | None:
    """The next packet with its descriptors, or None where the other side is gone.

    Raises:
        BlockingIOError: there is none yet.
    """
    try:
        data, fds = _receive_fds(control)
    except ConnectionResetError:
        return None
    if not data:
        return None
    return Say(data[0]), int.from_bytes(data[1:3], "big"), data[3:].decode("utf-8", "replace"), fds


def _receive_fds(control: socket.socket) -> tuple[bytes, list[int]]:
    """As ``socket.recv_fds``, whose descriptors a child that is started meanwhile would inherit."""
    fds = array.array("i")
    space = socket.CMSG_LEN(_MOST_FDS * fds.itemsize)
    data, ancillary, _, _ = control.recvmsg(MAX_PACKET, space, socket.MSG_CMSG_CLOEXEC)
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(content[: len(content) - len(content) % fds.itemsize])
    return data, list(fds)
