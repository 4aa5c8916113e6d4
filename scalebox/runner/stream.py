"""Carry what one side of a conversation says over to the other, at the pace of the one that reads. Holds one chunk, keeps nothing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Final

from scalebox.runner.pipes import PipeEnd

_CHUNK: Final = 65536
CLOSED_SECONDS: Final = 0.5
"""From the end of a side's output to the end of file for the other, where the side itself does not end."""


class Stream:
    """What one side says, on its way to the other.

    Args:
        source: what the side writes to; taken over.
        sink: what the other side reads from; taken over.
        heard: told of everything that was said.
        closed: called some time after the side closed its output; by default, the end of file is passed on then.
    """

    def __init__(
        self,
        source: PipeEnd,
        sink: PipeEnd,
        heard: Callable[[bytes], None],
        closed: Callable[[], None] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._source = source
        self._sink = sink
        self._heard = heard
        self._closed = closed or self.finish
        self._pending = b""
        self._over = False
        self._held = False
        self._closing: asyncio.TimerHandle | None = None
        self.moved = 0
        """Grows with everything that is passed on or thrown away, the end of file included."""
        for end in (source, sink):
            os.set_blocking(end.fd, False)
        self._loop.add_reader(source.fd, self._read)

    @property
    def all_said(self) -> bool:
        """Whether the side can say no more, and everything was passed on."""
        return self._source.fd < 0

    @property
    def open(self) -> bool:
        """Whether the reader has not yet learned of the end."""
        return self._sink.fd >= 0

    @property
    def withheld(self) -> bool:
        """Whether the end of file is known here and not yet there."""
        return self.all_said and self.open

    def finish(self) -> None:
        """Pass on the end of file as soon as all is said."""
        self._over = True
        if self.all_said:
            self._close_sink()

    def withhold(self) -> None:
        """Pass on no end of file until told to."""
        self._held = True
        if self._closing is not None:
            self._closing.cancel()

    def close(self) -> None:
        """Stop, whatever is left; idempotent."""
        self._close_source()
        self._close_sink()

    def _read(self) -> None:
        try:
            data = os.read(self._source.fd, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._close_source()
            if self._over:
                self.finish()
            elif not self._held:
                self._closing = self._loop.call_later(CLOSED_SECONDS, self._closed)
            return
        self._heard(data)
        self._pass_on(data)

    def _pass_on(self, data: bytes) -> None:
        left = data[self._write(data) :]
        if left and not self._pending:
            self._loop.remove_reader(self._source.fd)
            self._loop.add_writer(self._sink.fd, self._go_on)
        elif not left and self._pending:
            self._loop.remove_writer(self._sink.fd)
            self._loop.add_reader(self._source.fd, self._read)
        self._pending = left

    def _go_on(self) -> None:
        self._pass_on(self._pending)

    def _write(self, data: bytes) -> int:
        """How much was taken; a side that is gone takes everything."""
        written = len(data)
        if self._sink.fd >= 0:
            try:
                written = os.write(self._sink.fd, data)
            except BlockingIOError:
                written = 0
            except BrokenPipeError:
                pass
        self.moved += written
        return written

    def _close_source(self) -> None:
        if self._source.fd >= 0:
            self._loop.remove_reader(self._source.fd)
            self._source.close()

    def _close_sink(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
        if self._sink.fd >= 0:
            self._loop.remove_writer(self._sink.fd)
            self._sink.close()
            self.moved += 1
