"""Both ends of a pipe between the service and a box. Holds descriptors; reads nothing."""

from __future__ import annotations

import os

from scalebox.core.errors import SandboxError


class PipeEnd:
    """One end of a pipe; close it as soon as its box has it, or nobody sees the end of file.

    Args:
        fd: taken over.
    """

    __slots__ = ("fd",)

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def close(self) -> None:
        """Give the descriptor back; idempotent."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> PipeEnd:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_pipe() -> tuple[PipeEnd, PipeEnd]:
    """Reading end and writing end of a new pipe.

    Raises:
        SandboxError: the service has no descriptor left for it.
    """
    try:
        reading, writing = os.pipe2(os.O_CLOEXEC)
    except OSError as error:
        msg = f"two boxes could not be connected: {error}"
        raise SandboxError(msg) from error
    return PipeEnd(reading), PipeEnd(writing)


def holding(content: bytes) -> PipeEnd:
    """The reading end of a pipe that holds a few bytes and no more: who opens it anew, by whatever name, finds only what nobody has read.

    Raises:
        SandboxError: as `open_pipe`.
    """
    reading, writing = open_pipe()
    with writing:
        os.fchmod(reading.fd, 0o444)  # the box has another user, and some languages open descriptors by name
        os.write(writing.fd, content)
    return reading
