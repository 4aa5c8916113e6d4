"""Registered problems on disk, by content: bounded, shared by several processes, and never believed without their digest.

Theory of operation: a problem is one file, named after the SHA-256 of its text, which is all it holds. It is written beside
its place and renamed, so that a reader finds a whole file or none; a file that is not what its name says (torn by a power cut,
damaged, touched by hand) is removed when it is read. Its time stamp is its last use. A process that has written a sixty-fourth
of what may lie there looks at the whole folder and removes what was longest unused, so several of them exceed the bound
by no more than that each. No process waits for another.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from scalebox.telemetry.logs import get_logger

SLACK: Final = 64
DISK_SHARE: Final = 4
"""At most one part of so many of the file system is taken, whatever is allowed."""
_PREFIX: Final = "sha256:"
_SUFFIX: Final = ".json"
_UNFINISHED: Final = ".tmp"
_UNFINISHED_SECONDS: Final = 600.0


class ProblemFiles:
    """A folder of problems. Its methods block, so they are called beside the event loop, one at a time.

    Args:
        folder: exists, and is ours alone.
        max_bytes: of all files together.
        max_count: of files.
    """

    def __init__(self, folder: Path, *, max_bytes: int, max_count: int) -> None:
        self.folder = folder
        self._max_bytes = max_bytes
        self._max_count = max_count
        self._new_bytes = max_bytes  # so that the first write looks at what there is
        self._new_count = 0
        self._log = get_logger("problems")

    def read(self, problem_id: str) -> bytes | None:
        """The text of a problem; None where it is not there, or not what its name says."""
        path = self._path(problem_id)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._log.warning("problem not read", id=problem_id, error=str(error))
            return None
        if hashlib.sha256(text).hexdigest() == path.stem:
            self.touch(problem_id)
            return text
        self._log.warning("problem damaged", id=problem_id, bytes=len(text), path=str(path))
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def touch(self, problem_id: str) -> None:
        """Note that it is used."""
        with contextlib.suppress(OSError):  # removed meanwhile
            os.utime(self._path(problem_id))

    def write(self, problem_id: str, text: bytes) -> bool:
        """Keep a text; False where it cannot be. One that is there already is only touched."""
        if len(text) > self._max_bytes or self._max_count == 0:
            return False
        path = self._path(problem_id)
        try:
            if path.stat().st_size == len(text):
                self.touch(problem_id)
                return True
        except OSError:  # not there, or the write will say why not
            pass
        unfinished = path.with_name(f".{path.stem}.{os.getpid()}.{secrets.token_hex(4)}{_UNFINISHED}")
        try:
            self._write(unfinished, path, text)
        except OSError as error:
            self._log.warning("problem not kept on disk", id=problem_id, bytes=len(text), error=str(error))
            return False
        self._new_bytes += len(text)
        self._new_count += 1
        if self._new_bytes * SLACK >= self._max_bytes or self._new_count * SLACK >= self._max_count:
            self._remove_unused()
        return True

    @staticmethod
    def _write(unfinished: Path, path: Path, text: bytes) -> None:
        try:
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(text)
            unfinished.replace(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise

    def _remove_unused(self) -> None:
        """Down to what is allowed, less what may be written until the next look."""
        found: list[tuple[float, int, str]] = []
        with os.scandir(self.folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # removed meanwhile
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, entry.name))
        old = time.time() - _UNFINISHED_SECONDS
        whole = [item for item in found if item[2].endswith(_SUFFIX)]
        gone = [item[2] for item in found if item[2].endswith(_UNFINISHED) and item[0] < old]
        left_bytes, left_count = sum(size for _, size, _ in whole), len(whole)
        most_bytes, most_count = self._max_bytes - self._max_bytes // SLACK, self._max_count - self._max_count // SLACK
        for _, size, name in sorted(whole)[: max(0, len(whole) - 1)]:  # the newest stays, however large
            if left_bytes <= most_bytes and left_count <= most_count:
                break
            gone.append(name)
            left_bytes -= size
            left_count -= 1
        for name in gone:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        self._new_bytes = self._new_count = 0

    def _path(self, problem_id: str) -> Path:
        return self.folder / f"{problem_id.removeprefix(_PREFIX)}{_SUFFIX}"


def open_problem_files(folders: Sequence[Path], *, max_bytes: int, max_count: int) -> tuple[ProblemFiles | None, str]:
    """Problems in the first of these folders that is, or can be made, ours alone; and why not in the others.

    They hold answers, so nobody else may read them, nor write there what we would serve.
    """
    faults: list[str] = []
    for folder in folders:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fault = _fault_of(folder)
        except OSError as error:
            fault = f"{folder}: {error.strerror}"
        if fault is None:
            status = os.statvfs(folder)
            most = min(max_bytes, status.f_blocks * status.f_frsize // DISK_SHARE)
            return ProblemFiles(folder, max_bytes=most, max_count=max_count), "; ".join(faults)
        faults.append(fault)
    return None, "; ".join(faults)


def _fault_of(folder: Path) -> str | None:
    """Why a folder is not ours alone to write in."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        return f"{folder} is not a folder of this user's"
    if status.st_mode & 0o077:
        folder.chmod(0o700)
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder} cannot be written"
    return None
