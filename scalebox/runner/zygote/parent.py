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

The library. Most cases are taken from request to reply by a library in C that the service sends (`runner/native`), as what we write
while a box lives is copied page by page; it hands over whatever is not common, and we do all of it ourselves where there is none. What is
executed needs no fork of us: its child borrows our memory until it has taken the box's limits and uid and become the command.

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

from scalebox.runner.zygote import child, native, protocol, setup
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
    """Answer requests one by one; returns in the boxes."""
    box = _blank(slot)
    while True:
        course = slot.course if slot.boxes.is_watched else None
        done = native.REQUEST if course is None else course.serve()
        if done.__class__ is bytes:
            box.made = done
            return box
        if done == native.GONE:
            os._exit(0)
        if done == native.REQUEST:
            request, end, grown = _next(slot, course)
            if grown:
                box = _blank(slot)
            watch = _fork(slot, request, end)
            if watch is None:
                return _become(box, slot, request)
            watch.run()
        elif course is not None and done == native.BOX:
            slot.set_limits(course.request)
            return _become(box, slot, course.request)
        elif course is not None and done == native.WATCH:
            course.watch().run()
        _collect_sockets(slot.sockets_fd, slot.sockets_from)
        if slot.dirty:
            _clean(slot)


def _blank(slot: Slot) -> child.Box:
    """What a fork takes over. Made after every freeze: the collector of a box must see the module at the end."""
    return child.Box(slot, child.new_module("__main__", slot.main_file))


def _become(box: child.Box, slot: Slot, request: protocol.Received) -> child.Box:
    """In a box: put up its walls, the shortest way there is for it."""
    flags, uid, end = request.flags, box.uid, slot.descriptor_limit
    code, shut = child.CODE_FD, child.shut
    if uid >= 0 and flags & _PLAIN_MASK == protocol.CODE:
        box.made = shut(code, request.code_size, slot.largest, slot.tasks, uid, slot.entered, _FIRST, end)
    elif uid >= 0 and flags & _TOLD_MASK == _TOLD:
        files = box.hear(code + 1, request.told_size)
        value = code + 2 if flags & protocol.VALUE else -1
        box.made = shut(code, request.code_size, slot.largest, slot.tasks, uid, slot.entered, _FIRST, end, value, files)
    else:
        box.enter(request)
    return box


def _next(slot: Slot, course: native.Course | None) -> tuple[protocol.Received, int, bool]:
    """Make ready for the next request; returns it, the number after its last descriptor, and whether modules were loaded."""
    if course is not None:
        request, count = course.request, course.brought
    else:
        request, count = _receive(slot.control)
    if count < 0:
        raise OSError("a descriptor of ours lies where a box's belong")
    end = _FIRST + count
    if slot.written > _KEPT_OUTPUT:
        slot.forget_output()
    grown = bool(request.flags & _LARGE) and slot.load(request.flags)
    if request.flags & protocol.PLACE:
        end -= 1
        _place(slot, request, end)
    if request.flags & protocol.NATIVE:
        end -= 1
        native.load(slot, end)
        os.close(end)
        grown = True
    if slot.gauge is not None:
        slot.gauge.begin(request.memory + request.output)
        if slot.gauge.counts_cpu:
            own = time.process_time_ns()
            slot.cpu_before = slot.gauge.cpu() - own
    slot.set_limits(request)
    return request, end, grown


def _receive(control: _socket.socket) -> tuple[protocol.Received, int]:
    """Wait for a request; returns it, and how many descriptors came: less than 0 where one has not the number that it is promised to have."""
    while True:
        packet, ancillary, _, _ = control.recvmsg(256, _SPACE, _socket.MSG_CMSG_CLOEXEC)
        if not packet:
            os._exit(0)
        if packet != protocol.CANCEL:  # one that crossed the reply it wanted to hurry
            break
    data = ancillary[0][2]
    return protocol.Received(packet), len(data) // 4 if data == _CONSECUTIVE[: len(data)] else -1


def _fork(slot: Slot, request: protocol.Received, end: int) -> Watch | None:
    """Start a box; returns what watches it, and in the box nothing."""
    out, err = _connect(_FIRST, slot.uid)
    spare = _divert(end - 1, slot.uid) if request.flags & protocol.STDOUT else -1
    started = time.monotonic_ns()
    # A box is born as the out-of-memory killer's first choice; it cannot write what would change that.
    slot.score(_VICTIM)
    pid = slot.starter(request) if slot.starter is not None and request.flags & protocol.COMMAND else -1
    if pid < 0:
        pid = os.fork()
    if pid == 0:
        return None
    slot.score(slot.own_score)
    if spare >= 0:
        _let_go(spare)
    os.closerange(_FIRST, end)
    return Watch(slot, request, pid, started, out, err)


def _place(slot: Slot, request: protocol.Received, source: int) -> None:
    slot.boxes.place(request.name.rstrip(b"\0").decode("ascii"), source, request.mode)
    os.close(source)
    slot.reaped = reaped_ns()  # what removed an earlier box's files was no process of the next
    if slot.gauge is not None:
        slot.gauge.rest()


def _clean(slot: Slot) -> None:
    """Bring the work folder back to how it was before a box changed it; the reply is already on its way."""
    slot.dirty = False
    if slot.gauge is not None:
        slot.gauge.relax()
    slot.boxes.reset()
    slot.reaped = reaped_ns()  # as when a file is placed
    if slot.gauge is not None:
        slot.gauge.rest()


def _collect_sockets(listed: int, begin: int) -> None:
    """Have the kernel look for sockets that only sockets refer to: a box may leave such, with files, memory and names in them.

    Nothing else would, as closing a socket is what starts the search (unix_release_sock() in the kernel's af_unix.c).

    Args:
        listed: the list of all sockets of our own network namespace, which are none of ours; -1 where others have theirs there.
        begin: the last letter before the first in it. Read with it, or the kernel would go on where it found nothing the last time.
    """
    for _ in range(_COLLECTIONS):
        if listed >= 0 and len(os.pread(listed, 2, begin)) < 2:
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
