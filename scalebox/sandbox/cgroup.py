"""Memory and process limits by cgroup, version 1 or 2, where one may be written; one group per slot.

The slot's parent joins its group once, at start, and every box is born in it: moving a process costs milliseconds,
a birth nothing. Runs in slots (`Gauge`) and in the service (`make`, `remove`): imports next to nothing.
"""

from __future__ import annotations

import os

from scalebox.sandbox import delegation, linux

_DRIFT = 1 << 20
"""Bytes by which what the group holds may differ from what is known of it before the kernel's statistics are read again."""


class Gauge:
    """The open control files of a slot's group, from inside the slot.

    Args:
        version: 1 or 2.
        path: folder of the memory group.
        cpu: folder of the group whose CPU time is counted, or empty where none could be made.
    """

    def __init__(self, version: int, path: str, cpu: str = "") -> None:
        v2 = version == 2
        self.limit_fd = _open(path + ("/memory.max" if v2 else "/memory.limit_in_bytes"), os.O_WRONLY)
        self.peak_fd = _open(path + ("/memory.peak" if v2 else "/memory.max_usage_in_bytes"), os.O_RDWR)
        self.usage_fd = _open(path + ("/memory.current" if v2 else "/memory.usage_in_bytes"), os.O_RDONLY)
        self._events = _open(path + ("/memory.events" if v2 else "/memory.oom_control"), os.O_RDONLY)
        self.statistics_fd = _open(path + "/memory.stat", os.O_RDONLY)
        self.cpu_fd = _open(cpu + ("/cpu.stat" if v2 else "/cpuacct.usage"), os.O_RDONLY) if cpu else -1
        self.counts_cpu = self.cpu_fd >= 0
        """Whether `cpu` can be asked."""
        self.none = b"max" if v2 else b"-1"
        self.current_limit = -1
        self._kills = self._read_kills()
        self.known_disk_pages = 0
        self.base = 0

    def rest(self) -> None:
        """Note what the group holds while no box runs; later figures are over this.

        Pages of files on disks stay with the group that read them first, until the kernel wants them back: they are no part of
        what is held, or a box could spend them on top of its limit.
        """
        usage = self._number(self.usage_fd)
        if abs(usage - self.known_disk_pages - self.base) > _DRIFT:
            self.known_disk_pages = self.disk_pages()
        self.base = max(usage - self.known_disk_pages, 0)

    def begin(self, limit_bytes: int) -> None:
        """Set the limit for the next box and forget the last peak."""
        limit = self.base + limit_bytes
        if limit != self.current_limit:
            os.pwrite(self.limit_fd, b"%d" % limit, 0)
            self.current_limit = limit
        os.pwrite(self.peak_fd, b"0", 0)

    def relax(self) -> None:
        """Lift the limit until the next box begins: what a box left in memory must not cost whoever cleans up its life."""
        os.pwrite(self.limit_fd, self.none, 0)
        self.current_limit = -1

    def peak(self) -> int:
        """Peak bytes of the box, with pages of files on disks, which the kernel takes back before it kills."""
        return max(self._number(self.peak_fd) - self.base, 0)

    def disk_pages(self) -> int:
        """Bytes that the group holds of files on disks; files in memory are on the lists of anonymous pages."""
        found = 0
        for line in os.pread(self.statistics_fd, 8192, 0).splitlines():
            if line.startswith((b"active_file ", b"inactive_file ")):
                found += int(line.rpartition(b" ")[2])
        return found

    def cpu(self) -> int:
        """CPU nanoseconds of everything that ever ran in the group, whoever waited for it, or nobody."""
        text = os.pread(self.cpu_fd, 256, 0)
        if text.startswith(b"usage_usec "):
            return int(text[11:].split(None, 1)[0]) * 1000
        return int(text)

    def killed(self) -> bool:
        """Whether the kernel killed for memory since the last call."""
        kills = self._read_kills()
        killed = kills > self._kills
        self._kills = kills
        return killed

    def _number(self, fd: int) -> int:
        return int(os.pread(fd, 32, 0))

    def _read_kills(self) -> int:
        for line in os.pread(self._events, 512, 0).splitlines():
            if line.startswith(b"oom_kill "):
                return int(line[9:])
        return 0


def _open(path: str, mode: int) -> int:
    return linux.move_up(os.open(path, mode | os.O_CLOEXEC))


def locate() -> tuple[int, str] | None:
    """Version of the memory controller, and the folder below which slots have their groups; None where there is no such place.

    In version 1 it is the group that this process is in. In version 2 that may have to be made ready for it (`delegation`).
    """
    found = _search()
    return None if isinstance(found, str) else found


def why_not() -> str:
    """Why `locate` finds nothing, or `make` makes nothing; for people."""
    found = _search()
    if isinstance(found, str):
        return found
    version, folder = found
    if version == 2 and _too_old():
        return "this kernel cannot reset memory.peak (Linux 6.12 can)"
    return f"no group can be made in {folder}"


def _too_old() -> bool:
    release = os.uname().release.split(".")
    return tuple(int(part) if part.isdigit() else 0 for part in release[:2]) < (6, 12)


def _search() -> tuple[int, str] | str:
    """What `locate` says, or why it says nothing."""
    mounts = _mounts()
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if controllers.split(",").count("memory") and mounts.get("memory"):
                return 1, _below(mounts["memory"], path)
            if controllers == "" and "cgroup2" in mounts and not mounts.get("memory"):
                folder, why = delegation.home(mounts["cgroup2"] + path.rstrip("/"), mounts["cgroup2"])
                return (2, folder) if folder else why
    return "no cgroup with a memory controller is mounted here"


def make(name: str) -> tuple[int, str, str] | None:
    """Make a group for one slot below our own, and in version 1 a second one that counts CPU time.

    Returns:
        Version, folder, and the folder where CPU time is counted (empty where it is not); None where cgroups may not be
        written here.
    """
    found = locate()
    if found is None:
        return None
    version, parent = found
    folder = parent + "/" + name
    try:
        if os.path.isdir(
            folder
        ):  # of a service that was killed and had our pid; one that lives in it cannot be removed
            os.rmdir(folder)
        os.mkdir(folder)
    except OSError:
        return None
    if not _peak_resets(folder + ("/memory.peak" if version == 2 else "/memory.max_usage_in_bytes")):
        remove((version, folder, ""))
        return None
    return version, folder, folder if version == 2 else _make_v1("cpuacct", name)


def _peak_resets(path: str) -> bool:
    """Whether a group's peak can be forgotten, which is tried: root may open what no kernel before Linux 6.12 can write (memory.peak)."""
    try:
        with open(path, "wb", buffering=0) as file:
            file.write(b"0")
    except OSError:
        return False
    return True


def make_tasks(name: str, group: tuple[int, str, str] | None) -> str:
    """Make a group for one slot that can bound how many tasks there are, root's too; its folder, or empty where there can be none.

    Args:
        name: of the slot's group.
        group: that group, which in version 2 does it as well.
    """
    if group is not None and group[0] == 2:
        return group[1] if "pids" in delegation.words(group[1] + "/cgroup.controllers") else ""
    return _make_v1("pids", name)


def _locate_v1(controller: str) -> str:
    """Folder of the group of version 1 that this process is in by a controller; empty where there is none."""
    mount = _mounts().get(controller)
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if mount is not None and controller in controllers.split(","):
                return _below(mount, path)
    return ""


def _make_v1(controller: str, name: str) -> str:
    parent = _locate_v1(controller)
    if not parent:
        return ""
    folder = parent + "/" + name
    try:
        if os.path.isdir(folder):
            os.rmdir(folder)
        os.mkdir(folder)
    except OSError:
        return ""
    return folder


def sweep() -> None:
    """Remove the groups of services that were killed: those that are empty and whose name's pid is nobody's."""
    found = locate()
    parents = {"" if found is None else found[1], _locate_v1("cpuacct"), _locate_v1("pids")}
    for parent in parents - {""}:
        for name in os.listdir(parent):
            prefix, _, rest = name.partition("-")
            pid = rest.partition("-")[0]
            if prefix == "scalebox" and pid.isdigit() and not os.path.exists("/proc/" + pid):
                _remove(parent + "/" + name)


def join(group: tuple[int, str, str]) -> None:
    """Move the calling process into a group."""
    for folder in {group[1], group[2]} - {""}:
        with open(folder + "/cgroup.procs", "w", encoding="ascii") as file:
            file.write("0")


def remove(group: tuple[int, str, str]) -> bool:
    """Remove a slot's group; False while something still lives in it."""
    return all(_remove(folder) for folder in {group[1], group[2]} - {""})


def _remove(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _below(mount: str, path: str) -> str:
    folder = mount + path.rstrip("/")
    return folder if os.path.isdir(folder) else mount


def _mounts() -> dict[str, str]:
    """Where the controllers of memory, CPU time and tasks (version 1) and the unified tree (version 2) are mounted."""
    found: dict[str, str] = {}
    with open("/proc/self/mounts", encoding="utf-8") as file:
        for line in file:
            _, target, kind, options, *_ = line.split(" ")
            if kind == "cgroup2":
                found.setdefault("cgroup2", target)
            for controller in ("memory", "cpuacct", "pids"):
                if kind == "cgroup" and controller in options.split(","):
                    found.setdefault(controller, target)
    return found
