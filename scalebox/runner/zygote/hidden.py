"""What the processes of a box hold that neither names nor resident pages show: shared memory, unlinked files. Changes nothing.

Where a cgroup counts memory the kernel does all of this. Elsewhere two things have no figure of their own:

Shared anonymous memory stays when a process gives up its pages, or all of a mapping but one page of it. So what is mapped counts,
at the largest that was seen of it, but never as more than the page faults of the box can have brought.

Unlinked files take space for as long as a descriptor, a mapping or a message in flight refers to them. The first has a size; of
the others only the number can be seen, so each but one counts as the largest file that a program may make: one alone may well be
an honest program's, whose processes hand each other a descriptor that is no file's at all.

Runs in slots: imports next to nothing. Names that programs chose are read here, so `unlinked_bytes` is for a forked child.
"""

from __future__ import annotations

import os

from scalebox.runner.zygote import proc

_PAGE = os.sysconf("SC_PAGE_SIZE")
_HUGE_PAGE = 2 << 20
_BLOCK = 512
_TOO_MUCH = 1 << 62
_REGULAR, _SOCKET, _KIND = 0o100000, 0o140000, 0o170000
_SHARED_ANONYMOUS = b" /dev/zero (deleted)"
_UNLINKED = b" (deleted)"
_MAPS = 1 << 20
"""Bytes of a list of mappings that are read, some ten thousand lines: whoever has more hides what it has, and would stall the watch."""


def _fault_bytes() -> int:
    """How much shared memory a page fault may bring: a huge page where the kernel gives these to shared memory."""
    top = "/sys/kernel/mm/transparent_hugepage"
    try:
        folders = ["", *("/" + name for name in os.listdir(top) if name.startswith("hugepages-"))]
    except OSError:  # this kernel has none
        return _PAGE
    told = [proc.read(f"{top}{folder}/shmem_enabled") for folder in folders]
    none = all(not text or b"[never]" in text or b"[deny]" in text or b"[inherit]" in text for text in told)
    return _PAGE if none else _HUGE_PAGE


_A_FAULT = _fault_bytes()
"""Asked once, where /sys is still to be seen."""


class SharedMemory:
    """The shared anonymous memory of one box, as far as it was seen."""

    __slots__ = ("_mapped",)

    def __init__(self) -> None:
        self._mapped: dict[bytes, int] = {}

    def beyond_resident(self, pids: list[int], faults: int, room: int) -> int:
        """Bytes that it may have in shared anonymous memory beyond those which are resident.

        Args:
            pids: the box's processes.
            faults: page faults of those that ended.
            room: as long as no more than this can be hidden, nothing is looked up and the answer is 0.
        """
        brought = (faults + sum(map(proc.faults, pids))) * _A_FAULT
        if brought <= room:
            return 0
        mapped = self._look(pids)
        return max(min(brought if mapped is None else mapped, brought) - proc.resident_shared(pids), 0)

    def _look(self, pids: list[int]) -> int | None:
        """Bytes mapped, each piece of memory once; None where a process hides its mappings."""
        seen: dict[bytes, int] = {}
        for pid in pids:
            lines = proc.mappings(pid, _MAPS)
            if lines is None:
                return None
            for line in lines.splitlines():
                if line.endswith(_SHARED_ANONYMOUS) and line.split(None, 2)[1][3:4] == b"s":
                    inode, end = _extent(line)
                    seen[inode] = max(seen.get(inode, 0), end)
        self._mapped = {inode: max(end, self._mapped.get(inode, 0)) for inode, end in seen.items()}
        return sum(self._mapped.values())


def _extent(line: bytes) -> tuple[bytes, int]:
    """Inode of a mapping, and where in its file it ends (proc_pid_maps(5))."""
    addresses, _, offset, _, inode = line.split(None, 5)[:5]
    first, _, last = addresses.partition(b"-")
    return inode, int(offset, 16) + int(last, 16) - int(first, 16)


def unlinked_bytes(
    pids: list[int], base: str, largest: int, uid: int | None, *, unmade: int = 0, hide: bool = False
) -> int:
    """Bytes of files that were unlinked below a folder and are held all the same, by processes of a box.

    Args:
        pids: the box's processes.
        base: the folder.
        largest: what a file whose size cannot be seen counts as.
        uid: whose eyes to take on where ours are refused; None where the processes are us.
        unmade: process that is still being made, and hides what it holds until it has become what it is to be.
        hide: whether any process may hide what it holds; otherwise one that does counts as holding too much.
    """
    inside = os.fsencode(base) + b"/"
    held: dict[int, int] = {}
    unseen = 0
    for pid in pids:
        try:
            unseen += _by_descriptors(pid, inside, held)
        except PermissionError:
            if uid is not None and os.geteuid() != uid:
                os.setresuid(uid, uid, uid)
                return unlinked_bytes(pids, base, largest, uid, unmade=unmade, hide=hide)
            if hide or pid == unmade:
                continue
            return _TOO_MUCH
        found = _by_mappings(pid, inside, held)
        if found is None:
            if hide or pid == unmade:
                continue
            return _TOO_MUCH
        unseen += found
    return sum(held.values()) + max(unseen - 1, 0) * largest


def _by_descriptors(pid: int, inside: bytes, held: dict[int, int]) -> int:
    """Note unlinked files that a process has open; returns how many descriptors are on their way in messages that it can receive."""
    in_flight: dict[int, int] = {}
    for name in _descriptors(pid):
        try:
            found = os.stat(name)
            if found.st_mode & _KIND == _SOCKET:
                in_flight[found.st_ino] = _in_flight(name)
                continue
            unlinked = found.st_mode & _KIND == _REGULAR and found.st_nlink == 0
            if unlinked and os.fsencode(os.readlink(name)).startswith(inside):
                held[found.st_ino] = found.st_blocks * _BLOCK
        except OSError:  # closed meanwhile
            continue
    return sum(in_flight.values())


def _descriptors(pid: int) -> list[str]:
    """Where a process's descriptors lie: its threads have the same ones, and those that have ended have none.

    Raises:
        PermissionError: a thread that has not ended hides them.
    """
    for folder in proc.folders(pid):
        within = folder + "/fd/"
        try:
            names = os.listdir(within)
        except PermissionError:
            if proc.has_memory(folder):
                raise
            continue
        except OSError:  # it is gone
            continue
        if names or proc.has_memory(folder):
            return [within + name for name in names]
    return []


def _in_flight(descriptor: str) -> int:
    for line in proc.read(descriptor.replace("/fd/", "/fdinfo/")).splitlines():
        if line.startswith(b"scm_fds:"):
            return int(line[8:])
    return 0


def _by_mappings(pid: int, inside: bytes, held: dict[int, int]) -> int | None:
    """How many unlinked files a process has mapped that are not among those noted; they are noted as such. None where they cannot be seen."""
    unseen = 0
    lines = proc.mappings(pid, _MAPS)
    if lines is None:
        return None
    for line in lines.splitlines():
        if line.endswith(_UNLINKED) and b" " + inside in line:
            inode = int(line.split(None, 5)[4])
            if inode not in held:
                held[inode] = 0
                unseen += 1
    return unseen
