"""The few kernel calls Python lacks, through ctypes. Each raises OSError; none decides anything.

This module runs in slots too, under the programs' interpreter, so it imports next to nothing.
"""

from __future__ import annotations

import ctypes
import fcntl
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 0x1
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_REMOUNT = 0x20
MS_NOATIME = 0x400
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECBITS_NO_ROOT_LOCKED = 0b1111
"""SECBIT_NOROOT and SECBIT_NO_SETUID_FIXUP, both locked (capabilities(7))."""

LAST_CAPABILITY = 63
"""Above every capability known; dropping one the kernel lacks is EINVAL and ends the loop."""

_machine = os.uname().machine
# pivot_root and capset have no glibc wrapper; numbers from the kernel's own tables.
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}.get(_machine, -1)
_CAPSET = {"x86_64": 126, "aarch64": 91}.get(_machine, -1)

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
fast_prctl = ctypes.CDLL(None).prctl
"""prctl(2) without errno's bookkeeping, which costs a box more than the call; made once a case."""


def syscall(number: int, *args: object) -> int:
    """Make a raw system call; integers are passed as longs.

    Raises:
        OSError: the kernel refused.
    """
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result: int = _libc.syscall(ctypes.c_long(number), *converted)
    if result < 0:
        raise _error("syscall " + str(number))
    return result


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, what + ": " + os.strerror(number))


def prctl(option: int, *args: int) -> None:
    """prctl(2) with up to four arguments."""
    padded = [ctypes.c_ulong(a) for a in (*args, 0, 0, 0, 0)[:4]]
    if _libc.prctl(option, *padded) < 0:
        raise _error("prctl " + str(option))


def flush_c_streams() -> None:
    """fflush(NULL): what libraries printed through C's stdio."""
    _libc.fflush(None)


def inotify() -> int:
    """A descriptor that is readable once something befell a path that it watches (inotify(7)); it does not block.

    Raises:
        OSError: the user has too many of them already.
    """
    fd: int = _libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
    if fd < 0:
        raise _error("inotify_init1")
    return fd


def inotify_watch(fd: int, path: str, events: int) -> int:
    """Have an inotify descriptor watch a path; returns the watch's number, the same one for a path watched already.

    Raises:
        OSError: there is no such path, or the user watches too many already.
    """
    watch: int = _libc.inotify_add_watch(fd, os.fsencode(path), ctypes.c_uint32(events))
    if watch < 0:
        raise _error("inotify_add_watch " + path)
    return watch


def inotify_unwatch(fd: int, watch: int) -> None:
    """End a watch, whatever became of its path."""
    _libc.inotify_rm_watch(fd, watch)


def signal_file(number: int) -> int:
    """A descriptor that is readable while a signal waits that the caller has blocked (signalfd(2)); it does not block."""
    wanted = ctypes.c_uint64(1 << (number - 1))
    padded = (ctypes.c_uint64 * 16)(wanted)  # sizeof(sigset_t) in libc; the kernel reads the first word
    fd: int = _libc.signalfd(-1, padded, os.O_CLOEXEC | os.O_NONBLOCK)
    if fd < 0:
        raise _error("signalfd")
    return fd


LOWEST_OWN_FD = 64
"""A slot's lasting descriptors live from here up, out of the way of the numbers a box is promised."""


def move_up(fd: int) -> int:
    """Give a descriptor a number from `LOWEST_OWN_FD` up and close the old one."""
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, LOWEST_OWN_FD)
    os.close(fd)
    return high


def unshare(flags: int) -> None:
    """unshare(2)."""
    if _libc.unshare(flags) < 0:
        raise _error("unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """mount(2)."""

    def text(value: str | None) -> bytes | None:
        return None if value is None else os.fsencode(value)

    if _libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), text(options)) < 0:
        raise _error("mount " + target)


def unmount(target: str, flags: int = MNT_DETACH) -> None:
    """umount2(2)."""
    if _libc.umount2(os.fsencode(target), flags) < 0:
        raise _error("umount " + target)


def pivot_root(new_root: str, put_old: str) -> None:
    """pivot_root(2)."""
    syscall(_PIVOT_ROOT, os.fsencode(new_root), os.fsencode(put_old))


class _CapHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapData(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


_no_caps_header = _CapHeader(0x20080522, 0)
_no_caps_data = (_CapData * 2)()


def drop_capabilities() -> None:
    """Empty the effective, permitted and inheritable sets of the calling thread."""
    syscall(_CAPSET, ctypes.byref(_no_caps_header), ctypes.byref(_no_caps_data))


def drop_bounding_set() -> None:
    """Let no exec ever gain a capability again; silently does nothing without CAP_SETPCAP."""
    for capability in range(LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            return


def set_default_thread_stack(size_bytes: int) -> None:
    """Give later threads this stack, whatever RLIMIT_STACK was at exec (glibc; elsewhere it does nothing)."""
    setter = getattr(_libc, "pthread_setattr_default_np", None)
    if setter is None:
        return
    attributes = ctypes.create_string_buffer(64)  # sizeof(pthread_attr_t) is 56 on x86-64, 64 on aarch64
    if _libc.pthread_attr_init(attributes) == 0:
        _libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(size_bytes))
        setter(attributes)
