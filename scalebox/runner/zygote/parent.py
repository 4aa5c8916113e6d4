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

import _signal  # type: ignore[import-not-found]  # `signal` itself pulls in enum
import _socket
import array
import atexit  # ruff: ignore[unused-import] - loaded here, so that no box has to look for it
import gc
import marshal
import os
import resource
import select
import sys
import time

from scalebox.runner.zygote import child, huge_pages, proc, protocol, spawn
from scalebox.runner.zygote.rehearsal import rehearse
from scalebox.runner.zygote.shelf import ON_DEMAND
from scalebox.runner.zygote.watch import Watch, reaped_ns
from scalebox.sandbox import cgroup, landlock, linux, rootfs, seccomp, workdir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from scalebox.runner.zygote.shelf import Shelf

_THREAD_STACK = 8 << 20
_FIRST = protocol.FIRST_FD
_CONSECUTIVE = array.array("i", range(_FIRST, _FIRST + len(protocol.DESCRIPTORS))).tobytes()
_SPACE = _socket.CMSG_SPACE(len(_CONSECUTIVE))
_HARNESS = "scalebox.runner.zygote.harness"
_LARGE = protocol.HARNESS | protocol.LIBRARY
_PLAIN_MASK = protocol.MANIFEST | protocol.CODE
_TOLD_MASK = protocol.CODE | protocol.MANIFEST | protocol.CHANNEL | protocol.DOCUMENT
_TOLD = protocol.CODE | protocol.MANIFEST
_KEPT_OUTPUT = 1 << 16
"""Bytes; less of the last output may stay where it is."""
_VICTIM = b"1000"
_COUNTED_SECONDS = 0.25
"""How long a count of all tasks of our uid is held to be true: it takes a look at every process there is."""
_OTHERS_ROOM = 64
_COMPILER_ROOM = 8192
"""A compiler starts what it always starts, whatever it is given; were its fork refused, gcc would wait and try again."""
_COLLECTIONS = 500
"""How often to ask for it, a millisecond apart: the kernel collects when every CPU has passed through the scheduler."""


class Slot:
    """What the parent knows; the box reads it once, right after the fork."""

    starter: Callable[..., int] | None = None
    """What starts commands without a fork, once the first is due."""
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
            str(settings["base"]), workdir.NAMES, self.uid, tuple(str(name) for name in _items(settings["given"]))
        )
        self.work = self.boxes.path(workdir.NAMES[0])
        self.entered = linux.move_up(os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK))
        """A box counts it up once it is complete."""
        self.cpus = max(len(os.sched_getaffinity(0)), 1)
        self.children_fd = _children_file()
        self.deaths_fd = linux.move_up(linux.signal_file(_signal.SIGCHLD))
        """Readable once a child of ours ended, while a box is watched."""
        self.sockets_fd = (
            linux.move_up(os.open("/proc/self/net/unix", os.O_RDONLY | os.O_CLOEXEC)) if self.strict else -1
        )
        self.poller, self.end_poller, self.last_poller = select.poll(), select.poll(), select.poll()
        self._listening: tuple[int, ...] = ()
        self.own_score = b"%d" % int(proc.read("/proc/self/oom_score_adj") or b"0")
        self.score_fd = linux.move_up(os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC))
        self.largest = self.tasks = (0, 0)
        """RLIMIT_FSIZE and RLIMIT_NPROC of the next box."""
        self._hard_tasks = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        self._own_tasks = 2 if self.capable else 0  # the launcher and the parent, where the uid is theirs too
        self._shared_uid = self.uid is None and not self.strict
        self._counted, self._look_again = 0, 0.0
        self._stack = -1
        self.main_file = self.work + "/main.py"
        self.shelf = shelf
        self.harness: ModuleType | None = None
        self._library = False
        self.modules = 0
        """How many modules are loaded before any program's, `__main__` not counted."""

    def score(self, score: bytes) -> None:
        """Set our own out-of-memory score, which a box is born with."""
        os.pwrite(self.score_fd, score, 0)

    def set_limits(self, request: protocol.Received) -> None:
        """Make ready what the next box's limits need."""
        stack = min(request.memory, self.stack_limit)
        if stack != self._stack:
            self._set_stack(stack)
        tasks = request.processes + self._own_tasks + (self._others(request) if self._shared_uid else 0)
        tasks = tasks if self._hard_tasks < 0 else min(tasks, self._hard_tasks)
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
        wanted: list[str] = []
        if flags & protocol.LIBRARY and not self._library:
            wanted += ON_DEMAND
            self._library = True
        harness = flags & protocol.HARNESS and self.harness is None
        if harness:
            wanted.append(_HARNESS + ".modes")
        if not wanted:
            return False
        last = self.shelf.add(*wanted)
        if harness:
            self.harness = last
        _forget_folders()
        gc.collect()
        gc.freeze()
        if self.gauge is not None:
            self.gauge.rest()
        return True

    def settle(self) -> None:
        """Sit in the work folder, which a reset made anew."""
        os.chdir(self.work)

    def _set_stack(self, stack: int) -> None:
        """Let the stack of the next boxes grow to the memory limit."""
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        resource.setrlimit(resource.RLIMIT_STACK, (stack if hard == resource.RLIM_INFINITY else min(stack, hard), hard))
        self._stack = stack


def _children_file() -> int:
    """The kernel's list of our children, kept open; -1 where it keeps none."""
    try:
        fd = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
    return linux.move_up(fd)


def serve(shelf: Shelf) -> child.Box:
    """Become a slot's parent and answer requests until the service hangs up. Returns in a forked box only.

    Args:
        shelf: what was loaded so far.
    """
    return _loop(_start(shelf))


def _start(shelf: Shelf) -> Slot:
    control = _socket.socket(fileno=linux.move_up(int(sys.argv[1])))
    settings, outputs = _receive_settings(control)
    try:
        slot = _set_up(settings, control, outputs, shelf)
    except OSError as error:
        control.send(("cannot isolate: " + str(error)).encode())
        sys.exit(1)
    control.send(protocol.READY)
    return slot


def _set_up(settings: dict[str, object], control: _socket.socket, outputs: list[int], shelf: Shelf) -> Slot:
    group = settings["cgroup"]
    if isinstance(group, tuple):
        cgroup.join(group)
    gauge = cgroup.Gauge(*group) if isinstance(group, tuple) else None
    tasks = _join_tasks(str(settings["tasks"]))
    huge_pages.lift_interpreter()
    _set_constant_limits(int(str(settings["descriptors"])))
    linux.set_default_thread_stack(_THREAD_STACK)
    shelf.keep(__file__.rpartition("/")[0] + "/harness", _HARNESS)
    if settings["level"] == "strict":
        _enter_namespaces(settings)
        _leave_launcher(control, alone=True)
        rootfs.enter(
            extra=[str(path) for path in _items(settings["show"])],
            uid=int(str(settings["shown_uid"])),
            disk_bytes=int(str(settings["disk"])),
            inodes=int(str(settings["inodes"])),
        )
    else:
        _leave_launcher(control, alone=False)
    slot = Slot(settings, control, outputs, shelf)
    slot.gauge, slot.tasks_fd = gauge, tasks
    _raise_walls(slot, settings)
    slot.settle()
    os.umask(0o022)
    if slot.uid is not None:
        os.setgroups([])
        os.setresgid(slot.uid, slot.uid, slot.uid)
        # Forgotten with every change of ids (commit_creds() in the kernel's cred.c).
        linux.prctl(linux.PR_SET_PDEATHSIG, _signal.SIGKILL)
    _look_like_a_fresh_interpreter(slot)
    if settings["level"] != "none":
        linux.prctl(linux.PR_SET_DUMPABLE, 0)  # no box may look into us, whatever uid it has
    if gauge is not None:
        gauge.rest()
    return slot


def _join_tasks(folder: str) -> int:
    """Move into a group that can bound our tasks; returns its control file, -1 where there is none."""
    if not folder:
        return -1
    cgroup.join((1, folder, ""))
    return linux.move_up(os.open(folder + "/pids.max", os.O_WRONLY | os.O_CLOEXEC))


def _enter_namespaces(settings: dict[str, object]) -> None:
    flags = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
    if settings["user_namespace"]:
        uid, gid, inner = os.getuid(), os.getgid(), int(str(settings["shown_uid"]))
        linux.unshare(flags | linux.CLONE_NEWUSER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{inner} {uid} 1")
        _write("/proc/self/gid_map", f"{inner} {gid} 1")
    else:
        linux.unshare(flags)


def _leave_launcher(control: _socket.socket, *, alone: bool) -> None:
    """Go on as the slot's parent; the launcher stays behind and waits.

    Args:
        alone: whether all that the parent leaves dies with it, as it is process 1; else the launcher sees to that.
    """
    launcher = os.getpid()
    if not alone:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    parent = os.fork()
    if parent:
        control.close()
        if not alone:
            linux.prctl(linux.PR_SET_DUMPABLE, 0)
        _, status = os.waitpid(parent, 0)
        if not alone:
            _end_the_rest()
        os._exit(os.waitstatus_to_exitcode(status) & 0x7F)
    linux.prctl(linux.PR_SET_PDEATHSIG, _signal.SIGKILL)
    if os.getppid() not in {0, launcher}:
        os._exit(1)
    os.setsid()  # the launcher is in no process group that a box could signal


def _end_the_rest() -> None:
    """Kill what a parent left that died itself, until there is no more."""
    while True:
        for pid in proc.descendants():
            try:
                os.kill(pid, _signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _raise_walls(slot: Slot, settings: dict[str, object]) -> None:
    """The walls that the parent can live behind itself; boxes inherit them for nothing."""
    if settings["level"] == "none":
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        return
    if not slot.strict:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.drop_bounding_set()
    if slot.capable:
        linux.prctl(linux.PR_SET_SECUREBITS, linux.SECBITS_NO_ROOT_LOCKED)
    rules = [(str(path), int(rights)) for path, rights in _items(settings["landlock_rules"])]
    scoped = slot.landlock_abi >= 6
    if slot.landlock_abi:
        domain = landlock.Domain(slot.landlock_abi, rules)
        if slot.strict:
            domain.enter()
            domain.close()
        else:
            slot.domain = domain
    if settings["seccomp"]:
        seccomp.around_slot(unix_sockets=slot.strict, memfd=slot.gauge is not None).install()
        if slot.uid is None and not (slot.strict and scoped):
            slot.own_filter = _own_filter(slot, scoped=scoped)


def _own_filter(slot: Slot, *, scoped: bool) -> Callable[[int], seccomp.Filter]:
    """What a box whose uid is the service's puts up itself, by its pid; made once where the pid does not matter."""
    shared, truncate = not slot.strict, slot.landlock_abi >= 3
    if not scoped:
        return lambda pid: seccomp.within_box(shared_uid=shared, own_pid=pid, truncate=truncate)
    made = seccomp.within_box(shared_uid=shared, own_pid=None, truncate=truncate)
    return lambda _: made


def _set_constant_limits(descriptors: int) -> None:
    for what, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, descriptors),
        (resource.RLIMIT_MEMLOCK, 8 << 20),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        hard = resource.getrlimit(what)[1]
        bounded = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (bounded, bounded))


def _reset_signals(*, alone: bool) -> None:
    """Have signals as a shell's child has them, whatever a supervisor or `nohup` had the service ignore or block.

    Args:
        alone: whether boxes cannot signal us; else the interrupt has no handler here, and process 1 never feels it.
    """
    for number in range(1, _signal.NSIG):
        kept = number in {_signal.SIGPIPE, _signal.SIGXFSZ}  # the interpreter's own choice
        if not kept and _signal.getsignal(number) == _signal.SIG_IGN:
            _signal.signal(number, _signal.SIG_DFL)
    _signal.signal(_signal.SIGINT, _signal.default_int_handler if alone else _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, [])


def _look_like_a_fresh_interpreter(slot: Slot) -> None:
    """Leave nothing in `sys` that `python3 main.py` would not have, then freeze the heap for cheap forks."""
    _reset_signals(alone=not slot.capable)
    sys.path[0] = slot.work
    sys.argv[:] = ["main.py"]
    sys.orig_argv[:] = [sys.executable, "main.py"]
    slot.shelf.close(slot.work)
    _forget_folders()
    slot.modules = len(sys.modules) - 1
    rehearse(slot)
    gc.collect()
    gc.freeze()


def _forget_folders() -> None:
    """Know of no folder where modules were looked for, but those that a fresh interpreter knows."""
    for path in list(sys.path_importer_cache):
        if path not in sys.path[1:]:
            del sys.path_importer_cache[path]


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


def _receive_settings(control: _socket.socket) -> tuple[dict[str, object], list[int]]:
    """The first packet: how to set up, and the memory files that output goes to."""
    packet, ancillary, _, _ = control.recvmsg(65536, _socket.CMSG_SPACE(2 * 4), _socket.MSG_CMSG_CLOEXEC)
    received = array.array("i")
    for _, _, data in ancillary:
        received.frombytes(data)
    outputs = [linux.move_up(fd) for fd in received]
    settings: dict[str, object] = marshal.loads(packet)  # ruff: ignore[suspicious-marshal-usage] - the service wrote it
    return settings, outputs


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _items(value: object) -> list:  # type: ignore[type-arg]  # marshalled by the service, of known shape
    return list(value) if isinstance(value, (list, tuple)) else []


def _optional_int(value: object) -> int | None:
    return value if isinstance(value, int) else None
