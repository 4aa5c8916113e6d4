"""What the parent of a slot knows, and what it has ready for the next box. Holds no content."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself pulls in enum
import gc
import os
import resource
import select
import sys
import time

from scalebox.runner.zygote import proc, protocol
from scalebox.runner.zygote.shelf import ON_DEMAND
from scalebox.sandbox import linux, workdir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Callable
    from types import ModuleType

    from scalebox.runner.zygote import native
    from scalebox.runner.zygote.shelf import Shelf
    from scalebox.sandbox import cgroup, landlock, seccomp

HARNESS = "scalebox.runner.zygote.harness"
_COUNTED_SECONDS = 0.25
"""How long a count of all tasks of our uid is held to be true: it takes a look at every process there is."""
_OTHERS_ROOM = 64
_COMPILER_ROOM = 8192
"""A compiler starts what it always starts, whatever it is given; were its fork refused, gcc would wait and try again."""


class Slot:
    """What the parent knows; the box reads it once, right after the fork."""

    starter: Callable[[protocol.Received], int] | None = None
    """What starts commands without a fork, once the service has sent the library."""
    course: native.Course | None = None
    """What takes most cases off our hands, from then on."""
    tasks_fd = -1
    """Bounds the tasks of our group, where boxes are root's; -1 where they are not, or there is no such group."""

    def __init__(self, settings: dict[str, object], control: _socket.socket, outputs: list[int], shelf: Shelf) -> None:
        self.control = control
        self.control_fd = control.fileno()
        self.strict = settings["level"] == "strict"
        self.uid = _optional_int(settings["uid"])
        self.capable = self.uid is None and self.strict
        self.stack_limit = int(str(settings["stack_limit"]))
        self.inodes = int(str(settings["inodes"]))
        self.descriptor_limit = int(str(settings["descriptors"]))
        self.landlock_abi = int(str(settings["landlock_abi"]))
        self.domain: landlock.Domain | None = None
        """What each box goes under by itself."""
        self.own_filter: Callable[[int], seccomp.Filter] | None = None
        self.gauge: cgroup.Gauge | None = None
        self.stdout, self.stderr = outputs
        self.dirty = False
        """Whether the last box changed the work folder."""
        self.reaped = 0
        """CPU nanoseconds of all children reaped so far."""
        self.cpu_before = 0
        """CPU nanoseconds that the group had used before the box that runs, ours left out."""
        self.written = 0
        """Bytes of output that the last box left in them; the service has read it when the next request comes."""
        self.boxes = workdir.Workdir(
            str(settings["base"]), workdir.NAMES, self.uid, tuple(str(name) for name in items(settings["given"]))
        )
        self.work = self.boxes.path(workdir.NAMES[0])
        self.entered = linux.move_up(os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK))
        """A box counts it up once it is complete."""
        self.cpus = max(len(os.sched_getaffinity(0)), 1)
        self.children_fd = _children_file()
        self.deaths_fd = linux.move_up(linux.signal_file(_signal.SIGCHLD))
        """Readable once a child of ours ended, while a box is watched."""
        self.sockets_fd, self.sockets_from = _sockets_file() if self.strict else (-1, 0)
        self.poller, self.end_poller, self.last_poller = select.poll(), select.poll(), select.poll()
        self._listening: tuple[int, ...] = ()
        self.own_score = b"%d" % int(proc.read("/proc/self/oom_score_adj") or b"0")
        self.score_fd = linux.move_up(os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC))
        self.largest = self.tasks = (0, 0)
        """RLIMIT_FSIZE and RLIMIT_NPROC of the next box."""
        self.hard_tasks = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        self._own_tasks = 2 if self.capable else 0  # the launcher and the parent, where the uid is theirs too
        self._shared_uid = self.uid is None and not self.strict
        self._counted, self._look_again = 0, 0.0
        self.stack = -1
        self.main_file = self.work + "/main.py"
        self.shelf = shelf
        self.harness: ModuleType | None = None
        self.loaded = 0
        """Which large things are loaded, as flags of a request."""
        self.modules = 0
        """How many modules are loaded before any program's, `__main__` not counted."""

    def score(self, score: bytes) -> None:
        """Set our own out-of-memory score, which a box is born with."""
        os.pwrite(self.score_fd, score, 0)

    def set_limits(self, request: protocol.Received) -> None:
        """Make ready what the next box's limits need."""
        stack = min(request.memory, self.stack_limit)
        if stack != self.stack:
            self._set_stack(stack)
        tasks = request.processes + self._own_tasks + (self._others(request) if self._shared_uid else 0)
        tasks = tasks if self.hard_tasks < 0 else min(tasks, self.hard_tasks)
        if self.tasks_fd >= 0:
            os.pwrite(self.tasks_fd, b"%d" % (request.processes + _OTHERS_ROOM), 0)
        if self.tasks[0] != tasks or self.largest[0] != request.disk:
            self.tasks, self.largest = (tasks, tasks), (request.disk, request.disk)

    def _others(self, request: protocol.Received) -> int:
        """Tasks that count too where the uid is shared with others, and room for more of them until we look again.

        The watch counts a box's own processes; this limit only has to end a bomb's growth should the watch be late; more
        room would let it take the CPU from the watch.
        """
        now = time.monotonic()
        if now >= self._look_again:
            self._counted = proc.tasks_of_uid()
            self._look_again = now + _COUNTED_SECONDS
        return self._counted + (_COMPILER_ROOM if request.flags & protocol.KEEP else _OTHERS_ROOM)

    def listen(self, *descriptors: int) -> None:
        """Have the pollers watch end, output, errors and news of a box; their numbers rarely change from box to box."""
        if descriptors == self._listening:
            return
        self.poller, self.end_poller, self.last_poller = select.poll(), select.poll(), select.poll()
        end, out, err, news = descriptors
        for fd in (self.control_fd, end, out, err, self.deaths_fd):
            self.poller.register(fd, select.POLLIN)
        self.end_poller.register(end, select.POLLIN)
        for fd in (out, err, news):
            if fd >= 0:
                self.last_poller.register(fd, select.POLLIN)
        self._listening = descriptors

    def box_is_complete(self) -> bool:
        """Whether the box that runs was counted as complete: until then it is changing its uid."""
        counted = select.poll()
        counted.register(self.entered, select.POLLIN)
        return bool(counted.poll(0))

    def forget_output(self) -> None:
        """Give back the memory of the last box's output, which counts in our group and so as the next box's."""
        os.ftruncate(self.stdout, 0)
        os.ftruncate(self.stderr, 0)
        if self.gauge is not None:
            self.gauge.rest()

    def load(self, flags: int) -> bool:
        """Load what the next box needs of large things, before it is forked; False where all is loaded."""
        missing = flags & (protocol.LIBRARY | protocol.HARNESS) & ~self.loaded
        if not missing:
            return False
        self.loaded |= missing
        wanted = [*ON_DEMAND] if missing & protocol.LIBRARY else []
        harness = missing & protocol.HARNESS
        if harness:
            wanted.append(HARNESS + ".modes")
        last = self.shelf.add(*wanted)
        if harness:
            self.harness = last
        self.freeze()
        return True

    def freeze(self) -> None:
        """Have the collector of a box look at nothing that we hold; what was loaded is no box's memory."""
        forget_folders()
        gc.collect()
        gc.freeze()
        if self.gauge is not None:
            self.gauge.rest()

    def _set_stack(self, stack: int) -> None:
        """Let the stack of the next boxes grow to the memory limit."""
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        resource.setrlimit(resource.RLIMIT_STACK, (stack if hard == resource.RLIM_INFINITY else min(stack, hard), hard))
        self.stack = stack


def _children_file() -> int:
    """The kernel's list of our children, kept open; -1 where it keeps none."""
    try:
        fd = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
    return linux.move_up(fd)


def _sockets_file() -> tuple[int, int]:
    """The kernel's list of sockets, kept open, and the last letter before the first, which is none of ours.

    Behind that lie names that programs chose, which are not to be read.
    """
    fd = linux.move_up(os.open("/proc/self/net/unix", os.O_RDONLY | os.O_CLOEXEC))
    return fd, len(os.pread(fd, 4096, 0)) - 1


def forget_folders() -> None:
    """Know of no folder where modules were looked for, but those that a fresh interpreter knows."""
    for path in list(sys.path_importer_cache):
        if path not in sys.path[1:]:
            del sys.path_importer_cache[path]


def items(value: object) -> list:  # type: ignore[type-arg]  # marshalled by the service, of known shape
    """A list of the settings."""
    return list(value) if isinstance(value, (list, tuple)) else []


def _optional_int(value: object) -> int | None:
    return value if isinstance(value, int) else None
