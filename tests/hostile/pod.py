"""Become a process of a pod without privileges, then run a command: `pod.py COMMAND ARGUMENT...`. Standard library only.

What a container runtime's default profile refuses to a container without capabilities is refused here: new namespaces by any
call, mounts, `clone3` (so that callers fall back to `clone`), keys and tracing. New privileges are refused as well. The
namespaces that a bare machine gives every user are so forbidden for real, and `scalebox` has to find that out by itself.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _RETURN, _EQUAL, _ANY_BIT = 0x20, 0x06, 0x15, 0x45
_NUMBER, _FIRST_ARGUMENT = 0, 16
_NEW_NAMESPACES = 0x7E020000
_ARM = os.uname().machine == "aarch64"
_CLONE, _CLONE3 = (220 if _ARM else 56), 435
_REFUSED = (97, 268, 40, 39, 41, 217, 218, 219, 117) if _ARM else (272, 308, 165, 166, 155, 248, 249, 250, 101)
"""unshare, setns, mount, umount2, pivot_root, add_key, request_key, keyctl, ptrace (the kernel's system-call tables)."""
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2


def program() -> bytes:
    """The filter: instructions of eight bytes (code, jump if true, jump if false, value)."""
    rows = [(_LOAD, 0, 0, _NUMBER)]
    for number in _REFUSED:
        rows += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    rows += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    rows += [(_EQUAL, 0, 3, _CLONE), (_LOAD, 0, 0, _FIRST_ARGUMENT), (_ANY_BIT, 0, 1, _NEW_NAMESPACES)]
    rows += [(_RETURN, 0, 0, _ERRNO | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("HBBI", *row) for row in rows)


def enter() -> None:
    """Put the refusals up, for this process and all that it starts.

    Raises:
        OSError: the kernel has no system-call filters.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    code = program()
    text = ctypes.create_string_buffer(code, len(code))
    told = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(text))
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, told):
        raise OSError(ctypes.get_errno(), "no system-call filter can be installed")


if __name__ == "__main__":
    enter()
    os.execvp(sys.argv[1], sys.argv[1:])  # ruff: ignore[start-process-with-no-shell] - the command that was asked for
