"""Landlock rulesets, from the oldest ABI to the newest known; never fails on a kernel that lacks a feature.

Source: Documentation/userspace-api/landlock.rst of the kernel. Runs in slots too: imports next to nothing.
"""

from __future__ import annotations

import ctypes
import os

from scalebox.sandbox import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
_RULE_PATH_BENEATH = 1
_CREATE_RULESET_VERSION = 1

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
REMOVE_DIR = 1 << 4
REMOVE_FILE = 1 << 5
MAKE_CHAR = 1 << 6
MAKE_DIR = 1 << 7
MAKE_REG = 1 << 8
MAKE_SOCK = 1 << 9
MAKE_FIFO = 1 << 10
MAKE_BLOCK = 1 << 11
MAKE_SYM = 1 << 12
REFER = 1 << 13  # ABI 2
TRUNCATE = 1 << 14  # ABI 3
IOCTL_DEV = 1 << 15  # ABI 5

READ_ONLY = EXECUTE | READ_FILE | READ_DIR
READ_WRITE = READ_ONLY | WRITE_FILE
FILE_READ_WRITE = READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV
FULL = (1 << 16) - 1 - MAKE_CHAR - MAKE_BLOCK
_FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

_NET_ALL = 0b11  # bind and connect TCP, ABI 4
_SCOPE_ALL = 0b11  # abstract unix sockets and signals, ABI 6


class _Attributes(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def abi() -> int:
    """The kernel's Landlock version; 0 where it has none."""
    try:
        return linux.syscall(_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def handled_rights(version: int) -> int:
    """File-system rights that a kernel with this ABI can restrict."""
    bits = {0: 0, 1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    return (1 << bits) - 1


class Domain:
    """Rules made ready once, with the paths they name held open, for any number of processes to go under.

    Paths that do not exist are left out. Network and scopes are denied as far as the ABI knows them.

    Args:
        version: the kernel's ABI.
        rules: path and rights of what is allowed; nothing else is.
    """

    def __init__(self, version: int, rules: list[tuple[str, int]]) -> None:
        self._handled = handled = handled_rights(version)
        attributes = _Attributes(handled, _NET_ALL if version >= 4 else 0, _SCOPE_ALL if version >= 6 else 0)
        self._attributes = attributes, ctypes.addressof(attributes), 24 if version >= 6 else 16 if version >= 4 else 8
        made = [_rule(path, rights & handled) for path, rights in rules]
        for rule in filter(None, made):
            rule.parent_fd = linux.move_up(rule.parent_fd)
        self._rules = [(rule, ctypes.addressof(rule)) for rule in made if rule is not None]

    def enter(self, *, also: tuple[str, int] | None = None) -> None:
        """Put the calling thread under the rules for good; needs no-new-privileges.

        Args:
            also: one more path and its rights, looked up now.

        Raises:
            OSError: the kernel refused.
        """
        _, attributes, size = self._attributes
        ruleset = _create(attributes, size, 0)
        for _, rule in self._rules:
            _add(ruleset, _RULE_PATH_BENEATH, rule, 0)
        if also is not None:
            found = _rule(also[0], also[1] & self._handled)
            if found is not None:
                _add(ruleset, _RULE_PATH_BENEATH, ctypes.addressof(found), 0)
                os.close(found.parent_fd)
        _restrict(ruleset, 0)
        os.close(ruleset)

    def close(self) -> None:
        """Let go of the paths."""
        for rule, _ in self._rules:
            os.close(rule.parent_fd)


def _rule(path: str, rights: int) -> _PathBeneath | None:
    """One path's rule, the path held open; None where there is no such path."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return None
    return _PathBeneath(rights if os.path.isdir(path) else rights & _FILE_ONLY, fd)


def _call(number: int, *types: type[ctypes._SimpleCData[Any]]) -> Callable[..., int]:
    """A system call without errno's bookkeeping, which costs a box more than the call."""
    call = ctypes.CDLL(None)["syscall"]
    call.restype = ctypes.c_long
    call.argtypes = [ctypes.c_long, *types]

    def made(*args: object) -> int:
        result: int = call(number, *args)
        if result < 0:
            raise OSError(f"landlock: system call {number} was refused")
        return result

    return made


_create = _call(_CREATE_RULESET, ctypes.c_void_p, ctypes.c_long, ctypes.c_long)
_add = _call(_ADD_RULE, ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_long)
_restrict = _call(_RESTRICT_SELF, ctypes.c_long, ctypes.c_long)
