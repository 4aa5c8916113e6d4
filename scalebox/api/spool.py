"""A queue of bytes between one reader and one writer that never blocks the writer. Holds little in memory, the rest on disk.

A client that sends its whole batch before it reads a reply must not stop us from reading the batch.
"""

from __future__ import annotations

import asyncio
import tempfile
from types import TracebackType
from typing import Final, Self

MEMORY_BYTES: Final = 16 << 20
CHUNK_BYTES: Final = 256 << 10


class Spool:
    """First in, first out; used in a ``with``, which frees its file.

    Args:
        memory_bytes: over it the content moves to an unnamed temporary file.
    """

    def __init__(self, memory_bytes: int = MEMORY_BYTES) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=memory_bytes)  # ruff: ignore[open-file-with-context-handler] -- closed by __exit__
        self._read_at = 0
        self._write_at = 0
        self._closed = False
        self._changed = asyncio.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def put(self, data: bytes) -> None:
        """Add to the end."""
        self._file.seek(self._write_at)
        self._file.write(data)
        self._write_at += len(data)
        self._changed.set()

    def close(self) -> None:
        """Say that nothing more comes."""
        self._closed = True
        self._changed.set()

    async def get(self) -> bytes:
        """Take what is there, up to a chunk; empty when nothing more comes."""
        while self._read_at == self._write_at:
            if self._closed:
                return b""
            self._changed.clear()
            await self._changed.wait()
        self._file.seek(self._read_at)
        data = self._file.read(min(CHUNK_BYTES, self._write_at - self._read_at))
        self._read_at += len(data)
        if self._read_at == self._write_at:
            self._file.seek(0)
            self._file.truncate()
            self._read_at = self._write_at = 0
        return data
