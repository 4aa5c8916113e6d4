"""Watch one box from outside: drain its output, hold it to its limits, end its whole tree, say how it ended.

The common case (a short program that ends by itself) is kept to few calls and few objects: after a fork every page
that parent or box writes costs a fault, and faults are most of what a case costs.

Output is drained as a network driver takes packets: the first byte wakes the parent, which then waits a millisecond
for the box's end alone before it empties the pipe, so that chatty programs do not cost a wake-up a line.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself pulls in enum
import os
import resource
import sys
import time

from scalebox.runner.zygote import hidden, proc, protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scalebox.runner.zygote.state import Slot
    from scalebox.sandbox import cgroup

_SETTLE = 1
"""Milliseconds to wait for the end alone once output has come."""
_CHUNK = 1 << 20
"""More than a pipe holds, so that one call empties it."""
_NONBLOCK = 2  # SPLICE_F_NONBLOCK; a flag on the pipe itself would be the program's too
_FIRST_WATCH = 5_000_000
_WATCH = 10_000_000
_LOOK = 100_000_000
"""How often a long run is looked at where the kernel bounds its memory: it kills one process, we end the box."""
_UNCOUNTED = 2_000_000
"""Nanoseconds; the two accounts of a box's CPU time may differ by less."""
_SOME_WORK = 1_000_000
_IDLE = 5_000_000_000
"""Nanoseconds of CPU time that count as work, and how long a compiler may go without."""
_ORPHANS = 256
"""How many ended orphans are reaped before limits are looked at again: a program may leave them without end."""
_A_START = 10_000_000
"""Nanoseconds of CPU time, many times what it takes to execute a command."""
_DEATHS = frozenset([_signal.SIGCHLD])
_WALL_STRETCH = 8
"""The wall limit does not count time spent waiting for a CPU, up to this many times the limit."""


class Watch:
    """What is found out about the box that runs.

    Args:
        slot: whose box.
        request: its limits.
        pid: its main process.
        started: when it was forked, on the monotonic clock, nanoseconds.
        out: reading end of its standard output.
        err: reading end of its standard error.
    """

    __slots__ = (
        "_active", "_before", "_cpu", "_end", "_err", "_err_size", "_faults", "_flags", "_last_cpu", "_lost", "_missing", "_most", "_out",
        "_out_size", "_peak", "_pid", "_request", "_shared", "_sink", "_slot", "_started",
    )  # fmt: skip

    def __init__(self, slot: Slot, request: protocol.Received, pid: int, started: int, out: int, err: int) -> None:
        self._slot = slot
        self._request = request
        self._pid = pid
        self._started = started
        self._out = out
        self._err = err
        self._end = -1
        self._out_size = 0
        self._err_size = 0
        self._cpu = 0
        self._peak = 0
        self._flags = 0
        self._sink = -1
        self._before = slot.cpu_before
        self._most = 0
        self._missing = 0
        self._lost = 0
        self._last_cpu = 0
        self._active = started
        self._faults = 0
        self._shared: hidden.SharedMemory | None = None

    def go_on(self, end: int, out_size: int, err_size: int) -> None:
        """Take over from whoever watched so far.

        Args:
            end: the process file of the main process.
            out_size: bytes of output that were taken.
            err_size: bytes of standard error.
        """
        self._end, self._out_size, self._err_size = end, out_size, err_size

    def run(self) -> None:
        """Wait, watch, kill, reap, and tell the service."""
        slot = self._slot
        # Only now, as a box would inherit it; what ended before is reaped with the next, and taking it back drops what waits.
        _signal.pthread_sigmask(_signal.SIG_BLOCK, _DEATHS)
        if self._end < 0:
            self._end = os.pidfd_open(self._pid)
        slot.listen(self._end, self._out, self._err, slot.boxes.news)
        self._wait(slot.poller.poll)
        wall = time.monotonic_ns() - self._started
        os.close(self._end)
        status = self._end_tree()
        touched = slot.boxes.news < 0 and slot.boxes.touched()
        for fd, _ in slot.last_poller.poll(0):
            if fd == slot.boxes.news:
                touched = True
                continue
            while self._take(fd) >= _CHUNK:
                pass
        if self._sink >= 0:
            os.close(self._sink)
        slot.dirty = touched and not self._request.flags & protocol.KEEP
        if slot.dirty and not self._flags and self._over_disk():
            self._flags |= protocol.OVER_DISK
        slot.written = self._out_size + self._err_size
        slot.control.send(self._reply(status, wall))
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, _DEATHS)
        os.close(self._out)
        os.close(self._err)

    def _wait(self, poll: Poll) -> None:
        """Until the main process ends or a limit is passed."""
        request = self._request
        next_look = self._started + min(request.cpu // self._slot.cpus, request.wall)
        if self._slot.gauge is None:
            next_look = min(next_look, self._started + _FIRST_WATCH)
        next_look = min(next_look, self._started + _LOOK)
        while True:
            now = time.monotonic_ns()
            if now >= next_look:
                if self._over_limit(now):
                    return
                next_look = self._next_look(now)
            for fd, _ in poll(max((next_look - now) / 1e6, 0.0)):
                if fd == self._end:
                    return
                if fd in {self._out, self._err}:
                    if self._gather(fd):
                        return
                elif self._heed(fd):
                    return

    def _gather(self, fd: int) -> bool:
        """Let output come together, then take it; True when the box is over or has written too much."""
        if self._slot.end_poller.poll(_SETTLE):
            return True
        self._take(fd)
        return bool(self._flags & protocol.OVER_OUTPUT)

    def _take(self, fd: int) -> int:
        """Move what a pipe holds to its memory file inside the kernel, and what is too much to nowhere."""
        is_out = fd == self._out
        size = self._out_size if is_out else self._err_size
        room = (self._request.output if is_out else self._request.stderr) - size
        try:
            if room > 0:
                target = self._slot.stdout if is_out else self._slot.stderr
                moved = os.splice(fd, target, min(room, _CHUNK), None, size, _NONBLOCK)
                if is_out:
                    self._out_size = size + moved
                else:
                    self._err_size = size + moved
                return moved if moved < room else _CHUNK
            if self._sink < 0:
                self._sink = os.open("/dev/null", os.O_WRONLY | os.O_CLOEXEC)
            moved = os.splice(fd, self._sink, _CHUNK, None, None, _NONBLOCK)
        except BlockingIOError:
            return 0
        if moved:
            self._flags |= protocol.OVER_OUTPUT if is_out else protocol.STDERR_CUT
        return moved

    def _heed(self, fd: int) -> bool:
        """Reap orphans or do what the service wants; True where the box is to end."""
        if fd == self._slot.deaths_fd:
            self._reap_orphans()
            return False
        packet = self._slot.control.recv(256)
        self._flags |= protocol.CANCELLED
        if packet != protocol.CANCEL:  # hung up, or a service that does not keep the protocol
            self._end_tree()  # which waits, instead of killing, where nothing is flagged
            os._exit(0)
        return True

    def _reap_orphans(self) -> None:
        """Reap what ended of the box but its main process, and count what that spent."""
        os.read(self._slot.deaths_fd, 128)
        for _ in range(_ORPHANS):
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None or ended.si_pid == self._pid:
                break
            _, _, usage = _wait4(ended.si_pid, 0)
            self._peak = max(self._peak, usage.ru_maxrss * 1024)
            self._faults += usage.ru_minflt + usage.ru_majflt
        self._cpu = reaped_ns() - self._slot.reaped

    def _next_look(self, now: int) -> int:
        request = self._request
        cpu = self._tree_cpu()
        wall_left = self._started + request.wall + self._waited(now - self._started, cpu) - now
        step: int = max(min((request.cpu - cpu) // self._slot.cpus, wall_left), 1_000_000)
        return now + min(step, _WATCH if self._slot.gauge is None else _LOOK)

    def _over_limit(self, now: int) -> bool:
        request = self._request
        spent = now - self._started
        if len(self._tree()) > request.processes:  # first of all: the rest takes long while a storm grows
            self._flags |= protocol.OVER_PROCESSES
            return True
        cpu = self._tree_cpu()
        if cpu > request.cpu:
            self._flags |= protocol.OVER_CPU
        elif spent > request.wall and spent > min(
            request.wall + self._waited(spent, cpu), _WALL_STRETCH * request.wall
        ):
            self._flags |= protocol.OVER_WALL
        elif self._over_memory():
            self._flags |= protocol.OVER_MEMORY
        elif self._over_disk():
            self._flags |= protocol.OVER_DISK
        elif request.flags & protocol.KEEP and self._idle(now, cpu):
            self._flags |= protocol.OVER_WALL
        else:
            return False
        return True

    def _over_disk(self) -> bool:
        slot = self._slot
        if slot.strict:
            over: bool = slot.boxes.used() > self._request.disk
            return over
        if not self._request.flags & protocol.KEEP and not slot.boxes.changed():
            return False  # to look costs a process
        before = reaped_ns()
        tree, largest, hide = self._tree(), self._request.disk, not slot.box_is_complete()
        unmade = self._pid if self._is_being_executed() else 0

        def unlinked(base: str) -> int:
            return hidden.unlinked_bytes(tree, base, largest, slot.uid, unmade=unmade, hide=hide)

        over = slot.boxes.exceeds(largest, slot.inodes, unlinked)
        spent = reaped_ns() - before  # whoever looked that up was no process of the box
        slot.reaped += spent
        self._before += spent
        return over

    def _is_being_executed(self) -> bool:
        """Whether the main process may still be on its way from our memory, which nobody may look into, to a command's own.

        `start.c` counts a box before it executes the command, and the kernel lets us go on before it has. The way takes some work
        and no waiting, so however long it has no CPU, it wants one and has had little.
        """
        return proc.runs(self._pid) and self._main_cpu() < _A_START

    def _main_cpu(self) -> int:
        try:
            return time.clock_gettime_ns(((~self._pid) << 3) | 2)  # CPUCLOCK_SCHED of the process, linux/posix-timers.h
        except OSError:
            return 0

    def _idle(self, now: int, cpu: int) -> bool:
        """Whether a compiler has done nothing for long, and wants to do nothing: it waits for what will never come."""
        if cpu - self._last_cpu > _SOME_WORK or any(proc.runs(pid) for pid in self._tree()):
            self._last_cpu, self._active = cpu, now
        return now - self._active > _IDLE

    def _over_memory(self) -> bool:
        gauge = self._slot.gauge
        return self._tree_memory() > self._request.memory if gauge is None else gauge.killed()

    def _tree(self) -> list[int]:
        return proc.others() if self._slot.strict else proc.descendants()

    def _waited(self, spent: int, cpu: int) -> int:
        """Nanoseconds that the main process waited for a CPU, but not for one that its own children had."""
        return min(proc.waited(self._pid), max(spent - cpu, 0))

    def _tree_cpu(self) -> int:
        """Nanoseconds of every process that ever was in the box, as far as they can be known."""
        gauge = self._slot.gauge
        if gauge is not None and gauge.counts_cpu:
            return self._group_cpu(gauge)
        seen = self._cpu + self._main_cpu() + sum(proc.cpu_of(pid, with_own=pid != self._pid) for pid in self._tree())
        return self._with_lost(seen)

    def _group_cpu(self, gauge: cgroup.Gauge) -> int:
        own = time.process_time_ns()  # asked first: the kernel then brings the group's account up to date as well
        return gauge.cpu() - own - self._before

    def _with_lost(self, seen: int) -> int:
        """Add what nobody waited for: a process whose parent ignores its end takes its time along, so that the sum falls.

        A sum that was taken while a process passed from one account to the other falls too, once; what was lost stays so.
        """
        missing = self._most - seen
        if missing > 0 and self._missing > 0:
            self._lost += min(missing, self._missing)
            self._most -= min(missing, self._missing)
        self._missing = self._most - seen
        self._most = max(self._most, seen)
        return seen + self._lost

    def _tree_memory(self) -> int:
        tree, slot = self._tree(), self._slot
        total = proc.resident(tree)
        if slot.strict:
            total += slot.boxes.used()
        if self._shared is None:
            self._shared = hidden.SharedMemory()
        total += self._shared.beyond_resident(tree, self._faults, self._request.memory - total)
        self._peak = max(self._peak, total)
        return total

    def _end_tree(self) -> int:
        """Kill and reap all of it; returns the main process's wait status."""
        slot = self._slot
        alone = slot.children_fd >= 0 and not self._flags and os.pread(slot.children_fd, 64, 0) == b"%d " % self._pid
        status = self._reap_one() if alone else self._end_many()
        # The kernel's sum over all we ever reaped: what this box's processes added is their CPU time.
        reaped = reaped_ns()
        self._cpu = reaped - slot.reaped + self._lost
        slot.reaped = reaped
        gauge = slot.gauge
        if gauge is not None and gauge.counts_cpu:
            counted = self._group_cpu(gauge)
            if counted > self._cpu + _UNCOUNTED:
                self._cpu = counted
        return status

    def _reap_one(self) -> int:
        gauge = self._slot.gauge
        if gauge is not None:
            status: int = os.waitpid(self._pid, 0)[1]
            if status & 0x7F == _signal.SIGKILL:  # perhaps for memory, and what it left in files is still charged to us
                gauge.relax()
            return status
        _, status, usage = _wait4(self._pid, 0)
        self._peak = max(self._peak, usage.ru_maxrss * 1024)
        return status

    def _end_many(self) -> int:
        if self._slot.gauge is not None:
            self._slot.gauge.relax()
        status = 0
        main_left = True
        while True:
            self._kill()
            try:
                while True:
                    pid, code, usage = _wait4(-1, 0 if self._slot.strict or main_left else os.WNOHANG)
                    if pid == 0:
                        time.sleep(0.0005)
                        break
                    self._peak = max(self._peak, usage.ru_maxrss * 1024)
                    if pid == self._pid:
                        status, main_left = code, False
                        if not self._slot.strict:
                            break
            except ChildProcessError:
                return status

    def _kill(self) -> None:
        for pid in (-1,) if self._slot.strict else proc.descendants():
            try:
                os.kill(pid, _signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass

    def _entered(self) -> bool:
        """Whether the box was complete and, where it had a command to start, found it: it counts again where it did not."""
        try:
            return os.eventfd_read(self._slot.entered) == 1
        except BlockingIOError:
            return False

    def _reply(self, status: int, wall: int) -> bytes:
        flags, request, gauge = self._flags, self._request, self._slot.gauge
        if self._entered():
            flags |= protocol.ENTERED
        peak = self._peak
        if gauge is not None:
            peak = max(gauge.peak() - self._out_size - self._err_size, 0)
            if peak >= request.memory and gauge.killed():
                flags |= protocol.OVER_MEMORY
            if peak > request.memory:  # perhaps only for files it read, which count for nobody
                peak = max(peak - gauge.disk_pages(), 0)
        if peak > request.memory:
            flags |= protocol.OVER_MEMORY
        if self._cpu > request.cpu:
            flags |= protocol.OVER_CPU
        if self._slot.dirty:
            flags |= protocol.LOST_PLACE
        code = os.waitstatus_to_exitcode(status)
        return protocol.pack_reply(
            flags, max(code, 0), max(-code, 0), self._cpu, wall, peak, self._out_size, self._err_size
        )


def reaped_ns() -> int:
    """CPU nanoseconds of all children reaped so far: the kernel's sum, in which no order of ends can be hidden."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((usage.ru_utime + usage.ru_stime) * 1e9)


def _wait4(pid: int, options: int) -> tuple[int, int, resource.struct_rusage]:
    """os.wait4, which imports a module by itself each time: a parent imports nothing, and programs are not to find it loaded."""
    sys.modules["resource"] = resource
    try:
        return os.wait4(pid, options)
    finally:
        del sys.modules["resource"]


if TYPE_CHECKING:
    from collections.abc import Callable

    Poll = Callable[[float], list[tuple[int, int]]]
