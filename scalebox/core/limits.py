"""What a run may spend and what it spent. Pure values; the unit is in the name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may spend. The defaults are those of the HTTP API."""

    cpu_seconds: float = 10.0
    """CPU time of the whole process tree, user and system."""
    wall_seconds: float | None = None
    """Backstop for programs that wait; None means ``2 * cpu_seconds + 2``."""
    memory_bytes: int = 1024 * MIB
    """Resident memory of the whole process tree."""
    output_bytes: int = 16 * MIB
    """Standard output; over it the verdict is OLE. Standard error is cut at 1 MiB."""
    processes: int = 64
    """Processes and threads alive at once."""
    disk_bytes: int = 64 * MIB
    compile_seconds: float = 30.0
    """CPU time of the compiler."""
    judge_seconds: float = 10.0
    """CPU time of a judge program or of the test code of an assert case."""

    @property
    def wall(self) -> float:
        """The wall-clock backstop in seconds."""
        return 2 * self.cpu_seconds + 2 if self.wall_seconds is None else self.wall_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a run spent, measured from outside the box."""

    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    memory_bytes: int = 0
    """Peak resident memory: of the tree where a cgroup or the watchdog measures it, else of its largest process."""
