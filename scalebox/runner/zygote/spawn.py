"""Start commands by the library of `start.c`; what it cannot do is left to a fork. Runs in a slot's parent, which it never forks."""

from __future__ import annotations

import ctypes
import os

from scalebox.runner.zygote import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class _Box(ctypes.Structure):
    """As `start.c` has it."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("manifest", "counter", "value", "document")),
        *((name, ctypes.c_uint64) for name in ("manifest_size", "uid", "file_bytes", "processes")),
    )


def load(library: int) -> Callable[[protocol.Received, int, int, int, int], int]:
    """What starts a box's command: by its request, uid, RLIMIT_FSIZE, RLIMIT_NPROC and counter; gives its process id, or less than 1.

    Args:
        library: descriptor of the library.
    """
    try:
        start = ctypes.PyDLL(f"/proc/self/fd/{library}").scalebox_start
    except (OSError, AttributeError):  # of another machine, or C library, than the programs' interpreter
        return lambda *_: -1
    inherited = [name + b"=" + value for name, value in os.environb.items()]
    environment = (ctypes.c_char_p * (len(inherited) + 1))(*inherited, None)
    box = _Box()
    reference = ctypes.byref(box)
    manifest = protocol.FIRST_FD + 1  # second in what a command's box is sent, after standard input

    def started(request: protocol.Received, uid: int, file_bytes: int, processes: int, counter: int) -> int:
        number = manifest + 1
        box.value = box.document = -1
        if request.flags & protocol.VALUE:
            box.value = number
            number += 1
        if request.flags & protocol.DOCUMENT:
            box.document = number
        box.manifest, box.manifest_size, box.counter = manifest, request.told_size, counter
        box.uid, box.file_bytes, box.processes = uid, file_bytes, processes
        pid: int = start(reference, environment)
        return pid

    return started
