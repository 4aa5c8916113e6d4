"""Put the interpreter's own code on huge pages, so that no box pays to see it. Runs in a slot's parent, once.

A fork copies no page tables of mapped files: a box pays a fault for every 64 KiB of the interpreter that it touches,
and unmaps as much at its end. Where the kernel gives transparent huge pages, a copy of the code in anonymous memory
takes the file's place; a fork then hands over one entry for 2 MiB, and nothing faults (`benchmarks/overhead.py` shows
a tenth less CPU for a trivial case). What is moved was read-only and stays so, with the same bytes at the same address.
"""

from __future__ import annotations

import ctypes
import os

HUGE = 2 << 20
_PROT_READ, _PROT_WRITE, _PROT_EXEC = 1, 2, 4
_MAP_PRIVATE, _MAP_ANONYMOUS = 0x02, 0x20
_MREMAP_MAYMOVE, _MREMAP_FIXED = 1, 2
_MADV_HUGEPAGE = 14
_FAILED = ctypes.c_void_p(-1).value
_MACHINES = ("x86_64", "aarch64")
"""Where the numbers above hold, and instructions written as data are seen as such after mprotect(2)."""


def lift_interpreter() -> int:
    """Move every whole 2 MiB of the interpreter's read-only segments; returns how many there were, 0 where none can be."""
    if os.uname().machine not in _MACHINES or not granted():
        return 0
    start, end = _segments()
    start = (start + HUGE - 1) & ~(HUGE - 1)
    moved = 0
    while start + HUGE <= end and _move(start):
        start += HUGE
        moved += 1
    return moved


def granted() -> bool:
    """Whether the kernel gives huge pages to who asks for them."""
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="ascii") as file:
            return "[never]" not in file.read()
    except OSError:
        return False


def _segments() -> tuple[int, int]:
    """First address and end of the read-only segments of one file that lie around the interpreter's code."""
    inside = ctypes.cast(ctypes.pythonapi.PyRun_SimpleString, ctypes.c_void_p).value or 0
    low = high = 0
    name = ""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            fields = line.split(maxsplit=5)
            first, last = (int(word, 16) for word in fields[0].split("-"))
            path = fields[5].rstrip() if len(fields) > 5 else ""
            goes_on = first == high and path == name and path.startswith("/") and fields[1][1] == "-"
            if not goes_on:
                if low <= inside < high:
                    break
                low, name = first, path if fields[1][1] == "-" else ""
            high = last
    return (low, high) if name.startswith("/") and low <= inside < high else (0, 0)


def _move(address: int) -> bool:
    libc = ctypes.CDLL(None)
    libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    libc.mremap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p)
    libc.madvise.argtypes = libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    room = libc.mmap(None, 2 * HUGE, _PROT_READ | _PROT_WRITE, _MAP_PRIVATE | _MAP_ANONYMOUS, -1, 0)
    if room == _FAILED:
        return False
    copy = (room + HUGE - 1) & ~(HUGE - 1)
    libc.madvise(copy, HUGE, _MADV_HUGEPAGE)
    ctypes.memmove(copy, address, HUGE)
    moved: bool = (
        libc.mprotect(copy, HUGE, _PROT_READ | _PROT_EXEC) == 0
        and libc.mremap(copy, HUGE, HUGE, _MREMAP_MAYMOVE | _MREMAP_FIXED, address) == address
    )
    libc.munmap(room, 2 * HUGE)
    return moved
