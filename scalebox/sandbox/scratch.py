"""Where work folders lie when boxes share the machine's file system (`standard`, `none`): chosen, made, and swept.

Memory is quickest, but containers often get a `/dev/shm` too small for the work of several programs, or one from which nothing
may be executed, and then the temp folder is the better place. A service holds a lock on its folder for as long as it lives, so
that the next one can tell, and remove, what a killed one left.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scalebox.sandbox import workdir

BYTES_PER_SLOT: Final = 128 << 20
"""What a program and its test code may write by default, 64 MiB each."""
_SHARED_MEMORY: Final = "/dev/shm"
_IN_MEMORY: Final = ("tmpfs", "ramfs")
_PREFIX: Final = "scalebox-work-"
_SETTLED_SECONDS: Final = 60
"""How old a folder must be to be swept: a younger one may be about to be locked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder that may hold work folders."""

    path: str
    in_memory: bool
    """What is written there is memory of whoever writes it, and nothing the kernel could put elsewhere."""
    executable: bool
    """Whether programs may be executed from there, as compiled ones must."""
    free_bytes: int

    def has_room(self, slots: int) -> bool:
        """Whether every slot can have its share."""
        return self.free_bytes >= slots * BYTES_PER_SLOT


def choose(slots: int) -> Place:
    """Shared memory if it is large enough for the slots and programs can be executed from it, else the temp folder.

    Raises:
        OSError: there is no temp folder that can be written.
    """
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    temp = look_at(tempfile.gettempdir(), mounts)
    if not os.access(_SHARED_MEMORY, os.W_OK | os.X_OK):
        return temp
    return better(look_at(_SHARED_MEMORY, mounts), temp, slots)


def better(shared: Place, temp: Place, slots: int) -> Place:
    """The better of two places for that many slots; the first where neither lacks anything."""
    if shared.executable and shared.has_room(slots):
        return shared
    if temp.executable or not shared.executable:
        return temp
    return shared


@contextlib.contextmanager
def work_folder(place: Place) -> Generator[str, None, None]:
    """A folder at a place, for the work folders of one service; removed at the end, with those that killed services left there.

    Raises:
        OSError: it cannot be made.
    """
    sweep(place.path)
    folder = tempfile.mkdtemp(prefix=_PREFIX, dir=place.path)
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_SH)
        Path(folder).chmod(0o711)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def sweep(path: str) -> None:
    """Remove the folders of services that live no more. What cannot be removed is left; nothing here is worth a failed start."""
    for name in os.listdir(path):
        if name.startswith(_PREFIX):
            with contextlib.suppress(OSError):
                _sweep_one(path, name)


def _sweep_one(path: str, name: str) -> None:
    fd = os.open(f"{path}/{name}", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(fd)
        ours = status.st_uid == os.geteuid() and stat.S_ISDIR(status.st_mode)
        if ours and time.time() - status.st_mtime > _SETTLED_SECONDS:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            workdir.remove(path, name)
    finally:
        os.close(fd)


def look_at(path: str, mounts: Sequence[str]) -> Place:
    """What there is at a folder, by the lines of `/proc/self/mounts`."""
    status = os.statvfs(path)
    return Place(
        path=path,
        in_memory=_file_system(os.path.realpath(path), mounts) in _IN_MEMORY,
        executable=not status.f_flag & os.ST_NOEXEC,
        free_bytes=status.f_bavail * status.f_frsize,
    )


def _file_system(path: str, mounts: Sequence[str]) -> str:
    """Kind of the file system that holds a path: of the longest mount point above it, the last of those mounted there."""
    longest, kind = "", ""
    for line in mounts:
        _, point, found, *_ = line.split(" ")
        above = path == point or path.startswith(point.rstrip("/") + "/")
        if above and len(point) >= len(longest):
            longest, kind = point, found
    return kind
