"""The host around a service under attack: what stands there before, and what must be as it was afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import stat
import sys
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from pathlib import Path
from typing import Final

from hostile.rows import HostFile, HostProcess, Setup, TcpListener

MIB: Final = 1 << 20
PATIENCE_SECONDS: Final = 30.0
"""How long the kernel may take to give back what was held; a busy machine takes its time."""
FOLDERS: Final = (Path("/usr/lib"), Path("/usr/local/lib"), Path(sys.prefix))
"""Where a planted module would be found by a later interpreter."""


class Host:
    """What was put on the host for one item, and what was noted of it before the item ran."""

    def __init__(self) -> None:
        self.connections = 0
        self._processes: list[asyncio.subprocess.Process] = []
        self._files: dict[str, tuple[bytes, int, int, int]] = {}
        self._modes: dict[str, tuple[int, int, int]] = {}
        self._free: dict[str, tuple[int, int]] = {}

    @contextlib.asynccontextmanager
    async def prepared(self, setup: Setup) -> AsyncGenerator[None, None]:
        """Everything that a row wants to be there."""
        with contextlib.ExitStack() as files:
            async with contextlib.AsyncExitStack() as services:
                if "host_file" in setup:
                    files.enter_context(self._file(setup["host_file"]))
                if "host_process" in setup:
                    await services.enter_async_context(self._process(setup["host_process"]))
                if "tcp_listener" in setup:
                    await services.enter_async_context(self._listener(setup["tcp_listener"]))
                yield

    @contextlib.contextmanager
    def _file(self, told: HostFile) -> Generator[None, None, None]:
        path = Path(told["path"])
        path.write_text(told["content"], encoding="utf-8")
        path.chmod(int(told["mode"], 8))
        self._files[told["path"]] = _content(path)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)

    @contextlib.asynccontextmanager
    async def _process(self, told: HostProcess) -> AsyncGenerator[None, None]:
        process = await asyncio.create_subprocess_exec(*told["argv"])
        self._processes.append(process)
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    @contextlib.asynccontextmanager
    async def _listener(self, told: TcpListener) -> AsyncGenerator[None, None]:
        async def served(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            writer.write(told["send"].encode())
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(served, "127.0.0.1", told["port"])
        try:
            yield
        finally:
            server.close()
            await server.wait_closed()

    def processes_alive(self) -> bool:
        """Whether every process that was put there lives."""
        return bool(self._processes) and all(process.returncode is None for process in self._processes)

    def note(self, paths: Iterable[str], modes: Iterable[str]) -> None:
        """Remember how much is free at paths, and who may do what at others."""
        self._free = {path: _free(path) for path in paths if os.path.isdir(path)}
        self._modes = {path: _mode(path) for path in modes}

    def file_unchanged(self, path: str) -> bool:
        """Whether a file that was put there is as it was."""
        return self._files[path] == _content(Path(path))

    def modes_unchanged(self, paths: Iterable[str]) -> bool:
        """Whether files have the owners and modes that were noted."""
        return all(self._modes[path] == _mode(path) for path in paths)

    async def space_recovered(self, tolerance_mb: float, inodes: int) -> bool:
        """Whether space and inodes came back to what was noted, give or take what others did meanwhile."""
        return await comes_true(
            lambda: all(
                _free(path)[0] >= bytes_free - tolerance_mb * MIB and _free(path)[1] >= inodes_free - inodes
                for path, (bytes_free, inodes_free) in self._free.items()
            )
        )


async def comes_true(condition: Callable[[], bool]) -> bool:
    """Whether something becomes true within our patience."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


def processes_named(match: str) -> list[int]:
    """Processes of the host whose name or arguments contain a text; our own are none of them."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            with contextlib.suppress(OSError):
                words = Path("/proc", entry, "cmdline").read_bytes() + Path("/proc", entry, "comm").read_bytes()
                if match.encode() in words:
                    found.append(int(entry))
    return found


def zombies() -> int:
    """How many processes of the host are dead and not waited for."""
    count = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                count += b") Z " in Path("/proc", entry, "stat").read_bytes()
    return count


def planted(pattern: str) -> list[Path]:
    """Files of that pattern where interpreters look for modules."""
    name = pattern.rpartition("/")[2]
    return [path for folder in FOLDERS if folder.is_dir() for path in folder.rglob(name)]


def there(paths: Iterable[str]) -> list[str]:
    """Which of the paths there are, links to nothing among them."""
    return [path for path in map(os.path.expandvars, paths) if os.path.lexists(path)]


def remove_leftovers(paths: Iterable[str]) -> None:
    """Take away what a failed item left, so that the next one is not judged by it."""
    for path in map(os.path.expandvars, paths):
        with contextlib.suppress(OSError):  # where we may not look, no program of ours has been
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def _content(path: Path) -> tuple[bytes, int, int, int]:
    found = path.stat()
    return path.read_bytes(), stat.S_IMODE(found.st_mode), found.st_uid, found.st_mtime_ns


def _mode(path: str) -> tuple[int, int, int]:
    found = os.stat(path)
    return stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid


def _free(path: str) -> tuple[int, int]:
    found = os.statvfs(path)
    return found.f_bavail * found.f_frsize, found.f_favail
