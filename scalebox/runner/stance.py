"""Tell from outside whether the processes of a box wait for a pipe. Reads /proc; stops and changes nothing."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PIPE: Final = ("pipe_read", "pipe_write")
"""Kernel functions in which a thread waits for a pipe, alone or within a longer name (`anon_pipe_read` since Linux 6.15)."""
_NEUTRAL: Final = ("futex", "do_wait")
"""A thread that waits for another thread or for a child: neither wakes unless somebody else does."""
_STOPPED: Final = (b"T", b"t")
_AWAITS_VFORK: Final = ("kernel_clone", "wait_for_vfork", "do_fork")
"""Where a parent waits for its child to execute something: not for a disk, and for as long as the child likes."""


class Stance(enum.Enum):
    """What a box does right now."""

    PIPE = "pipe"
    """Every thread waits, at least one for a pipe, the others for threads or children."""
    UNKNOWN = "unknown"
    """Every thread sleeps, and the kernel does not say in what."""
    TIME = "time"
    """Every thread sleeps, some for what may come by itself, such as time."""
    ACTIVE = "active"
    """Some thread runs, or waits for a CPU or a disk; or there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A box at one moment."""

    stance: Stance
    active_seconds: float
    """What the threads that live have spent on a CPU, or waiting for one."""
    alive: bool
    """Whether there is any process."""


def look(pids: Sequence[int]) -> Look:
    """What the processes of a box do; one that ends meanwhile counts as active."""
    threads = list(_threads(pids))
    return Look(
        stance=_together([kind for kind, _ in threads]),
        active_seconds=sum(spent for _, spent in threads),
        alive=bool(pids),
    )


def _threads(pids: Sequence[int]) -> Iterator[tuple[Stance | None, float]]:
    for pid in pids:
        folders: list[Path] = []
        with contextlib.suppress(OSError):
            folders = list(Path(f"/proc/{pid}/task").iterdir())
        if not folders:
            yield Stance.ACTIVE, 0.0
        for folder in folders:
            yield _thread(folder)


def _thread(folder: Path) -> tuple[Stance | None, float]:
    """Where a thread waits (None: where it does not matter), and its seconds on a CPU or waiting for one."""
    try:
        state = (folder / "stat").read_bytes().rpartition(b") ")[2][:1]
        spent = sum(map(int, (folder / "schedstat").read_bytes().split()[:2])) / 1e9
        place = (folder / "wchan").read_text()
    except (OSError, ValueError):
        return Stance.ACTIVE, 0.0
    if state == b"Z":
        return None, spent
    if state in _STOPPED or (state == b"D" and any(name in place for name in _AWAITS_VFORK)):
        return Stance.TIME, spent
    if state != b"S":
        return Stance.ACTIVE, spent
    if any(name in place for name in _PIPE):
        return Stance.PIPE, spent
    if any(name in place for name in _NEUTRAL):
        return None, spent
    return (Stance.UNKNOWN if place in {"", "0"} else Stance.TIME), spent


def _together(kinds: Sequence[Stance | None]) -> Stance:
    for kind in (Stance.ACTIVE, Stance.TIME, Stance.UNKNOWN, Stance.PIPE):
        if kind in kinds:
            return kind
    return Stance.ACTIVE
