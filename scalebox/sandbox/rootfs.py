"""Build the file system a slot's boxes see at level `strict`, and move into it. Writes nothing outside its own mounts.

Theory of operation: the slot's parent has just entered new mount, pid, network, ipc and uts namespaces. On a fresh
tmpfs it lays a minimal root: system folders bound read-only, a small synthetic /etc, four harmless devices, /proc of
the slot's own pid namespace, and /box, a bounded tmpfs with the folders `work`, `tmp` and `shm` that boxes may write.
Then it pivots and lets go of the old root. Runs in slots: imports next to nothing.
"""

from __future__ import annotations

import os

from scalebox.sandbox import linux

BOX = "/box"
WORK = "/box/work"
_STAGE = "/tmp"  # any folder that every Linux has; covered by a tmpfs in this mount namespace only
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
ETC = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "python3",
    "python3.11",
    "R",
    "perl",
    "ghc",
    "mono",
    "php",
    "racket",
)
"""What interpreters and compilers cannot do without, beside the folders of every Java."""
_DEVICES = ("null", "zero", "full", "random", "urandom")
_LOCKED = linux.MS_NOSUID | linux.MS_NODEV


def enter(*, extra: list[str], uid: int, disk_bytes: int, inodes: int) -> None:
    """Build the root and make it ours.

    Args:
        extra: further folders to show read-only at their own path (an interpreter's prefix, a toolchain).
        uid: who the programs are; named in the synthetic /etc/passwd.
        disk_bytes: size of /box.
        inodes: how many files /box may hold.

    Raises:
        OSError: the kernel refused one of the steps.
    """
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    root = _STAGE
    linux.mount("scalebox", root, "tmpfs", _LOCKED, "mode=0755,size=1m,nr_inodes=1024")
    for path in _SYSTEM:
        _show(root, path)
    for path in extra:
        _show(root, path)
    _make_etc(root, uid)
    _make_dev(root)
    os.mkdir(root + "/proc")
    linux.mount("proc", root + "/proc", "proc", _LOCKED | linux.MS_NOEXEC, "hidepid=2,subset=pid")
    _make_box(root, disk_bytes, inodes)
    os.mkdir(root + "/.old")
    linux.pivot_root(root, root + "/.old")
    os.chdir("/")
    linux.unmount("/.old")
    os.rmdir("/.old")
    linux.mount(None, "/", None, linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | _LOCKED)


def _show(root: str, path: str) -> None:
    """Bind a host path read-only; a symlink (merged /usr) is made again as one."""
    target = root + path
    if os.path.lexists(target):
        return
    if os.path.islink(path):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.makedirs(target)
    elif os.path.exists(path):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    else:
        return
    linux.mount(path, target, None, linux.MS_BIND | linux.MS_REC)
    _protect(target, _LOCKED)


def _protect(target: str, more: int = linux.MS_NOSUID) -> None:
    """Make a bound path read-only, its times among what cannot be changed; devices can be written all the same."""
    # In a user namespace flags inherited from the host are locked and must be named again.
    flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | more
    linux.mount(None, target, None, flags | _inherited_flags(target))


def _inherited_flags(path: str) -> int:
    flags = os.statvfs(path).f_flag
    inherited = 0
    if flags & os.ST_NOEXEC:
        inherited |= linux.MS_NOEXEC
    if flags & os.ST_NOATIME:
        inherited |= linux.MS_NOATIME
    if flags & os.ST_RELATIME:
        inherited |= 0x200000  # MS_RELATIME
    if flags & os.ST_NODIRATIME:
        inherited |= 0x800  # MS_NODIRATIME
    return inherited


def java_folders() -> list[str]:
    """Settings of the installed Javas, by their name in /etc."""
    return sorted(entry for entry in os.listdir("/etc") if entry.startswith("java-"))


def _make_etc(root: str, uid: int) -> None:
    os.makedirs(root + "/etc", exist_ok=True)  # a toolchain may have files there
    for name in (*ETC, *java_folders()):
        _show(root, "/etc/" + name)
    box = f"box:x:{uid}:{uid}::{WORK}:/bin/sh\n"
    files = {
        "passwd": "root:x:0:0:root:/:/usr/sbin/nologin\n" + (box if uid else ""),
        "group": "root:x:0:\n" + (f"box:x:{uid}:\n" if uid else ""),
        "hosts": "127.0.0.1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    for name, text in files.items():
        with open(root + "/etc/" + name, "w", encoding="ascii") as file:
            file.write(text)


def _make_dev(root: str) -> None:
    os.makedirs(root + "/dev", exist_ok=True)  # likewise
    for name in _DEVICES:
        target = root + "/dev/" + name
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
        linux.mount("/dev/" + name, target, None, linux.MS_BIND)
        _protect(target)
    os.symlink("/proc/self/fd", root + "/dev/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", root + "/dev/" + name)
    os.symlink("/box/shm", root + "/dev/shm")


def _make_box(root: str, disk_bytes: int, inodes: int) -> None:
    os.mkdir(root + BOX)
    options = f"mode=0755,size={disk_bytes},nr_inodes={inodes}"
    linux.mount("box", root + BOX, "tmpfs", _LOCKED | linux.MS_NOATIME, options)
    os.symlink("/box/tmp", root + "/tmp")
    os.makedirs(root + "/var", exist_ok=True)  # an interpreter that lies below it is there already
    if not os.path.lexists(root + "/var/tmp"):
        os.symlink("/box/tmp", root + "/var/tmp")
