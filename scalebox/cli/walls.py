"""What each wall keeps a program from, why one is off, and how to turn it on: the words of `scalebox doctor`. Puts up nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from scalebox.core.result import Isolation
from scalebox.sandbox.level import Level

KEEPS: Final[Mapping[str, str]] = {
    "pid": "seeing and signalling other processes, and outliving its case",
    "ipc": "shared memory and queues of others",
    "network": "every network, loopback included",
    "mount": "seeing files beyond a small read-only root; /tmp and /dev/shm are its own",
    "user": "any right outside of its own user namespace",
    "uid": "files, processes and per-user limits of other slots and of the service",
    "landlock": "files, signals and sockets that it was not given",
    "seccomp": "system calls that judging does not need, sockets first",
    "rlimits": "too many processes, descriptors, locked pages, or too large a file",
    "cgroup": "more memory than its limit, the whole tree counted by the kernel",
    "watchdog": "more memory than its limit, the whole tree summed over and over",
    "reaper": "leaving processes behind",
}
"""Wall -> from what; in the order in which they are shown."""
COSTS: Final[Mapping[str, Mapping[str, str]]] = {
    "landlock": {Level.STRICT: "nothing", Level.STANDARD: "1.6 bare forks"},
    "seccomp": {Level.STRICT: "5 % of a bare fork", Level.STANDARD: "6 % of a bare fork"},
    "cgroup": {Level.STRICT: "13 % of a bare fork", Level.STANDARD: "30 % of a bare fork"},
}
"""Wall -> level -> CPU time a case, by `benchmarks/walls.py`; the others are put up once a slot, or come with any process."""
_NAMESPACES: Final = ("pid", "ipc", "network", "mount")
_ALTERNATIVES: Final = ("user", "watchdog")
"""Shown only where they are up: root needs no user namespace, and a cgroup no watchdog."""
LEVELS: Final[Mapping[str, str]] = {
    Level.STRICT: "the strongest level",
    Level.STANDARD: "no sockets and no files but a few, yet no /tmp and no processes of its own; see docs/security.md",
    Level.NONE: "programs may do whatever the service's user may, and root's may start processes without end where no pids "
    "cgroup can be written; for programs that you trust",
}
_GUIDE: Final = "docs/deployment.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What decides about walls on this machine."""

    root: bool
    container: bool
    forbidding: Sequence[str]
    """Settings of the kernel that forbid namespaces to ordinary users, each as it would have to be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One wall."""

    wall: str
    on: bool
    keeps: str
    costs: str = ""
    """CPU time a case."""
    why: str = ""
    """Why it is off."""
    turn_on: str = ""
    """How to turn it on."""


_FORBIDDING: Final = (
    ("user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
    ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"),
)
_MARKS: Final = ("/.dockerenv", "/run/.containerenv", "/run/secrets/kubernetes.io")


def this_host(*, uid: int, system: Path = Path("/proc/sys"), root: Path = Path("/")) -> Host:
    """Look at this machine.

    Args:
        uid: ours.
        system: where the kernel's settings are.
        root: where the marks that container runtimes leave are.
    """
    found = [remedy for name, bad, remedy in _FORBIDDING if _setting(system / name) == bad]
    container = any((root / mark.lstrip("/")).exists() for mark in _MARKS)
    return Host(root=uid == 0, container=container, forbidding=found)


def _setting(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:  # this kernel has no such setting
        return ""


def rows(isolation: Isolation, missing: Mapping[str, str], host: Host | None) -> Sequence[Row]:
    """Every wall that matters here.

    Args:
        isolation: what is up.
        missing: wall -> what its trial showed; the four kinds of namespaces are tried together.
        host: this machine, or None where another is examined.
    """
    up = set(isolation.walls)
    shown = []
    for wall, keeps in KEEPS.items():
        if wall in up:
            costs = COSTS.get(wall, {}).get(isolation.level, "nothing")
            shown.append(Row(wall=wall, on=True, keeps=keeps, costs=costs))
        elif wall not in _ALTERNATIVES:
            why = missing.get("namespaces" if wall in _NAMESPACES else wall)
            told = _left_out(isolation.level) if why is None else (why, _remedy(wall, why, host))
            shown.append(Row(wall=wall, on=False, keeps=keeps, why=told[0], turn_on=told[1]))
    return shown


def grouped(walls: Sequence[Row]) -> Sequence[Row]:
    """What is off, those with the same reason and remedy as one."""
    found: dict[tuple[str, str], Row] = {}
    for row in walls:
        if row.on:
            continue
        key = (row.why, row.turn_on)
        found[key] = replace(found[key], wall=f"{found[key].wall}, {row.wall}") if key in found else row
    return list(found.values())


def _left_out(level: str) -> tuple[str, str]:
    return (
        f"it could be had, but level {level} is what was asked for",
        "unset SCALEBOX_ISOLATION, and give no --isolation",
    )


def _remedy(wall: str, why: str, host: Host | None) -> str:
    if wall in _NAMESPACES:
        return _namespaces(host)
    if wall == "cgroup":
        return _cgroup(why)
    return {
        "uid": "only root can; without it the other walls stand between the slots",
        "landlock": "Linux 5.13 or newer, with landlock in /sys/kernel/security/lsm (boot with lsm=landlock,...), and a "
        f"container runtime that allows its system calls; {_GUIDE}",
        "seccomp": "a kernel with CONFIG_SECCOMP_FILTER, on x86_64 or aarch64",
        "reaper": "a kernel with CONFIG_PROC_CHILDREN and /proc mounted",
    }.get(wall, _GUIDE)


def _namespaces(host: Host | None) -> str:
    if host is None:
        return f"run scalebox doctor there, or see {_GUIDE}"
    if host.container:
        return f'the container runtime must allow them: "strict in a container" in {_GUIDE}'
    if host.root:
        return "give the service CAP_SYS_ADMIN, or a kernel with namespaces"
    if host.forbidding:
        return "as root: sysctl -w " + " ".join(host.forbidding)
    return "run the service as root, or on a kernel with user namespaces"


def _cgroup(why: str) -> str:
    if "switched off" in why:
        return "unset SCALEBOX_CGROUP"
    if "disk" in why:
        return "give /dev/shm 128 MiB a slot, mounted exec"
    if "6.12" in why:
        return "Linux 6.12 or newer; until then the watchdog does"
    if "not delegated" in why:
        return f"in the systemd unit: Delegate=memory (at a prompt: systemd-run --user --scope -p Delegate=memory …); {_GUIDE}"
    if "divided" in why or "outside" in why:
        return f"a container needs a cgroup namespace of its own and /sys/fs/cgroup mounted writable; {_GUIDE}"
    return f"none is needed; with a cgroup the kernel itself holds the limit ({_GUIDE})"
