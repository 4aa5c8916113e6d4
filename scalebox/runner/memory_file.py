"""Bytes as a sealed memory file that any number of boxes may read and none may change."""

from __future__ import annotations

import fcntl
import marshal
import os
from collections.abc import Mapping
from typing import Final

from scalebox.core.errors import SandboxError

_SEALS: Final = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


MARSHAL_VERSION: Final = 2
"""The service and the programs may run under different interpreters; this form every Python reads."""
_SHEET_BYTES: Final = 65536
_SHEET_WORDS: Final = 1000
"""What `start.c` has room for."""


class MemoryFile:
    """A sealed memory file; closed when the last reference is gone.

    Args:
        name: shown in /proc of the box.
        content: what it holds.

    Raises:
        SandboxError: the service has no descriptor or no memory left for it.
    """

    __slots__ = ("fd", "size")

    def __init__(self, name: str, content: bytes) -> None:
        self.size = len(content)
        writable = _create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            write_all(writable, content)
            fcntl.fcntl(writable, fcntl.F_ADD_SEALS, _SEALS)
            self.fd = os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise _refused(error) from error
        finally:
            os.close(writable)

    def close(self) -> None:
        """Give the descriptor back; idempotent."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __del__(self) -> None:
        if hasattr(self, "fd"):  # it was made
            self.close()


class Manifest(MemoryFile):
    """What a box is told, in the form it reads.

    Behind it lies a sheet (see `start.c`) where all that the box has to do is to start a command.

    Args:
        content: plain data.
    """

    __slots__ = ("is_command",)

    def __init__(self, content: Mapping[str, object]) -> None:
        sheet = _sheet(content)
        self.is_command = bool(sheet)
        told = marshal.dumps(dict(content), MARSHAL_VERSION)
        super().__init__("manifest", told + sheet + len(sheet).to_bytes(8, "little") if sheet else told)


def _sheet(content: Mapping[str, object]) -> bytes:
    """Arguments and environment as `start.c` reads them; empty where there is more to do, or it would not take them."""
    argv, environment = content.get("argv"), content.get("environment")
    if content.get("mode") != "exec" or content.get("files") or not isinstance(argv, list) or not argv:
        return b""
    variables = [f"{name}={value}" for name, value in environment.items()] if isinstance(environment, dict) else []
    lists = ([str(len(argv)), *argv], [str(len(variables)), *variables])
    try:
        words = [os.fsencode(str(word)) for words in lists for word in words]
    except UnicodeEncodeError:
        return b""
    sheet = b"".join(word + b"\0" for word in words)
    fits = len(sheet) <= _SHEET_BYTES and max(len(argv), len(variables)) <= _SHEET_WORDS
    return sheet if fits and sheet.count(b"\0") == len(words) else b""


class Channel:
    """An unsealed memory file that one box writes and the service reads when the box is dead.

    Raises:
        SandboxError: as `MemoryFile`.
    """

    __slots__ = ("fd",)

    def __init__(self, name: str) -> None:
        # Without MFD_ALLOW_SEALING no box can seal it, so none can keep the service from closing or another from writing.
        self.fd = _create(name, os.MFD_CLOEXEC)

    def size(self) -> int:
        """Bytes that were written."""
        return os.fstat(self.fd).st_size

    def read(self, limit: int) -> bytes:
        """All that was written, or an empty value where it is more than ``limit`` bytes."""
        size = self.size()
        return os.pread(self.fd, size, 0) if 0 < size <= limit else b""

    def __enter__(self) -> Channel:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def _create(name: str, flags: int) -> int:
    try:
        return os.memfd_create(name, flags)
    except OSError as error:
        raise _refused(error) from error


def _refused(error: OSError) -> SandboxError:
    return SandboxError(f"no memory file could be made: {error}")


def write_all(fd: int, content: bytes) -> None:
    """Write every byte, however often the kernel takes only a part."""
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
