"""Frames of text over a stream socket: four bytes of length, then UTF-8. Never reads more than a bounded frame."""

from __future__ import annotations

import os

MAX_FRAME = 96 << 20
"""Bytes of one frame: the largest value, and the words around it."""

_read = os.read
_write = os.write


class ChannelClosed(Exception):
    """The other side is gone, or sent what no frame is."""


class Channel:
    """One end; strictly one request outstanding, so one read usually takes a whole frame."""

    __slots__ = ("_fd", "_rest")

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = b""

    def send(self, text: str) -> None:
        """Send one frame.

        Raises:
            ChannelClosed: the other side is gone.
        """
        body = text.encode("utf-8", "surrogatepass")
        write_all(self._fd, len(body).to_bytes(4, "big") + body)

    def receive(self) -> str:
        """The next frame.

        Raises:
            ChannelClosed: end of file, a frame over ``MAX_FRAME``, or one that is not UTF-8.
        """
        data = self._rest
        while len(data) < 4:
            data += self._more(1 << 16)
        end = 4 + int.from_bytes(data[:4], "big")
        if end > MAX_FRAME:
            raise ChannelClosed("the frame is too large")
        if len(data) < end:
            data = self._all(data, end)
        self._rest = data[end:]
        try:
            return data[4:end].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise ChannelClosed("the frame is no UTF-8") from error

    def _all(self, data: bytes, end: int) -> bytes:
        parts = [data]
        have = len(data)
        while have < end:
            part = self._more(min(end - have, 1 << 20))
            parts.append(part)
            have += len(part)
        return b"".join(parts)

    def _more(self, size: int) -> bytes:
        try:
            data = _read(self._fd, size)
        except OSError as error:
            raise ChannelClosed(str(error)) from error
        if not data:
            raise ChannelClosed("end of file")
        return data


def write_all(fd: int, data: bytes) -> None:
    """Write everything.

    Raises:
        ChannelClosed: the reader is gone or the place is full.
    """
    view = memoryview(data)
    try:
        while view:
            view = view[_write(fd, view) :]
    except OSError as error:
        raise ChannelClosed(str(error)) from error
