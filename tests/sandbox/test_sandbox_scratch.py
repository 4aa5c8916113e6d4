"""Where work folders lie: in shared memory if it will do, else in the temp folder; and what a folder's file system is."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from scalebox.sandbox import scratch
from scalebox.sandbox.scratch import BYTES_PER_SLOT, Place

MOUNTS = [
    "/dev/vda / ext4 rw,relatime 0 0",
    "tmpfs /tmp tmpfs rw 0 0",
    "/dev/vdb /tmp/disk xfs rw 0 0",
    "tmpfs /data tmpfs rw 0 0",
    "/dev/vdc /data ext4 rw 0 0",
]


def place(path: str, slots_worth: float, *, executable: bool = True) -> Place:
    """A folder with room for that many slots."""
    return Place(
        path=path, in_memory=path == "/dev/shm", executable=executable, free_bytes=int(slots_worth * BYTES_PER_SLOT)
    )


@pytest.mark.parametrize(
    ("shared", "temp", "best"),
    [
        (place("/dev/shm", 2), place("/tmp", 100), "/dev/shm"),
        (place("/dev/shm", 1.9), place("/tmp", 100), "/tmp"),  # Docker's 64 MB are half a slot
        (place("/dev/shm", 100, executable=False), place("/tmp", 0), "/tmp"),  # as Docker mounts it
        (place("/dev/shm", 1), place("/tmp", 100, executable=False), "/dev/shm"),
        (place("/dev/shm", 100, executable=False), place("/tmp", 0, executable=False), "/tmp"),
    ],
)
def test_shared_memory_only_where_it_will_do(shared: Place, temp: Place, best: str) -> None:
    assert scratch.better(shared, temp, slots=2).path == best


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/home", "ext4"),
        ("/tmp", "tmpfs"),
        ("/tmp/x/y", "tmpfs"),
        ("/tmpfs", "ext4"),
        ("/tmp/disk/x", "xfs"),
        ("/data", "ext4"),  # mounted over the other
    ],
)
def test_file_system_of_a_path(path: str, kind: str) -> None:
    assert scratch._file_system(path, MOUNTS) == kind


def test_this_machine_has_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_SHARED_MEMORY", "/nowhere")
    assert scratch.choose(1).path == str(tmp_path)
    monkeypatch.setattr(scratch, "_SHARED_MEMORY", str(tmp_path))
    monkeypatch.setattr(scratch, "BYTES_PER_SLOT", 1)
    assert scratch.choose(1).executable


def settle(path: Path) -> None:
    """Make a folder as old as one that a killed service left."""
    os.utime(path, (time.time() - 3600,) * 2)


def test_killed_service_leaves_nothing_for_long(tmp_path: Path) -> None:
    left = tmp_path / "scalebox-work-left"
    (left / "1-0" / "work" / "odd").mkdir(parents=True)
    (left / "1-0" / "work" / "file").write_text("x")
    (left / "1-0" / "work" / "odd").chmod(0)
    others = [tmp_path / "scalebox-problems-0", tmp_path / "scalebox-work-young", tmp_path / "scalebox-work-link"]
    others[0].mkdir()
    others[1].mkdir()
    others[2].symlink_to(others[0])
    settle(left)
    settle(others[0])
    here = Place(path=str(tmp_path), in_memory=False, executable=True, free_bytes=1)
    with scratch.work_folder(here) as folder:
        settle(Path(folder))
        assert sorted(tmp_path.iterdir()) == sorted([*others, Path(folder)])
        with scratch.work_folder(here) as second:  # what lives is locked
            assert Path(folder).is_dir()
            assert Path(second).is_dir()
    assert sorted(tmp_path.iterdir()) == sorted(others)
