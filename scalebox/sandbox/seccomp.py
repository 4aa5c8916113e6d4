"""Compile and install the system-call filter of a box: an allow-list, everything else ENOSYS.

ENOSYS lets runtimes fall back to what they did on older kernels; only a foreign architecture's calls kill. A filter
never widens another. Runs in slots too: imports next to nothing. Source of the layouts: seccomp(2), linux/filter.h.
"""

from __future__ import annotations

import ctypes
import errno
import os

from scalebox.sandbox import linux, syscalls

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_UNKNOWN = _ERRNO | errno.ENOSYS
_REFUSED = _ERRNO | errno.EPERM

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_RETURN = 0x06  # BPF_RET | BPF_K
_EQUAL = 0x15
_GREATER = 0x25
_AT_LEAST = 0x35
_ANY_BIT = 0x45
_OFFSET_NUMBER = 0
_OFFSET_ARCH = 4
_OFFSET_ARGS = 16

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_AF_UNIX = 1
_NEW_NAMESPACES = 0x7E020000
_CLONE_THREAD, _CLONE_FILES, _CLOSE_RANGE_UNSHARE = 0x10000, 0x400, 2
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_FEIGNED = _ERRNO
"""The call is not made, and says that it was."""
_OUTREACHING_IOCTLS = (
    0x5412, 0x541C,  # TIOCSTI, TIOCLINUX: typing into someone's terminal
    0x8901, 0x8902,  # FIOSETOWN, SIOCSPGRP: having the kernel signal someone
    0x40086602, 0x40046602, 0x401C5820,  # FS_IOC_SETFLAGS, its 32-bit form, FS_IOC_FSSETXATTR: flags that outlive a file's content
)  # fmt: skip
_SIGNALLING_FCNTLS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: any signal, to anyone
_SOCK_TYPE_MASK, _SOCK_DGRAM = 0xF, 2

# A numbers table cannot say these: each has a condition on its arguments. name: (x86_64, aarch64)
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_CLOSE_RANGE = (436, 436)
_SOCKET = (41, 198)
_PRLIMIT64 = (302, 261)
_IOCTL = (16, 29)
_SETPRIORITY = (141, 140)
_PRIO_USER = 2
_SET_AFFINITY = (203, 122)
_SET_PARAM = (142, 118)
_SET_SCHEDULER = (144, 119)
_SCHED_OTHER = 0
_KILLERS = ((62, 129), (200, 130), (234, 131), (129, 138), (297, 240))  # kill tkill tgkill rt_sigqueueinfo rt_tg…
_PIDFD_SEND_SIGNAL = (424, 424)
_MEMFD_CREATE = (319, 279)

_FCNTL = (72, 25)
_SOCKETPAIR = (53, 199)
_NAMED_SOCKETS = ((49, 200), (50, 201), (43, 202), (288, 242), (42, 203))  # bind listen accept accept4 connect
_ATTRIBUTES = (
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat",
)  # fmt: skip
"""What changes modes, owners and times. Landlock has no say in these, and the owner of a file may do them by its path."""
_SPIES = ("inotify_init", "inotify_init1")
"""What tells the names in folders that landlock lets nobody list."""
_TRUNCATE = (76, 45)


_Row = tuple[int, int, int, int]


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction)))


class Filter:
    """A compiled filter, ready to install any number of times; made by `around_slot` or `within_box`."""

    def __init__(self, code: list[_Row]) -> None:
        self._instructions = (_Instruction * len(code))(*(_Instruction(*row) for row in code))
        self._program = _Program(len(code), self._instructions)

    def install(self) -> None:
        """Put the calling thread and its children under the filter; needs no-new-privileges."""
        pointer = ctypes.cast(ctypes.pointer(self._program), ctypes.c_void_p).value or 0
        linux.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, pointer)


def around_slot(*, unix_sockets: bool, memfd: bool) -> Filter:
    """The allow-list that a slot's parent and all its boxes live behind.

    Args:
        unix_sockets: whether a box may make unix sockets beside pairs; only where it sees no one else's.
        memfd: whether memory files may be made; only where a cgroup counts them.
    """
    return Filter(_compile(unix_sockets, memfd))


def within_box(*, shared_uid: bool, own_pid: int | None, truncate: bool = True) -> Filter:
    """What one box is refused besides, at level `standard`; the parent needs these calls itself.

    Args:
        shared_uid: programs run as the service's user. Changing modes, owners or times then does nothing, and says that it
            worked, since archivers and copiers do it in passing; a neighbour's folder would be within reach.
        own_pid: let signals go to this pid only, where landlock cannot scope them; None means anyone in reach.
        truncate: whether landlock sees to truncate(2) itself.
    """
    return Filter(_compile_box(shared_uid, own_pid, truncate))


def supported() -> bool:
    """Whether this architecture's call numbers are known here."""
    return os.uname().machine in _ARCHITECTURES


def _start(arch: int) -> list[_Row]:
    return [
        (_LOAD, 0, 0, _OFFSET_ARCH),
        (_EQUAL, 1, 0, arch),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _OFFSET_NUMBER),
    ]


def _compile(unix_sockets: bool, memfd: bool) -> list[_Row]:
    column, arch = _ARCHITECTURES[os.uname().machine]
    code = _start(arch)
    code += _when(_CLONE[column], _clone_within())
    code += _when(_CLOSE_RANGE[column], _argument(2, _ANY_BIT, _CLOSE_RANGE_UNSHARE, _REFUSED, _ALLOW))
    code += _when(_CLONE3[column], [(_RETURN, 0, 0, _UNKNOWN)])  # its flags lie in memory; libc falls back to clone
    socket_rule = _argument(0, _EQUAL, _AF_UNIX, _ALLOW, _ERRNO | errno.EAFNOSUPPORT)
    code += _when(_SOCKET[column], socket_rule if unix_sockets else [(_RETURN, 0, 0, _REFUSED)])
    code += _when(_PRLIMIT64[column], _argument(0, _EQUAL, 0, _ALLOW, _REFUSED))
    code += _when(_SETPRIORITY[column], _of_oneself())
    # The C library asks it for threads whose attributes name CPUs, as .NET's do, and starts none where it is refused.
    code += _when(_SET_AFFINITY[column], _argument(0, _EQUAL, 0, _ALLOW, _FEIGNED))
    code += _when(_SET_PARAM[column], _argument(0, _EQUAL, 0, _ALLOW, _REFUSED))
    code += _when(_SET_SCHEDULER[column], _scheduler_of_oneself())
    code += _when(_IOCTL[column], _argument_not_in(1, _OUTREACHING_IOCTLS))
    code += _when(_FCNTL[column], _argument_not_in(1, _SIGNALLING_FCNTLS))
    denied = {_CLONE3[column]}
    if not memfd:
        denied.add(_MEMFD_CREATE[column])
    if not unix_sockets:  # a pair of datagram sockets could send to a name of the host's
        code += _when(_SOCKETPAIR[column], _stream_pair())
        denied |= {numbers[column] for numbers in _NAMED_SOCKETS}
    numbers_allowed = {row[column] for row in syscalls.ALLOWED.values()} - {-1} - denied
    return code + _search(_ranges(sorted(numbers_allowed)))


def _compile_box(shared_uid: bool, own_pid: int | None, truncate: bool = True) -> list[_Row]:
    column, arch = _ARCHITECTURES[os.uname().machine]
    code = _start(arch)
    if own_pid is not None:
        for numbers in _KILLERS:
            code += _when(numbers[column], _argument(0, _EQUAL, own_pid, _ALLOW, _REFUSED))
        code += _when(_PIDFD_SEND_SIGNAL[column], [(_RETURN, 0, 0, _UNKNOWN)])
    if shared_uid:
        for name in _ATTRIBUTES:
            code += _when(syscalls.ALLOWED[name][column], [(_RETURN, 0, 0, _FEIGNED)])
        for name in _SPIES:
            code += _when(syscalls.ALLOWED[name][column], [(_RETURN, 0, 0, _UNKNOWN)])
        if not truncate:
            code += _when(_TRUNCATE[column], [(_RETURN, 0, 0, _REFUSED)])
    return [*code, (_RETURN, 0, 0, _ALLOW)]


def _when(number: int, block: list[_Row]) -> list[_Row]:
    """Run ``block``, which always returns, for one call number; fall through otherwise."""
    return [] if number < 0 else [(_EQUAL, 0, len(block), number), *block]


def _argument(index: int, test: int, value: int, then: int, otherwise: int) -> list[_Row]:
    """Test the low word of an argument (the high word is ignored by every call used here)."""
    return [
        (_LOAD, 0, 0, _OFFSET_ARGS + 8 * index),
        (test, 0, 1, value),
        (_RETURN, 0, 0, then),
        (_RETURN, 0, 0, otherwise),
    ]


def _clone_within() -> list[_Row]:
    """No namespaces; and threads have the descriptors of their process, among which `zygote/hidden.py` looks for files without a name."""
    return [
        (_LOAD, 0, 0, _OFFSET_ARGS),
        (_ANY_BIT, 3, 0, _NEW_NAMESPACES),
        (_AND, 0, 0, _CLONE_THREAD | _CLONE_FILES),
        (_EQUAL, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSED),
    ]


def _argument_not_in(index: int, values: tuple[int, ...]) -> list[_Row]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [
        (_LOAD, 0, 0, _OFFSET_ARGS + 8 * index),
        *tests,
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSED),
    ]


def _of_oneself() -> list[_Row]:
    """Oneself, or one's process group: not all that its user has, and nobody by number."""
    return [
        (_LOAD, 0, 0, _OFFSET_ARGS),
        (_EQUAL, 2, 0, _PRIO_USER),
        (_LOAD, 0, 0, _OFFSET_ARGS + 8),
        (_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _REFUSED),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _scheduler_of_oneself() -> list[_Row]:
    """Oneself. That somebody else be scheduled as everyone is is feigned: Mono asks it for each of its threads, and complains on
    standard output where it is refused."""
    return [
        (_LOAD, 0, 0, _OFFSET_ARGS),
        (_EQUAL, 0, 1, 0),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _OFFSET_ARGS + 8),
        (_EQUAL, 0, 1, _SCHED_OTHER),
        (_RETURN, 0, 0, _FEIGNED),
        (_RETURN, 0, 0, _REFUSED),
    ]


def _stream_pair() -> list[_Row]:
    return [
        (_LOAD, 0, 0, _OFFSET_ARGS + 8),
        (_AND, 0, 0, _SOCK_TYPE_MASK),
        (_EQUAL, 0, 1, _SOCK_DGRAM),
        (_RETURN, 0, 0, _REFUSED),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _search(ranges: list[tuple[int, int]]) -> list[_Row]:
    """A binary search over disjoint ranges: about seven comparisons a call, and fewer rows for the kernel to verify."""
    if len(ranges) == 1:
        low, high = ranges[0]
        return [
            (_AT_LEAST, 0, 2, low),
            (_GREATER, 1, 0, high),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _UNKNOWN),
        ]
    middle = len(ranges) // 2
    left, right = _search(ranges[:middle]), _search(ranges[middle:])
    return [(_AT_LEAST, len(left), 0, ranges[middle][0]), *left, *right]
