"""The few messages between the service and a slot: fixed structs and file descriptors, never content.

What a program, an input or a file name says travels in memory files that only the forked box reads, so that the
slot's heap, which every later box inherits, never holds it. Runs in slots: imports next to nothing.

Service -> slot, one packet a request: `Received` as a struct, and in ancillary data the descriptors its flags name, in
the order of `DESCRIPTORS`. Slot -> service: first `READY` or a refusal as text, then one `Reply` struct a request.
A packet `CANCEL` while a box runs ends the box; its reply comes all the same. End of file ends the slot.
"""

from __future__ import annotations

import struct

READY = b"ready"
CANCEL = b"cancel"

STDIN = 1 << 0
CODE = 1 << 1
"""A Python code object, marshalled, or source to compile."""
MANIFEST = 1 << 2
"""What the box is to do: a marshalled dict, read in the box only. Without it: run the code as `python3 main.py`."""
VALUE = 1 << 3
"""Memory file for the value channel."""
CHANNEL = 1 << 4
"""End of a socket pair to another box."""
STDOUT = 1 << 5
"""Where standard output goes, in place of the slot's pipe; standard input is then the end of a pipe too."""
DOCUMENT = 1 << 10
"""What a harness outside Python reads: arguments, or a token."""
NATIVE = 1 << 14
"""The library of `runner/native`, once a slot."""
COMMAND = 1 << 15
"""The manifest is of a command that the library can start."""
PLACE = 1 << 11
"""The program's file, to be copied into the work folder first."""
DESCRIPTORS = (STDIN, CODE, MANIFEST, VALUE, CHANNEL, DOCUMENT, STDOUT, NATIVE, PLACE)
FIRST_FD = 3
"""What a request brings has the numbers from here, in that order: a slot keeps its own out of the way."""
KEEP = 1 << 6
"""Leave the work folder as the box left it: a fetch follows."""
HARNESS = 1 << 12
"""The box calls a function, or takes part in an assert case."""
LIBRARY = 1 << 13
"""The program seems to import some of what is slow to load."""

DOCUMENT_FD = 3
"""In the box: arguments or a token, where a harness outside Python reads them."""
VALUE_FD = 4
CHANNEL_FD = 5

_REQUEST = struct.Struct("<IIQQQQQQQQI128s")
_REPLY = struct.Struct("<IiiQQQQQ")

ENTERED = 1 << 0
"""The box was complete before the first instruction of the program; without it the reply says nothing of the program."""
OVER_CPU = 1 << 1
OVER_WALL = 1 << 2
OVER_MEMORY = 1 << 3
OVER_OUTPUT = 1 << 4
OVER_PROCESSES = 1 << 5
OVER_DISK = 1 << 6
CANCELLED = 1 << 7
STDERR_CUT = 1 << 8
LOST_PLACE = 1 << 9
"""The placed file is gone with the cleaned work folder; place it again."""


pack_request = _REQUEST.pack
"""A request as sent: the fields of `Received`, in the order they have there."""


class Received:
    """One box to run, as a slot reads it. Times in nanoseconds, sizes in bytes.

    Raises:
        struct.error: the packet is no request.
    """

    __slots__ = (
        "code_size",
        "cpu",
        "disk",
        "flags",
        "memory",
        "mode",
        "name",
        "output",
        "processes",
        "stderr",
        "told_size",
        "wall",
    )

    def __init__(self, packet: bytes) -> None:
        (
            self.flags,
            self.processes,
            self.cpu,
            self.wall,
            self.memory,
            self.output,
            self.stderr,
            self.disk,
            self.code_size,
            self.told_size,
            self.mode,
            self.name,
        ) = _REQUEST.unpack(packet)


class Reply:
    """How a box ended, as the service reads it. Times in nanoseconds, sizes in bytes.

    Raises:
        struct.error: the packet is no reply.
    """

    __slots__ = ("code", "cpu", "flags", "memory", "signal", "stderr", "stdout", "wall")

    def __init__(self, packet: bytes) -> None:
        (
            self.flags,
            self.code,
            self.signal,
            self.cpu,
            self.wall,
            self.memory,
            self.stdout,
            self.stderr,
        ) = _REPLY.unpack(packet)


pack_reply = _REPLY.pack
"""A reply as sent: flags, code, signal, cpu, wall, memory, stdout, stderr."""
