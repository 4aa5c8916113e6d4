"""Read what the kernel says of processes, from /proc. Never raises for one that is gone. Runs in slots."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def others() -> list[int]:
    """Every process of our pid namespace but process 1, which is us."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def descendants() -> list[int]:
    """Our children and theirs, from the kernel's own lists; one that is forked meanwhile is found next time."""
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        pid = waiting.pop()
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        for thread in threads:
            children = [int(word) for word in read(f"/proc/{pid}/task/{thread}/children").split()]
            found += children
            waiting += children
    return found


def tasks_of_uid() -> int:
    """Processes and threads that run under our uid."""
    uid = os.getuid()
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat("/proc/" + name).st_uid == uid:
                    count += len(os.listdir("/proc/" + name + "/task"))
            except OSError:
                continue
    return count


def cpu_of(pid: int, *, with_own: bool) -> int:
    """CPU nanoseconds of a process's reaped children and, if asked, its own (proc(5), in clock ticks)."""
    fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if len(fields) < 15:
        return 0
    ticks = [int(field) for field in fields[11:15]]
    return _TICK * (sum(ticks) if with_own else ticks[2] + ticks[3])


def faults(pid: int) -> int:
    """Page faults of a process and its reaped children (proc(5))."""
    fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return sum(map(int, fields[7:11]))


def told_in(pid: int) -> str:
    """Where the kernel tells of a process's memory: its folder, or where its first thread has ended that of one that has not."""
    return _memory(pid)[0]


def _memory(pid: int) -> tuple[str, list[bytes]]:
    """That folder, and the figures of its `statm`; none where nothing has any memory left."""
    for folder in folders(pid):
        fields = _statm(folder)
        if fields:
            return folder, fields
    return f"/proc/{pid}", []


def _statm(folder: str) -> list[bytes]:
    """The figures of a thread's memory; none where it has ended, or is gone."""
    fields = read(folder + "/statm").split()
    return fields if fields[:1] != [b"0"] else []


def runs(pid: int) -> bool:
    """Whether a process's first thread is on a CPU, wants one, or waits for a disk."""
    return state(pid) in {"R", "D"}


def state(pid: int) -> str:
    """The letter for what a process's first thread does, as proc(5) has them; nothing where it is gone."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2][1:2].decode()


def waited(pid: int) -> int:
    """Nanoseconds that of a process's threads the one that had to wait longest was ready but had no CPU; 0 where not kept.

    Runtimes run programs in a thread that is not the first. Source: Documentation/scheduler/sched-stats.rst.
    """
    most = 0
    for thread in threads(pid):
        fields = read(f"/proc/{pid}/task/{thread}/schedstat").split()
        most = max(most, int(fields[1]) if len(fields) > 1 else 0)
    return most


def threads(pid: int) -> list[str]:
    """The ids of a process's threads; none where it is gone."""
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def resident(pids: list[int]) -> int:
    """Resident bytes of processes, their page tables included; a page that several have counts once where that can be seen."""
    total = 0
    for pid in pids:
        folder, fields = _memory(pid)
        own = int(fields[1]) * _PAGE if len(fields) > 1 else 0
        shares = [] if len(pids) == 1 else _lines(folder + "/smaps_rollup", b"Pss:")
        # A process that made itself undumpable hides its shares; then all that it has is its own.
        total += _kilobytes(folder + "/status", b"VmPTE:") + (int(shares[0].split()[1]) * 1024 if shares else own)
    return total


def resident_shared(pids: list[int]) -> int:
    """Those of the resident bytes of processes that are of shared memory or of files in memory, as `resident` counts them."""
    if len(pids) == 1:
        return _kilobytes(told_in(pids[0]) + "/status", b"RssShmem:")
    return sum(_kilobytes(told_in(pid) + "/smaps_rollup", b"Pss_Shmem:") for pid in pids)


def _lines(path: str, name: bytes) -> list[bytes]:
    return [line for line in read(path).splitlines() if line.startswith(name)]


def _kilobytes(path: str, name: bytes) -> int:
    lines = _lines(path, name)
    return int(lines[0].split()[1]) * 1024 if lines else 0


def read(path: str) -> bytes:
    """The beginning of a file, empty where it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 65536)
    except OSError:
        return b""
    finally:
        os.close(fd)


def folders(pid: int) -> Iterator[str]:
    """Where the kernel tells of a process: its own folder, and where that does not do, those of its threads: the first may end before the others."""
    yield f"/proc/{pid}"
    for thread in threads(pid):
        yield f"/proc/{pid}/task/{thread}"


def has_memory(folder: str) -> bool:
    """Whether the thread that a folder tells of has not ended. What is refused of one that has is root's, not hidden: ask this afterwards."""
    return bool(_statm(folder))


def mappings(pid: int, most: int) -> bytes | None:
    """What a process has mapped, nothing where it has ended; None where it hides that, or has more than `most` bytes of it."""
    for folder in folders(pid):
        found = read_all(folder + "/maps", most)
        if found:
            return found
        if found is None and has_memory(folder):
            return None
    return b""


def read_all(path: str, most: int) -> bytes | None:
    """All of a file; None where it cannot be opened or is longer than that."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    parts: list[bytes] = []
    try:
        while part := os.read(fd, 65536):
            parts.append(part)
            most -= len(part)
            if most < 0:
                return None
    except OSError:
        pass
    finally:
        os.close(fd)
    return b"".join(parts)
