"""CPU seconds: of a process tree, of the kernel's own threads, of the whole machine. The same for every system measured.

What a system *spends* is the CPU of its process tree (the reaped included) and that of kernel threads, which clean up after
namespaces. The load generator is not counted; what else the machine did meanwhile is told as ``others``, so that a noisy run is seen.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TICK: Final = os.sysconf("SC_CLK_TCK")
_KERNEL: Final = 2
"""Process id of the parent of all kernel threads, where they can be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """CPU seconds in user and in kernel mode."""

    user: float = 0.0
    system: float = 0.0

    def __add__(self, other: Used) -> Used:
        return Used(user=self.user + other.user, system=self.system + other.system)

    def __sub__(self, other: Used) -> Used:
        return Used(user=self.user - other.user, system=self.system - other.system)

    @property
    def both(self) -> float:
        """All of it."""
        return self.user + self.system


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """CPU seconds from one reading to the next."""

    tree: float
    kernel: float
    others: float
    """Of the machine's busy time, what neither explains: the load generator, and whatever else ran."""

    @property
    def system(self) -> float:
        """What the system measured spent."""
        return self.tree + self.kernel


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One run of a workload; None where a system has no such figure."""

    wall_seconds: float
    spent: Spent
    mismatches: int | None = None
    """Verdicts that are not those due."""
    p50_seconds: float | None = None
    p99_seconds: float | None = None


class Meter:
    """Reads what a system spends from its making on.

    Args:
        roots: processes that, with all their descendants, are the system.
    """

    def __init__(self, roots: Sequence[int]) -> None:
        self._roots = roots
        self._tree = tree(roots).both
        self._kernel = _kernel_threads()
        self._machine = machine()

    def spent(self) -> Spent:
        """What was spent since."""
        busy = machine() - self._machine
        in_tree = tree(self._roots).both - self._tree
        kernel = sum(seconds - self._kernel.get(pid, 0.0) for pid, seconds in _kernel_threads().items())
        return Spent(tree=in_tree, kernel=kernel, others=max(busy - in_tree - kernel, 0.0))


def used_by(pid: int) -> tuple[Used, Used]:
    """What a process used itself, and what its reaped children did; nothing where it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return Used(), Used()
    own_user, own_system, user, system = (int(field) / TICK for field in stat.rpartition(")")[2].split()[11:15])
    return Used(user=own_user, system=own_system), Used(user=user, system=system)


def children_of(pid: int) -> list[int]:
    """The living children of a process."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, file.read_text(encoding="ascii").split())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def tree(roots: Sequence[int]) -> Used:
    """What processes and all their descendants used so far, the reaped included."""
    total = Used()
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        own, reaped = used_by(pid)
        total = total + own + reaped
        waiting += children_of(pid)
    return total


def on_cpu(pid: int) -> float:
    """Seconds a process has been on a CPU, to the nanosecond."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


def machine() -> float:
    """CPU seconds that the machine's CPUs were not idle."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:8]
    user, nice, system, _, _, irq, softirq = (int(field) / TICK for field in fields)
    return user + nice + system + irq + softirq


def _kernel_threads() -> dict[int, float]:
    """Seconds on a CPU of each kernel thread; none where they cannot be seen."""
    found: dict[int, float] = {}
    try:
        if Path(f"/proc/{_KERNEL}/comm").read_text(encoding="ascii").strip() != "kthreadd":
            return found
    except FileNotFoundError:
        return found
    for pid in children_of(_KERNEL):
        try:
            found[pid] = on_cpu(pid)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def listeners(port: int) -> list[int]:
    """The processes on this machine that listen on a TCP port, less those whose parent does.

    Raises:
        LookupError: nobody does, or nobody that may be looked at.
    """
    inodes = set()
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        for line in table.read_text(encoding="ascii").splitlines()[1:] if table.exists() else ():
            fields = line.split()
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(f"socket:[{fields[9]}]")
    holders = {int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _holds(folder, inodes)}
    if not holders:
        message = f"no process on this machine is seen to listen on port {port}; start the peer here, as the same user"
        raise LookupError(message)
    return sorted(pid for pid in holders if _parent(pid) not in holders)


def _holds(process: Path, links: set[str]) -> bool:
    try:
        return any(os.readlink(entry) in links for entry in (process / "fd").iterdir())
    except OSError:  # it is gone, or another user's
        return False


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1])
