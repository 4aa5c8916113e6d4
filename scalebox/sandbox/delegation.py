"""Find or make the place where slots may have groups of their own in cgroup version 2. Touches only what was delegated to us.

The kernel lets a group pass a controller on to groups below it only while no process is in it (the root of the hierarchy
excepted), so a service that was given a group has to move into a leaf of it first. That is done where the group was plainly given
to us: systemd says so of a unit with `Delegate=` by an attribute of the folder, and a container's own hierarchy begins at its
mount. `DelegateSubgroup=` of systemd 254 starts a service in a leaf already. A terminal's group, or root's right to write
everywhere, is nobody's gift, and is left as it is.
"""

from __future__ import annotations

import os

LEAF = "scalebox-service"
"""Where the processes go that a delegated group held."""
_MARKS = ("user.delegate", "trusted.delegate")
_BESIDE = "pids"
"""Passed on as well where that can be, for the level at which no other limit binds root."""
_MOVES = 16
"""How often the group's processes are listed: a service may fork while it is moved."""


def words(path: str) -> list[str]:
    """The words of a control file; none where it cannot be read."""
    try:
        with open(path, encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def home(own: str, mount: str, controller: str = "memory") -> tuple[str, str]:
    """The folder below which groups with a controller may be made.

    Args:
        own: folder of the group that this process is in.
        mount: where the hierarchy is mounted.
        controller: what the groups are to have.

    Returns:
        The folder, or an empty text; and then why there is none, and what would help.
    """
    if not os.path.isdir(own):
        return "", "the cgroup of this process is outside of what is mounted here"
    if controller not in words(own + "/cgroup.controllers"):
        return "", f"cgroup version 2 without the {controller} controller in {own}"
    if controller in words(own + "/cgroup.subtree_control"):
        return own, ""
    above = os.path.dirname(own)
    if own != mount and (os.path.basename(own) == LEAF or delegated(above)) and _pass_on(above, controller):
        _pass_on(above, _BESIDE)
        return above, ""
    if own != mount and not delegated(own):
        return "", f"{own} is not delegated to this service"
    if not _pass_on(own, controller) and not (_vacate(own) and _pass_on(own, controller)):
        return "", f"{own} cannot be divided (is it writable for uid {os.geteuid()}?)"
    _pass_on(own, _BESIDE)
    return own, ""


def delegated(folder: str) -> bool:
    """Whether systemd says that a group is its unit's to divide."""
    for mark in _MARKS:
        try:
            if os.getxattr(folder, mark) == b"1":
                return True
        except OSError:
            continue
    return False


def _pass_on(folder: str, controller: str) -> bool:
    """Have a group give its sub-groups a controller."""
    return controller in words(folder + "/cgroup.subtree_control") or _write(
        folder + "/cgroup.subtree_control", "+" + controller
    )


def _vacate(folder: str) -> bool:
    """Move every process of a group to a leaf below it."""
    leaf = folder + "/" + LEAF
    try:
        os.makedirs(leaf, exist_ok=True)
    except OSError:
        return False
    for _ in range(_MOVES):
        pids = words(folder + "/cgroup.procs")
        if not pids:
            return True
        for pid in pids:
            _write(leaf + "/cgroup.procs", pid)  # one that ended meanwhile is no loss
    return False


def _write(path: str, text: str) -> bool:
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError:
        return False
    return True
