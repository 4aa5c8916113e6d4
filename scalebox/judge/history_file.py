"""Keep the learned order of cases over restarts, in one small file that all services of a user share. Holds counts, never content.

A file that cannot be read, or is none of ours, is as good as none: the order is learned again. It is replaced as a whole, and what other
services, or cells, wrote meanwhile is kept: of each problem what was learned from more submissions.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from scalebox.judge.history import Histories, History, Snapshot

NAME: Final = "order.json"
_VERSION: Final = 1


class HistoryFile:
    """The file.

    Args:
        folder: it lies there; made when it is first written.
        most_bytes: of the file; problems that were not judged for the longest go first.
    """

    def __init__(self, folder: Path, most_bytes: int = 8 << 20) -> None:
        self._path = folder / NAME
        self._most = most_bytes

    def load(self) -> list[tuple[bytes, History]]:
        """What is kept, the latest last; nothing where there is no such file, or of a broken one."""
        found = []
        for key, told in self._read().items():
            try:
                found.append((bytes.fromhex(key), History.of(told)))
            except (TypeError, ValueError, KeyError, OverflowError):
                continue  # it is learned again
        return found

    def save(self, learned: Sequence[tuple[bytes, Snapshot]]) -> None:
        """Write what was learned, beside what others did.

        Args:
            learned: the latest last.

        Raises:
            OSError: it cannot be written; what was there is there still.
        """
        if not learned:
            return
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(self._path.with_suffix(".lock"), "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self._read()
            for key, snapshot in learned:
                told, before = snapshot.told(), kept.pop(key.hex(), None)
                kept[key.hex()] = told if before is None or not _is_more(before, told) else before
            temporary = self._path.with_suffix(".new")
            try:
                temporary.write_bytes(self._fitting(kept))
                temporary.replace(self._path)
            except OSError:
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise

    def _read(self) -> dict[str, Mapping[str, object]]:
        try:
            if self._path.stat().st_size > 2 * self._most:
                return {}
            read = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(read, dict) or read.get("version") != _VERSION or not isinstance(read.get("problems"), dict):
            return {}
        return {key: told for key, told in read["problems"].items() if isinstance(told, dict)}

    def _fitting(self, kept: dict[str, Mapping[str, object]]) -> bytes:
        """As text, without the oldest where there is more than may be."""
        parts: list[str] = []
        room = self._most
        for key in reversed(kept):
            part = f"{json.dumps(key)}:{json.dumps(kept[key], separators=(',', ':'))}"
            room -= len(part) + 2
            if room < 0:
                break
            parts.append(part)
        return f'{{"version":{_VERSION},"problems":{{{",".join(reversed(parts))}}}}}\n'.encode()


def load_into(histories: Histories, file: HistoryFile) -> None:
    """Start with what was learned before."""
    for key, history in file.load():
        histories.put(key, history)


def _is_more(before: Mapping[str, object], told: Mapping[str, object]) -> bool:
    """Whether what is on disk was learned from more submissions, of as many cases."""
    noted, cases, now = before.get("noted"), before.get("ran"), told["ran"]
    alike = isinstance(cases, list) and isinstance(now, list) and len(cases) == len(now)
    return alike and isinstance(noted, int) and noted > int(str(told["noted"]))
