"""Whose groups of cgroup version 2 are divided, and how; on the machine's own hierarchy, with whichever controller it has there."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scalebox.sandbox import cgroup, delegation


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """A group with a process in it."""

    mount: str
    controller: str
    group: Path
    pid: int


@pytest.fixture
def hierarchy() -> Generator[Hierarchy, None, None]:
    """A group below the root that has a controller and holds one process, both gone afterwards."""
    mount = cgroup._mounts().get("cgroup2")
    controllers = delegation.words(f"{mount}/cgroup.controllers")
    if mount is None or not controllers or not os.access(mount + "/cgroup.subtree_control", os.W_OK):
        pytest.skip("no cgroup of version 2 may be written here")
    control = Path(mount, "cgroup.subtree_control")
    passed_on = delegation.words(str(control))
    controller = (passed_on or controllers)[0]
    try:
        control.write_text("+" + controller, encoding="ascii")
    except OSError as error:
        pytest.skip(f"this is not the root of the hierarchy: {error}")
    group = Path(mount, f"scalebox-{os.getpid()}-delegation")
    group.mkdir()
    pid = os.fork()
    if pid == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    os.waitpid(pid, os.WUNTRACED)
    try:
        (group / "cgroup.procs").write_text(str(pid), encoding="ascii")
        yield Hierarchy(mount=mount, controller=controller, group=group, pid=pid)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        for folder in (*group.glob("*/"), group):
            with contextlib.suppress(OSError):
                folder.rmdir()
        if controller not in passed_on:
            control.write_text("-" + controller, encoding="ascii")


def test_delegated_group_is_divided(hierarchy: Hierarchy, monkeypatch: pytest.MonkeyPatch) -> None:
    group = str(hierarchy.group)
    monkeypatch.setattr(delegation, "delegated", lambda folder: folder == group)
    assert delegation.home(group, hierarchy.mount, hierarchy.controller) == (group, "")
    leaf = f"{group}/{delegation.LEAF}"
    assert delegation.words(leaf + "/cgroup.procs") == [str(hierarchy.pid)]
    assert delegation.home(leaf, hierarchy.mount, hierarchy.controller) == (
        group,
        "",
    )  # as those see it that were moved
    (hierarchy.group / "slot").mkdir()
    assert hierarchy.controller in delegation.words(f"{group}/slot/cgroup.controllers")


def test_group_beside_the_one_a_unit_starts_in_is_used(hierarchy: Hierarchy, monkeypatch: pytest.MonkeyPatch) -> None:
    group = str(hierarchy.group)
    (hierarchy.group / "main").mkdir()  # DelegateSubgroup=main
    (hierarchy.group / "main" / "cgroup.procs").write_text(str(hierarchy.pid), encoding="ascii")
    monkeypatch.setattr(delegation, "delegated", lambda folder: folder == group)
    assert delegation.home(group, hierarchy.mount, hierarchy.controller) == (group, "")
    assert delegation.home(group + "/main", hierarchy.mount, hierarchy.controller) == (group, "")


def test_group_that_nobody_gave_us_is_left_as_it_is(hierarchy: Hierarchy) -> None:
    folder, why = delegation.home(str(hierarchy.group), hierarchy.mount, hierarchy.controller)
    assert (folder, why) == ("", f"{hierarchy.group} is not delegated to this service")
    assert delegation.words(f"{hierarchy.group}/cgroup.procs") == [str(hierarchy.pid)]
    assert delegation.words(f"{hierarchy.group}/cgroup.subtree_control") == []


def test_group_without_the_controller_says_so(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu io\n")
    folder, why = delegation.home(str(tmp_path), str(tmp_path))
    assert not folder
    assert "without the memory controller" in why


def test_mark_of_a_delegated_group_is_systemds(tmp_path: Path) -> None:
    try:
        os.setxattr(tmp_path, "user.delegate", b"0")
    except OSError:
        pytest.skip("no extended attributes here")
    assert not delegation.delegated(str(tmp_path))
    os.setxattr(tmp_path, "user.delegate", b"1")
    assert delegation.delegated(str(tmp_path))
