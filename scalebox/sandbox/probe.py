"""Find out which walls this machine grants, by putting each up in a throw-away child; nothing is left behind."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.errors import IsolationUnavailable
from scalebox.sandbox import cgroup, landlock, linux, rootfs, seccomp
from scalebox.sandbox.level import Level, Walls

_ROOT: Final = 0
_DECIDING: Final = ("namespaces", "landlock", "seccomp", "reaper")
"""The walls that levels are made of; the others add to any level."""
_UID_BASE: Final = 0x40000000
_UIDS_PER_SERVICE: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a wall's trial showed."""

    wall: str
    up: bool
    why: str
    """Empty where it is up, else what the kernel said."""


def survey(*, wanted: Level | None, use_cgroup: bool = True) -> Walls:
    """Try every wall and say what there is.

    Args:
        wanted: the level demanded, or None for the strongest; no isolation at all has to be demanded.
        use_cgroup: whether cgroups may be used at all.

    Raises:
        IsolationUnavailable: the level demanded cannot be had; the message says which walls are missing and why.
    """
    probes = [
        _try_namespaces(),
        _try_landlock(),
        _try_seccomp(),
        _try_reaper(),
        _try_uid(),
        _try_cgroup() if use_cgroup else Probe(wall="cgroup", up=False, why="switched off by the settings"),
    ]
    missing = {probe.wall: probe.why for probe in probes if not probe.up}
    best = _strongest(missing)
    level = best if wanted is None else wanted
    reasons = "; ".join(f"{wall}: {why}" for wall, why in missing.items() if wall in _DECIDING)
    if _rank(level) > _rank(best):
        msg = f"isolation level '{level}' cannot be had here ({reasons}); the strongest available is '{best}'"
        raise IsolationUnavailable(msg)
    if wanted is None and level is Level.NONE:
        msg = f"no isolation can be had here ({reasons}); for programs you trust, demand isolation level 'none'"
        raise IsolationUnavailable(msg)
    return Walls(
        level=level,
        user_namespace=level is Level.STRICT and os.geteuid() != _ROOT,
        change_uid="uid" not in missing and level is not Level.NONE,
        landlock_abi=0 if "landlock" in missing else landlock.abi(),
        seccomp="seccomp" not in missing,
        cgroup="cgroup" not in missing,
        missing=missing,
    )


def uid_base() -> int:
    """First of the uids that the programs of this service run as; far above any account, its own for each service."""
    return _UID_BASE + (os.getpid() % (1 << 20)) * _UIDS_PER_SERVICE


def standard_rules() -> Sequence[tuple[str, int]]:
    """What a box may touch where it shares the machine's file system, beside its own work folder."""
    read = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
    etc = (*rootfs.ETC, *rootfs.java_folders(), "nsswitch.conf", "passwd", "group")
    devices = ("null", "zero", "full", "random", "urandom")
    return (
        *((path, landlock.READ_ONLY) for path in read),
        *(("/etc/" + name, landlock.READ_ONLY) for name in etc),
        *(("/dev/" + name, landlock.FILE_READ_WRITE) for name in devices),
    )


def strict_rules() -> Sequence[tuple[str, int]]:
    """What a box may touch inside its own small file system, beside its work folders.

    Nothing of /proc can be written, not even of oneself: its score decides whom the kernel ends when memory runs out.
    """
    return (
        ("/", landlock.READ_ONLY),
        ("/proc", landlock.READ_ONLY),
        ("/dev", landlock.FILE_READ_WRITE | landlock.READ_DIR),
    )


def _rank(level: Level) -> int:
    return {Level.NONE: 0, Level.STANDARD: 1, Level.STRICT: 2}[level]


def _strongest(missing: Sequence[str] | dict[str, str]) -> Level:
    if "landlock" in missing or "seccomp" in missing:
        return Level.NONE
    if "namespaces" not in missing:
        return Level.STRICT
    return Level.NONE if "reaper" in missing else Level.STANDARD


def _attempt(action: Callable[[], None]) -> str:
    """Run an action in a forked child; returns what went wrong, or nothing."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(read)
            action()
            status = 0
        except OSError as error:
            os.write(write, str(error).encode()[:4096])
        finally:
            os._exit(status)
    os.close(write)
    with open(read, "rb") as file:
        words = file.read().decode("utf-8", "replace")
    _, status = os.waitpid(pid, 0)
    if status and not words:
        return f"the trial ended with status {status}"
    return words


def _try_namespaces() -> Probe:
    def enter() -> None:
        flags = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
        uid, gid = os.geteuid(), os.getegid()
        if uid != _ROOT:
            linux.unshare(flags | linux.CLONE_NEWUSER)
            for name, text in (("setgroups", "deny"), ("uid_map", f"1000 {uid} 1"), ("gid_map", f"1000 {gid} 1")):
                with open("/proc/self/" + name, "w", encoding="ascii") as file:
                    file.write(text)
        else:
            linux.unshare(flags)
        inner = os.fork()
        if inner == 0:
            _enter_root()
        _, status = os.waitpid(inner, 0)
        if status:
            raise OSError(status >> 8, os.strerror(status >> 8) + " while laying the boxes' file system")

    why = _attempt(enter)
    return Probe(wall="namespaces", up=not why, why=why)


def _enter_root() -> None:
    try:
        rootfs.enter(extra=[], uid=1000, disk_bytes=1 << 20, inodes=64)
    except OSError as error:
        os._exit(error.errno or 1)
    os._exit(0)


def _try_landlock() -> Probe:
    def enter() -> None:
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        landlock.Domain(landlock.abi(), [("/usr", landlock.READ_ONLY)]).enter()

    why = _attempt(enter) if landlock.abi() else "this kernel has no Landlock, or it is not in its list of LSMs"
    return Probe(wall="landlock", up=not why, why=why)


def _try_seccomp() -> Probe:
    def enter() -> None:
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.around_slot(unix_sockets=False, memfd=True).install()

    known = seccomp.supported()
    why = _attempt(enter) if known else f"no system-call table for {os.uname().machine}"
    return Probe(wall="seccomp", up=not why, why=why)


def _try_reaper() -> Probe:
    """What a box leaves behind is found by the kernel's lists of children, where there is no pid namespace to end as a whole."""
    there = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
    return Probe(wall="reaper", up=there, why="" if there else "this kernel keeps no lists of children in /proc")


def _try_uid() -> Probe:
    def enter() -> None:
        uid = uid_base()
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)

    why = _attempt(enter)
    return Probe(wall="uid", up=not why, why=why)


def _try_cgroup() -> Probe:
    cgroup.sweep()
    name = f"scalebox-{os.getpid()}-probe"
    group = cgroup.make(name)
    if group is None:
        return Probe(wall="cgroup", up=False, why=f"{cgroup.why_not()}; a watchdog sums the tree instead")
    why = _attempt(lambda: cgroup.join(group))
    with contextlib.suppress(OSError):
        for _ in range(100):
            if cgroup.remove(group):
                break
            os.sched_yield()
    return Probe(wall="cgroup", up=not why, why=why)
