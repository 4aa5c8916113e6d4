"""One slot seen from the service: start it, hand it boxes to run, replace it when in doubt. No opinion on programs.

A slot is leased to one box at a time. Whatever goes wrong with it (death, silence past the limit, a malformed reply)
is a `SandboxError`, and the slot is then closed: a doubtful slot is never used again. The protocol and the processes
behind it are told in `zygote/protocol.py` and `zygote/parent.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import marshal
import os
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scalebox.core.errors import SandboxError
from scalebox.core.limits import Limits
from scalebox.runner.memory_file import Manifest, MemoryFile
from scalebox.runner.native_library import NativeLibrary
from scalebox.runner.pipes import PipeEnd
from scalebox.runner.zygote import protocol
from scalebox.sandbox import cgroup, landlock, references

_BOOT: Final = str(Path(__file__).with_name("zygote") / "boot.py")
_STRICT_BASE: Final = "/box"
_START_SECONDS: Final = 20.0
_WALL_STRETCH: Final = 8
"""A box may stay this many times its wall limit where it waited for a CPU (`zygote/watch.py` measures that)."""
_GRACE_SECONDS: Final = 15.0
"""How long past a box's wall limit the slot may stay silent before it is held to be broken."""
_LEAVE_SECONDS: Final = 1.0
"""How long a slot may take to leave by itself once its socket is closed."""
_REMOVE_TRIES: Final = 100
STDERR_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSettings:
    """What every slot of a service is started with."""

    python: str
    environment: Mapping[str, str]
    level: str
    user_namespace: bool
    landlock_abi: int
    landlock_rules: Sequence[tuple[str, int]]
    seccomp: bool
    use_cgroup: bool
    uid_base: int | None
    """First uid for programs; each slot adds its number. None where the uid stays ours."""
    show: Sequence[str]
    """Further host folders programs may read."""
    scratch: str
    """Host folder for work folders, where there is no mount namespace."""
    given: Sequence[str] = ()
    """Names of files that the service lays into the work folder over and over."""
    native: NativeLibrary | None = None
    """The library that takes the common course of a case; None where it cannot be used."""
    disk_bytes: int = 512 << 20
    inodes: int = 32768
    descriptors: int = 1024
    stack_limit: int = 1 << 30


@dataclass(slots=True, kw_only=True)
class Job:
    """One box to run; what it names stays open until the run is over."""

    manifest: MemoryFile | None
    """None: run the code as `python3 main.py`."""
    stdin: MemoryFile | PipeEnd
    limits: Limits
    wall_seconds: float
    code: MemoryFile | None = None
    value: int | None = None
    channel: int | None = None
    document: MemoryFile | PipeEnd | None = None
    stdout: int | None = None
    """Writing end of a pipe, in place of the slot's own; `stdin` is the reading end of another then."""
    place: tuple[str, int, int] | None = None
    """Name in the work folder, descriptor with the content, mode."""
    keep: bool = False
    """Leave the work folder for a fetch."""
    needs: int = 0
    """What is to be loaded for it first: `protocol.HARNESS`, `protocol.LIBRARY`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the slot measured, and what the box wrote."""

    reply: protocol.Reply
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Spawned:
    """A launcher that was started, and what ties it to the service."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    outputs: tuple[int, int]
    """Memory files for standard output and standard error."""


class Slot:
    """A started slot. Make one with `Slot.start`."""

    def __init__(
        self,
        spawned: Spawned,
        group: tuple[int, str, str] | None,
        folder: str | None,
        native: NativeLibrary | None,
        tasks: str = "",
    ) -> None:
        self._native = native
        self._process = spawned.process
        self._control = spawned.control
        self._outputs = spawned.outputs
        self._group = group
        self._folder = folder
        self._tasks = tasks
        self._has_native = False
        """Whether it has been sent the library."""
        self._waiting: asyncio.Future[bytes] | None = None
        self._crossed: bytes | None = None
        """A reply that came after its waiter was cancelled, and before that ran again."""
        self._deadline = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._reading: asyncio.AbstractEventLoop | None = None
        self.placed: object = None
        """What lies in the work folder, by identity; None when nothing does."""
        self.closed = False

    @property
    def pid(self) -> int:
        """The slot's launcher."""
        return self._process.pid

    @classmethod
    async def start(cls, settings: SlotSettings, number: int, name: str) -> Slot:
        """Start a slot and wait until its walls are up.

        Raises:
            SandboxError: it could not be started, or a wall could not be put up.
        """
        group = cgroup.make(f"scalebox-{name}") if settings.use_cgroup else None
        if settings.use_cgroup and group is None:
            msg = "the memory cgroup can no longer be written"
            raise SandboxError(msg)
        uid = None if settings.uid_base is None else settings.uid_base + number
        strict = settings.level == "strict"
        # No box can list the folders of others, and none is to guess them: at `standard` whoever knows a path may ask for its size.
        folder = None if strict else f"{settings.scratch}/{name}-{secrets.token_hex(8)}"
        base = folder or _STRICT_BASE
        # Where programs are root's no limit of the kernel's binds them but a cgroup's.
        tasks = cgroup.make_tasks(f"scalebox-{name}", group) if settings.level == "none" and uid is None else ""
        try:
            slot = cls(_spawn(settings, uid, folder), group, folder, settings.native, tasks)
        except OSError as error:
            _forget(group, folder, tasks)
            msg = f"a slot could not be started under {settings.python}: {error}"
            raise SandboxError(msg) from error
        try:
            await slot._greet(settings, uid, base)
        except BaseException:
            await slot.close()
            raise
        return slot

    async def _greet(self, settings: SlotSettings, uid: int | None, base: str) -> None:
        hello = {
            "level": settings.level,
            "user_namespace": settings.user_namespace,
            "uid": uid,
            "shown_uid": 1000 if uid is None else uid,
            "show": list(settings.show),
            "base": base,
            "given": list(settings.given),
            "cgroup": self._group,
            "tasks": self._tasks,
            "landlock_abi": settings.landlock_abi,
            "landlock_rules": [*settings.landlock_rules, (base, landlock.FULL)],
            "seccomp": settings.seccomp,
            "disk": settings.disk_bytes,
            "inodes": settings.inodes,
            "descriptors": settings.descriptors,
            "stack_limit": settings.stack_limit,
        }
        self._listen()
        answer = await self._exchange(marshal.dumps(hello, 2), self._outputs, _START_SECONDS)
        if answer != protocol.READY:
            raise SandboxError(answer.decode("utf-8", "replace") or self._last_words())

    async def run(self, job: Job) -> Outcome:
        """Run one box to its end.

        Raises:
            SandboxError: the slot failed; it is closed and says nothing about the program.
            asyncio.CancelledError: the box was ended first, the slot is sound.
        """
        library = -1 if self._native is None else self._native.fd
        packet, descriptors = _pack(job, library, fresh=not self._has_native)
        self._has_native = self._has_native or library >= 0
        patience = _WALL_STRETCH * job.wall_seconds + _GRACE_SECONDS
        try:
            answer = await self._exchange(packet, descriptors, patience)
        except SandboxError:
            await self.close()
            raise
        try:
            reply = protocol.Reply(answer)
        except struct.error as error:
            await self.close()
            msg = "a slot's reply was malformed"
            raise SandboxError(msg) from error
        if reply.flags & protocol.LOST_PLACE:
            self.placed = None
        outcome = Outcome(reply=reply, stdout=self._read(0, reply.stdout), stderr=self._read(1, reply.stderr))
        if not reply.flags & protocol.ENTERED and not reply.flags & protocol.CANCELLED:
            await self.close()
            words = outcome.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            msg = f"a box could not be set up: {words or 'no reason given'}"
            raise SandboxError(msg)
        return outcome

    def end(self) -> None:
        """End the running box, if one runs; its `run` returns what was measured until then."""
        with contextlib.suppress(OSError):  # whoever waits for the reply learns of a slot that is gone
            self._control.send(protocol.CANCEL)

    def processes(self) -> list[int]:
        """The processes of the box that runs."""
        return tree_of(self._process.pid)[1:]  # the first is the slot's parent

    async def _exchange(self, packet: bytes, descriptors: Sequence[int], patience: float) -> bytes:
        """Send a packet and wait for the answer."""
        loop = asyncio.get_running_loop()
        answered = self._waiting = loop.create_future()
        self._crossed = None
        self._deadline = loop.time() + patience
        if self._alarm is None or self._alarm.when() > self._deadline:
            self._set_alarm(loop)
        try:
            references.send(self._control, packet, descriptors)
            answer: bytes = await answered
        except asyncio.CancelledError:
            await self._cancel(answered)
            raise
        except OSError as error:
            msg = f"a slot could not be reached: {error}"
            raise SandboxError(msg) from error
        if not answer:
            words = self._last_words()
            msg = f"a slot died: {words}"
            raise SandboxError(msg)
        return answer

    def _set_alarm(self, loop: asyncio.AbstractEventLoop) -> None:
        """One alarm serves many boxes: it is set anew only when it rings too early, or would ring too late."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = loop.call_at(self._deadline, self._ring)

    def _ring(self) -> None:
        """Give up on a slot that said nothing for longer than any box may run."""
        self._alarm = None
        if self._waiting is None or self._waiting.done():
            return
        loop = self._waiting.get_loop()
        if loop.time() < self._deadline:
            self._set_alarm(loop)
            return
        self._waiting.set_exception(SandboxError("a slot fell silent"))

    async def _cancel(self, answered: asyncio.Future[bytes]) -> None:
        """End the running box and take its reply, so that the slot can be used again; not even by a second cancellation cut short."""
        if self.closed or (answered.done() and not answered.cancelled()):
            self.placed = None
            return
        crossed, self._crossed = self._crossed, None
        if crossed:  # the box ended by itself meanwhile; its slot waits for the next
            try:
                self._heed(crossed)
            except struct.error:
                await self.close()
            return
        self._waiting = asyncio.get_running_loop().create_future()
        await _in_full(asyncio.create_task(self._end_box(self._waiting)))

    async def _end_box(self, answered: asyncio.Future[bytes]) -> None:
        """Have the parent end its box, and take the reply; a parent that does not answer is closed."""
        try:
            self._control.send(protocol.CANCEL)
            async with asyncio.timeout(_GRACE_SECONDS):
                self._heed(await answered)
        except (OSError, TimeoutError, struct.error):
            await self.close()

    def _heed(self, packet: bytes) -> None:
        """Note what the reply of a box that nobody waits for says of the slot.

        Raises:
            struct.error: it is none.
        """
        if protocol.Reply(packet).flags & protocol.LOST_PLACE:
            self.placed = None

    def _listen(self) -> None:
        self._reading = asyncio.get_running_loop()
        self._reading.add_reader(self._control.fileno(), self._on_packet)

    def _on_packet(self) -> None:
        try:
            packet = self._control.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            packet = b""
        if not packet and self._reading is not None:
            self._reading.remove_reader(self._control.fileno())
            self._reading = None
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(packet)
        elif packet and self._waiting is not None and self._waiting.cancelled():
            self._crossed = packet  # whoever was cancelled has not run yet
        elif not packet:
            self.closed = True

    def _read(self, index: int, size: int) -> bytes:
        return os.pread(self._outputs[index], size, 0) if size else b""

    def _last_words(self) -> str:
        """What the slot's process said on its way out, shortened."""
        if self._process.stderr is None:
            return "no reason given"
        fd = self._process.stderr.fileno()
        os.set_blocking(fd, False)
        with contextlib.suppress(BlockingIOError):
            text = os.read(fd, 65536).decode("utf-8", "replace").strip()
            return text.rpartition("\n")[2] or "no reason given"
        return "no reason given"

    async def close(self) -> None:
        """End the slot and everything in it; idempotent."""
        if self._reading is not None:
            self._reading.remove_reader(self._control.fileno())
            self._reading = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self.closed = True
        if self._control.fileno() < 0:
            return
        self._control.close()
        await _in_full(asyncio.create_task(asyncio.to_thread(self._bury)))

    def _bury(self) -> None:
        """Wait for the end, hurry it where needed, and give back what the slot held."""
        try:
            self._process.wait(_LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            tree = [self._process.pid, *tree_of(self._process.pid)]
            for pid in tree:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        for fd in self._outputs:
            os.close(fd)
        _forget(self._group, self._folder, self._tasks)


async def _in_full(task: asyncio.Task[None]) -> None:
    """Wait for a task that no cancellation may cut short; one that came meanwhile is raised once it is done."""
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    task.result()


def _forget(group: tuple[int, str, str] | None, folder: str | None, tasks: str) -> None:
    """Give back what a slot held outside its processes."""
    if tasks:
        _remove_group((1, tasks, ""))
    if group is not None:
        _remove_group(group)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def tree_of(root: int) -> list[int]:
    """Every living descendant of a process, from the kernel's own lists."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        with contextlib.suppress(OSError):  # it may be gone by now
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                pids = [int(word) for word in children.read_text().split()]
                found += pids
                waiting += pids
    return found


def _remove_group(group: tuple[int, str, str]) -> None:
    """Remove a cgroup whose last process may still be on its way out."""
    for _ in range(_REMOVE_TRIES):
        if cgroup.remove(group):
            return
        for folder in {group[1], group[2]} - {""}:
            with contextlib.suppress(OSError), open(folder + "/cgroup.procs", encoding="ascii") as file:
                for line in file:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(line), signal.SIGKILL)
        time.sleep(0.01)


def _spawn(settings: SlotSettings, uid: int | None, folder: str | None) -> Spawned:
    """Start the launcher: a memory file as stdin and pipes as outputs, as every box will have them.

    Raises:
        OSError: nothing was started, and nothing is left of the attempt but an empty folder.
    """
    own = {}
    if folder is not None:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        if uid is not None:  # this slot's programs may pass, those of the others may not even look
            os.chown(folder, -1, uid)
            Path(folder).chmod(0o750)
        own = {"HOME": folder + "/work", "TMPDIR": folder + "/tmp"}
    with contextlib.ExitStack() as undo, contextlib.ExitStack() as passing:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        undo.callback(ours.close)
        passing.callback(theirs.close)
        outputs = []
        for name in ("stdout", "stderr"):
            outputs.append(os.memfd_create(name))
            undo.callback(os.close, outputs[-1])
        stdin = os.memfd_create("stdin")
        passing.callback(os.close, stdin)
        ours.setblocking(False)
        process = subprocess.Popen(  # ruff: ignore[subprocess-without-shell-equals-true] - the interpreter is the operator's choice
            [settings.python, _BOOT, str(theirs.fileno())],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**settings.environment, **own},
            cwd="/",
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        undo.pop_all()
    return Spawned(process=process, control=ours, outputs=(outputs[0], outputs[1]))


def _pack(job: Job, library: int, *, fresh: bool) -> tuple[bytes, list[int]]:
    """A request, and what it brings: the library too, where the slot has not had it."""
    flags = job.needs
    descriptors: list[int] = []
    place = None if job.place is None else job.place[1]
    code = None if job.code is None else job.code.fd
    told = None if job.manifest is None else job.manifest.fd
    document = None if job.document is None else job.document.fd
    if library >= 0 and job.channel is None and isinstance(job.manifest, Manifest) and job.manifest.is_command:
        flags |= protocol.COMMAND
    given_once = library if fresh and library >= 0 else None
    given = (job.stdin.fd, code, told, job.value, job.channel, document, job.stdout, given_once, place)
    for flag, fd in zip(protocol.DESCRIPTORS, given, strict=True):
        if fd is not None:
            flags |= flag
            descriptors.append(fd)
    if job.keep:
        flags |= protocol.KEEP
    name, _, mode = job.place or ("", -1, 0)
    limits = job.limits
    packet = protocol.pack_request(
        flags,
        limits.processes,
        int(limits.cpu_seconds * 1e9),
        int(job.wall_seconds * 1e9),
        limits.memory_bytes,
        limits.output_bytes,
        STDERR_BYTES,
        limits.disk_bytes,
        0 if job.code is None else job.code.size,
        0 if job.manifest is None else job.manifest.size,
        mode,
        name.encode("ascii"),
    )
    return packet, descriptors
