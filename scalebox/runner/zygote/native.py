"""What a slot's parent has done by the library of `runner/native`, once the service has sent it. Decides nothing.

Loaded once, before anything else is forked: a box inherits it as it inherits the interpreter. What the library cannot do here, or hands
over, the parent does itself.
"""

from __future__ import annotations

import ctypes
import os

from scalebox.runner.zygote import huge_pages, protocol
from scalebox.runner.zygote.watch import Watch
from scalebox.sandbox import linux, workdir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from scalebox.runner.zygote.state import Slot

GONE, REQUEST, BOX, WATCH, LEFT = range(5)
"""What became of it: the service hung up; a request for which no box was started; a box, which we are; a box that is to be watched
on; a box whose reply is sent, and that left something to be cleaned away."""

_FOLDERS, _GIVEN = 3, 8
_FRESH = 20
"""Cases after which the parent has copied what it copies of pages that it shares with boxes."""
_UNLIMITED = (1 << 64) - 1
_MANIFEST_FD = protocol.FIRST_FD + 1
"""Second in what a command's box is sent, after standard input."""


class _Box(ctypes.Structure):
    """As `start.h` has it."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("manifest", "counter", "value", "document")),
        *((name, ctypes.c_uint64) for name in ("manifest_size", "uid", "file_bytes", "processes")),
    )


class _State(ctypes.Structure):
    """As `serve.c` has it, which says what each is."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("control", "output", "errors", "entered", "score", "children", "deaths")),
        *(
            (name, ctypes.c_int32)
            for name in ("sockets", "sockets_from", "news", "base", "limit", "peak", "usage", "statistics", "cpu")
        ),
        *((name, ctypes.c_int32) for name in ("uid", "descriptors", "cpus", "given_count")),
        *((name, ctypes.c_uint64) for name in ("stack_limit", "hard_tasks")),
        *((name, ctypes.c_char_p) for name in ("own_score", "no_limit", "base_path")),
        ("folders", ctypes.c_char_p * _FOLDERS),
        ("given", ctypes.c_char_p * _GIVEN),
        *((name, ctypes.c_uint64) for name in ("reaped", "written", "stack", "at_rest", "loaded")),
        *((name, ctypes.c_int64) for name in ("group_base", "group_limit", "disk_pages")),
        ("seen", ctypes.c_uint64 * _FOLDERS),
        ("watches", ctypes.c_int32 * _FOLDERS),
        ("placed", ctypes.c_char * 256),
        ("cpu_before", ctypes.c_int64),
        *((name, ctypes.c_uint64) for name in ("started", "output_size", "errors_size")),
        *((name, ctypes.c_int32) for name in ("pid", "end", "output_pipe", "errors_pipe", "brought", "size")),
        *((name, ctypes.c_int32) for name in ("is_dirty", "is_lost", "is_fresh")),
        ("packet", ctypes.c_char * 256),
    )


class Course:
    """The library's view of a slot, and the way into it.

    Args:
        slot: the parent's.
        serve: the library's function.
    """

    def __init__(self, slot: Slot, serve: Callable[[object], int | bytes]) -> None:
        gauge, owned = slot.gauge, slot.uid is not None
        self._slot = slot
        self._serve = serve
        self._names = (slot.own_score, gauge.none if gauge is not None else b"")
        self._state = _State(
            control=slot.control_fd,
            output=slot.stdout,
            errors=slot.stderr,
            entered=slot.entered,
            score=slot.score_fd,
            children=slot.children_fd,
            deaths=slot.deaths_fd,
            sockets=slot.sockets_fd,
            sockets_from=slot.sockets_from,
            is_fresh=_FRESH,
            given_count=len(slot.boxes.given) if owned else 0,
            base=linux.move_up(os.open(slot.boxes.base, os.O_PATH | os.O_CLOEXEC)),
            limit=-1 if gauge is None else gauge.limit_fd,
            peak=-1 if gauge is None else gauge.peak_fd,
            usage=-1 if gauge is None else gauge.usage_fd,
            statistics=-1 if gauge is None else gauge.statistics_fd,
            cpu=-1 if gauge is None else gauge.cpu_fd,
            uid=-1 if slot.uid is None else slot.uid,
            descriptors=slot.descriptor_limit,
            cpus=slot.cpus,
            stack_limit=slot.stack_limit,
            hard_tasks=_UNLIMITED if slot.hard_tasks < 0 else slot.hard_tasks,
            own_score=self._names[0],
            no_limit=self._names[1],
            base_path=slot.boxes.base.encode(),
            folders=tuple(path.encode() for path in slot.boxes.watched) if owned else (),
            given=tuple(path.encode() for path in slot.boxes.given) if owned else (),
        )
        self._reference = ctypes.byref(self._state)

    def serve(self) -> int | bytes:
        """Serve requests until one needs the parent; in a plain program's box, whose walls are then up, its code.

        Raises:
            OSError: the kernel refused what a parent lives by.
        """
        slot, state, gauge, boxes = self._slot, self._state, self._slot.gauge, self._slot.boxes
        state.news = boxes.news
        state.reaped, state.written, state.at_rest = slot.reaped, slot.written, boxes.at_rest
        if slot.uid is not None:
            state.placed = b"" if boxes.placed is None else boxes.path(workdir.NAMES[0] + "/" + boxes.placed).encode()
            state.seen[:], state.watches[:], state.is_lost = boxes.seen, boxes.watches, 0
        state.stack = slot.stack if slot.stack >= 0 else 0
        state.loaded = slot.loaded
        if gauge is not None:
            state.group_base, state.group_limit = gauge.base, gauge.current_limit
            state.disk_pages = gauge.known_disk_pages
        done = self._serve(self._reference)
        if done.__class__ is bytes or done == BOX:
            return done
        slot.reaped, slot.written, slot.stack, slot.cpu_before = (
            state.reaped,
            state.written,
            state.stack,
            state.cpu_before,
        )
        slot.dirty = done == LEFT and bool(state.is_dirty)
        if gauge is not None:
            gauge.base, gauge.current_limit = state.group_base, state.group_limit
            gauge.known_disk_pages = state.disk_pages
        if slot.uid is not None:
            boxes.at_rest = state.at_rest
            boxes.placed = state.placed.rpartition(b"/")[2].decode() or None
            boxes.seen, boxes.watches = state.seen[:], [] if state.is_lost else state.watches[:]
        return done

    @property
    def request(self) -> protocol.Received:
        """The last request."""
        return protocol.Received(ctypes.string_at(ctypes.byref(self._state, _State.packet.offset), self._state.size))

    @property
    def brought(self) -> int:
        """How many descriptors came with it; less than 0 where one has a number that it should not have."""
        brought: int = self._state.brought
        return brought

    def watch(self) -> Watch:
        """What watches the box on that was handed over."""
        state = self._state
        watch = Watch(self._slot, self.request, state.pid, state.started, state.output_pipe, state.errors_pipe)
        watch.go_on(state.end, state.output_size, state.errors_size)
        return watch


def load(slot: Slot, file: int) -> None:
    """Have the slot use the library from now on, as far as it can be used here.

    Args:
        slot: the parent's.
        file: descriptor of the library.
    """
    try:
        # By a number that no program's own library gets: the loader knows by its name what is loaded.
        high = linux.move_up(os.dup(file))
        library = ctypes.PyDLL(f"/proc/self/fd/{high}")
        os.close(high)
        start, serve = library.scalebox_start, library.scalebox_serve
    except (OSError, AttributeError):  # of another machine, or C library, than the programs' interpreter
        return
    serve.restype = ctypes.py_object
    if slot.strict:
        if slot.uid is not None:
            slot.starter = _starter(slot, slot.uid, start)
        boxes = slot.boxes
        fits = slot.uid is None or (len(boxes.watched) == _FOLDERS and len(boxes.given) <= _GIVEN)
        if fits and boxes.is_watched and min(slot.children_fd, slot.sockets_fd) >= 0:
            slot.course = Course(slot, serve)
    slot.freeze()
    if huge_pages.granted() and library.scalebox_gather() and slot.gauge is not None:
        slot.gauge.rest()


def _starter(slot: Slot, uid: int, start: Callable[..., int]) -> Callable[[protocol.Received], int]:
    """What starts a box's command by its request; gives its process id, or less than 0 where that takes a fork."""
    inherited = [name + b"=" + value for name, value in os.environb.items()]
    environment = (ctypes.c_char_p * (len(inherited) + 1))(*inherited, None)
    box = _Box()
    reference = ctypes.byref(box)

    def started(request: protocol.Received) -> int:
        number = _MANIFEST_FD + 1
        box.value = box.document = -1
        if request.flags & protocol.VALUE:
            box.value = number
            number += 1
        if request.flags & protocol.DOCUMENT:
            box.document = number
        box.manifest, box.manifest_size, box.counter = _MANIFEST_FD, request.told_size, slot.entered
        box.uid, box.file_bytes, box.processes = uid, slot.largest[0], slot.tasks[0]
        return start(reference, environment)

    return started
