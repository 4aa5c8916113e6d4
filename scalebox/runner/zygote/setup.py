"""Become the parent of a slot: namespaces, file system, walls, limits, and a heap like that of a fresh interpreter.

What is put up here is put up once, and inherited by every box; the order matters, and is told where it does.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself pulls in enum
import _socket
import array
import gc
import marshal
import os
import resource
import sys
import time

from scalebox.runner.zygote import huge_pages, proc, protocol
from scalebox.runner.zygote.rehearsal import rehearse
from scalebox.runner.zygote.state import HARNESS, Slot, forget_folders, items
from scalebox.sandbox import cgroup, landlock, linux, rootfs, seccomp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from scalebox.runner.zygote.shelf import Shelf

_THREAD_STACK = 8 << 20


def start(shelf: Shelf) -> Slot:
    """Set up what the service asks for, and tell it how that went.

    Args:
        shelf: what was loaded so far.
    """
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
    shelf.keep(__file__.rpartition("/")[0] + "/harness", HARNESS)
    if settings["level"] == "strict":
        _enter_namespaces(settings)
        _leave_launcher(control, alone=True)
        rootfs.enter(
            extra=[str(path) for path in items(settings["show"])],
            uid=int(str(settings["shown_uid"])),
            disk_bytes=int(str(settings["disk"])),
            inodes=int(str(settings["inodes"])),
        )
    else:
        _leave_launcher(control, alone=False)
    slot = Slot(settings, control, outputs, shelf)
    slot.gauge, slot.tasks_fd = gauge, tasks
    _raise_walls(slot, settings)
    slot.boxes.sit()
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
    rules = [(str(path), int(rights)) for path, rights in items(settings["landlock_rules"])]
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
    forget_folders()
    slot.modules = len(sys.modules) - 1
    rehearse(slot)
    gc.collect()
    gc.freeze()


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
