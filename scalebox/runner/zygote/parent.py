"""The parent of a slot: fork one box a request, watch it from outside, end its whole tree, report. Holds no content.

Theory of operation
-------------------
Processes. The service starts a *launcher* with a socket, whose number is its argument. At level `strict` the launcher enters new
pid, mount, network, ipc and uts namespaces (and a user namespace where the service is not root), forks the *parent*,
which is process 1 of the slot's pid namespace, and waits for it. At `standard` it forks the parent into nothing new, and kills
what that leaves if it dies.
The parent forks a *box* for every request.

Who waits for whom. The parent alone reaps: as process 1, or as subreaper, it inherits every orphan, so the usage it
sums is that of the whole tree. Orphans that end while a box runs are reaped at once, or they would count against its
limit of processes. A box ends when its main process ends; everything else is then killed. As process 1
`kill(-1)` reaches all others at once and no fork escapes it; a subreaper kills its descendants until none is left.
The service ends a slot by closing the socket; if the launcher dies the kernel kills the parent, and with process 1
everything in the namespace.

What a box inherits. Only what the parent holds: descriptors, which the box closes before it looks at the program, and
a heap in which no program, input or answer has ever been, because contents travel in memory files that only boxes
read, and output goes from pipe to memory file inside the kernel.

Walls. The system-call filter, and at `strict` the file system and the landlock domain, are put up once, around the
parent, and inherited; what a box adds itself is its uid, its limits, and at `standard` its own landlock domain.

Commands. What is executed needs no fork of us: where the service brings a library for it (`start.c`), its child borrows our
memory until it has taken the box's limits and uid and become the command.

Cheapness. After a fork, parent and box pay a fault for every page they write, so both do little and do it flat: the
parent puts the box's descriptors on 0-2 of its own before it forks, sits in the work folder, and wears the limits
that do not hurt it; a plain program's box then has only to close, shrink, change its uid and run.
"""

from __future__ import annotations

import _socket
import array
import atexit  # ruff: ignore[unused-import] - loaded here, so that no box has to look for it
import os
import time

from scalebox.runner.zygote import child, protocol, setup, spawn
from scalebox.runner.zygote.watch import Watch, reaped_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scalebox.runner.zygote.shelf import Shelf
    from scalebox.runner.zygote.state import Slot

_FIRST = protocol.FIRST_FD
_CONSECUTIVE = array.array("i", range(_FIRST, _FIRST + len(protocol.DESCRIPTORS))).tobytes()
_SPACE = _socket.CMSG_SPACE(len(_CONSECUTIVE))
_LARGE = protocol.HARNESS | protocol.LIBRARY
_PLAIN_MASK = protocol.MANIFEST | protocol.CODE
_TOLD_MASK = protocol.CODE | protocol.MANIFEST | protocol.CHANNEL | protocol.DOCUMENT
_TOLD = protocol.CODE | protocol.MANIFEST
_KEPT_OUTPUT = 1 << 16
"""Bytes; less of the last output may stay where it is."""
_VICTIM = b"1000"
_COLLECTIONS = 500
"""How often to ask for it, a millisecond apart: the kernel collects when every CPU has passed through the scheduler."""


def serve(shelf: Shelf) -> child.Box:
    """Become a slot's parent and answer requests until the service hangs up. Returns in a forked box only.

    Args:
        shelf: what was loaded so far.
    """
    return _loop(setup.start(shelf))


def _loop(slot: Slot) -> child.Box:
    """Answer requests one by one; returns in the boxes, which find all they need first in our locals."""
    # Made after the freeze: the collector must see the module at the end.
    box = child.Box(slot, child.new_module("__main__", slot.main_file))
    shut, uid, first, last = child.shut, box.uid, _FIRST, slot.descriptor_limit
    code, entered = child.CODE_FD, slot.entered
    while True:
        request, end, grown = _next(slot)
        if grown:
            box = child.Box(slot, child.new_module("__main__", slot.main_file))
        size, largest, tasks = request.code_size, slot.largest, slot.tasks
        flags = request.flags
        plain = uid >= 0 and flags & _PLAIN_MASK == protocol.CODE
        told = code + 1 if uid >= 0 and flags & _TOLD_MASK == _TOLD else 0
        told_size, value = request.told_size, code + 2 if flags & protocol.VALUE else -1
        out, err = _connect(first, slot.uid)
        spare = -1
        if flags & protocol.STDOUT:
            spare = _divert(end - 2 if flags & protocol.STARTER else end - 1, slot.uid)
        started = time.monotonic_ns()
        # A box is born as the out-of-memory killer's first choice; it cannot write what would change that.
        slot.score(_VICTIM)
        pid = _spawn(slot, request, uid, end - 1) if uid >= 0 and flags & protocol.STARTER else os.fork()
        if pid == 0:
            break
        slot.score(slot.own_score)
        if spare >= 0:
            _let_go(spare)
        os.closerange(first, end)
        Watch(slot, request, pid, started, out, err).run()
        os.close(out)
        os.close(err)
        _collect_sockets(slot.sockets_fd)
        if slot.dirty:
            _clean(slot)
    if plain:
        box.made = shut(code, size, largest, tasks, uid, entered, first, last)
    elif told:
        files = box.hear(told, told_size)
        box.made = shut(code, size, largest, tasks, uid, entered, first, last, value, files)
    else:
        box.enter(request)
    return box


def _next(slot: Slot) -> tuple[protocol.Received, int, bool]:
    """Wait for a request and make ready for it; returns it, the number after its last descriptor, and whether modules were loaded."""
    while True:
        packet, ancillary, _, _ = slot.control.recvmsg(256, _SPACE, _socket.MSG_CMSG_CLOEXEC)
        if not packet:
            os._exit(0)
        if packet != protocol.CANCEL:  # one that crossed the reply it wanted to hurry
            break
    request = protocol.Received(packet)
    end = _FIRST + _count(ancillary)
    if slot.written > _KEPT_OUTPUT:
        slot.forget_output()
    grown = bool(request.flags & _LARGE) and slot.load(request.flags)
    if request.flags & protocol.PLACE:
        end -= 1
        _place(slot, request, end)
    if slot.gauge is not None:
        slot.gauge.begin(request.memory + request.output)
        if slot.gauge.counts_cpu:
            own = time.process_time_ns()
            slot.cpu_before = slot.gauge.cpu() - own
    slot.set_limits(request)
    return request, end, grown


def _count(ancillary: list[tuple[int, int, bytes]]) -> int:
    """How many descriptors came; they must have the numbers they are promised to have."""
    data = ancillary[0][2]
    if data != _CONSECUTIVE[: len(data)]:
        raise OSError("a descriptor of ours lies where a box's belong")
    return len(data) // 4


def _place(slot: Slot, request: protocol.Received, source: int) -> None:
    slot.boxes.place(request.name.rstrip(b"\0").decode("ascii"), source, request.mode)
    os.close(source)
    slot.settle()
    slot.reaped = reaped_ns()  # what removed an earlier box's files was no process of the next
    if slot.gauge is not None:
        slot.gauge.rest()


def _clean(slot: Slot) -> None:
    """Bring the work folder back to how it was before a box changed it; the reply is already on its way."""
    slot.dirty = False
    if slot.gauge is not None:
        slot.gauge.relax()
    slot.boxes.reset()
    slot.settle()
    slot.reaped = reaped_ns()  # as when a file is placed
    if slot.gauge is not None:
        slot.gauge.rest()


def _collect_sockets(listed: int) -> None:
    """Have the kernel look for sockets that only sockets refer to: a box may leave such, with files, memory and names in them.

    Nothing else would, as closing a socket is what starts the search (unix_release_sock() in the kernel's af_unix.c).

    Args:
        listed: the list of all sockets of our own network namespace, which are none of ours; -1 where others have theirs there.
    """
    for _ in range(_COLLECTIONS):
        if listed >= 0 and os.pread(listed, 4096, 0).count(b"\n") <= 1:  # the line that names the columns
            return
        first, second = _socket.socketpair()
        first.close()
        second.close()
        if listed < 0:
            return
        time.sleep(0.001)


def _connect(stdin: int, uid: int | None) -> tuple[int, int]:
    """Put the next box's input and output on our own 0-2; returns the ends we read."""
    os.dup2(stdin, 0)
    out_read, out_write = os.pipe2(os.O_CLOEXEC)
    err_read, err_write = os.pipe2(os.O_CLOEXEC)
    if uid is not None:  # so that programs may open /dev/stdout anew
        os.fchown(out_write, uid, -1)
        os.fchown(err_write, uid, -1)
    os.dup2(out_write, 1)
    os.dup2(err_write, 2)
    os.close(out_write)
    os.close(err_write)
    return out_read, err_read


def _divert(stdout: int, uid: int | None) -> int:
    """Put the service's pipe on our own 1; returns the pipe of ours that it takes the place of, which stays empty."""
    spare = os.dup(1)
    os.dup2(stdout, 1)
    if uid is not None:
        os.fchown(0, uid, -1)
        os.fchown(1, uid, -1)
    return spare


def _let_go(spare: int) -> None:
    """Keep no end of the service's pipes open: whoever reads there waits for the box's end to be the end of file."""
    os.dup2(spare, 0)
    os.dup2(spare, 1)
    os.close(spare)


def _spawn(slot: Slot, request: protocol.Received, uid: int, library: int) -> int:
    """Start a command without a fork of ourselves, which would copy what the command drops at once (`start.c`).

    Returns:
        Its process id; 0 in a box that was forked all the same, as the library cannot be used here.
    """
    if slot.starter is None:
        slot.starter = spawn.load(library)
    pid = slot.starter(request, uid, slot.largest[0], slot.tasks[0], slot.entered)
    return pid if pid > 0 else os.fork()
