"""The folders a box may write: what was touched is noticed, and whatever lies there is removed without following a link."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scalebox.sandbox.workdir import _LONG_AGO, NAMES, Workdir


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder for the three."""
    folder = tmp_path / "base"
    folder.mkdir()
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Something that is none of the program's."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "keep").write_text("kept")
    return folder


def tree(folder: Path) -> list[str]:
    """Every path below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def place(boxes: Workdir, content: bytes, name: str = "main.py", mode: int = 0o444) -> None:
    """Place a file."""
    fd = os.memfd_create("source")
    os.write(fd, content)
    boxes.place(name, fd, mode)
    os.close(fd)


def deep(work: Path, depth: int = 500) -> None:
    here = os.open(work, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def unreadable(work: Path) -> None:
    (work / "a/b/c").mkdir(parents=True)
    (work / "a/b/f").write_text("x")
    for path in ("a/b/c", "a/b/f", "a/b", "a"):
        (work / path).chmod(0)
    work.chmod(0)


def odd_kinds(work: Path) -> None:
    os.mkfifo(work / "fifo")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(work / "s"))
    (work / "dangling").symlink_to("nowhere")
    (work / "loop").symlink_to("loop")


def links(work: Path) -> None:
    target = work.parent.parent / "outside"
    (work / "link").symlink_to(target)
    (work / "up").symlink_to("..")
    os.link(target / "keep", work / "hard")
    (work / "d").mkdir()
    (work / "d" / "again").symlink_to(target)


def replaced(work: Path) -> None:
    work.rename(work.parent / "moved")
    work.symlink_to(work.parent.parent / "outside")


def own_names(work: Path) -> None:
    (work / ".lifted-0-1").mkdir()
    (work.parent / ".lifted-0-1").mkdir()
    (work.parent / "extra").write_text("x")


def names(work: Path) -> None:
    for name in (b"\xff\xfe", b"a\nb", b"-rf", b" ", b"x" * 255):
        os.close(os.open(os.fsencode(work) + b"/" + name, os.O_CREAT | os.O_WRONLY))


def wide_and_deep(work: Path) -> None:
    for n in range(5):
        deep(work / "." if n == 0 else _made(work / str(n)), 70)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    "mess",
    [deep, unreadable, odd_kinds, links, replaced, own_names, names, wide_and_deep],
    ids=lambda mess: mess.__name__,
)
def test_whatever_lies_there_is_removed(mess: Callable[[Path], None], base: Path, outside: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    place(boxes, b"print(1)")
    mess(base / "work")
    boxes.reset()
    assert tree(base) == sorted(NAMES)
    assert tree(outside) == ["keep"]
    assert (outside / "keep").read_text() == "kept"
    assert stat.S_IMODE((base / "work").stat().st_mode) == 0o700
    assert base.stat().st_mtime_ns == _LONG_AGO


def come_and_gone(work: Path) -> None:
    (work / "x").write_text("x")
    (work / "x").unlink()


def changed(work: Path) -> None:
    (work / "main.py").chmod(0o644)
    (work / "main.py").write_text("x")


TOUCHES: dict[str, Callable[[Path], object]] = {
    "file": lambda work: (work / "x").write_text("x"),
    "gone again": come_and_gone,
    "tmp": lambda work: (work.parent / "tmp" / "x").mkdir(),
    "mode": lambda work: work.chmod(0o711),
    "times": lambda work: os.utime(work, (1, 1)),
    "removed": lambda work: (work / "main.py").unlink(),
    "renamed": lambda work: (work / "main.py").rename(work / "x"),
    "linked": lambda work: os.link(work / "main.py", work / "x"),
    "changed": changed,
    "base": lambda work: (work.parent / "x").mkdir(),
}


@pytest.mark.parametrize("name", TOUCHES)
def test_touch_is_noticed(name: str, base: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    place(boxes, b"print(1)")
    assert not boxes.touched()
    (base / "work" / "main.py").read_text()
    list((base / "work").iterdir())
    assert not boxes.touched()  # reading is none
    assert boxes.news < 0 or not boxes.changed()
    TOUCHES[name](base / "work")
    assert boxes.touched()
    assert boxes.changed()
    boxes.reset()
    assert not boxes.touched()


def test_file_that_never_had_a_name_is_told_of(base: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    place(boxes, b"print(1)")
    with tempfile.TemporaryFile(dir=base / "tmp") as nameless:
        nameless.truncate(1 << 20)
        assert boxes.changed()


def test_placed_file_is_whole_and_has_its_mode(base: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    content = os.urandom(3 << 20)
    place(boxes, content, "main", 0o555)
    assert (base / "work" / "main").read_bytes() == content
    assert stat.S_IMODE((base / "work" / "main").stat().st_mode) == 0o555


def test_next_placed_file_is_alone(base: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    place(boxes, b"one", "main.py")
    place(boxes, b"two", "main.cpp")
    assert tree(base / "work") == ["main.cpp"]


def test_file_is_never_placed_through_a_link(base: Path, outside: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    (base / "work" / "main.py").symlink_to(outside / "keep")
    place(boxes, b"one")
    assert (outside / "keep").read_text() == "kept"
    assert not (base / "work" / "main.py").is_symlink()


def test_no_descriptor_is_left(base: Path) -> None:
    boxes = Workdir(str(base), NAMES, None)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        place(boxes, b"x")
        deep(base / "work", 100)
        boxes.reset()
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_folders_belong_to_the_programs(base: Path) -> None:
    Workdir(str(base), NAMES, 1 << 30)
    found = {name: ((base / name).stat().st_uid, stat.S_IMODE((base / name).stat().st_mode)) for name in NAMES}
    assert found == {"work": (1 << 30, 0o755), "tmp": (1 << 30, 0o1777), "shm": (1 << 30, 0o1777)}


def test_names_of_a_program_never_enter_the_heap(base: Path) -> None:
    """What lists and removes them is a child."""
    boxes = Workdir(str(base), NAMES, None)
    (base / "work" / "x").write_text("x")
    listed: list[object] = []
    real = os.listdir

    def listdir(path: object = ".") -> list[str]:
        listed.append(path)
        return real(path)  # type: ignore[call-overload, no-any-return]  # as given

    os.listdir = listdir  # type: ignore[assignment]  # put back below
    try:
        boxes.reset()
    finally:
        os.listdir = real
    assert listed == []
    assert tree(base / "work") == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives the folders to another uid")
@pytest.mark.parametrize(
    ("written", "made_anew"),
    [
        ([], {"work"}),
        (["work/answer.txt"], {"work"}),
        (["work/answer.txt", "tmp"], {"work", "tmp"}),
        (["shm"], {"work", "shm"}),
        (["work/theirs"], set(NAMES)),
    ],
    ids=["nothing", "given name", "times of tmp", "times of shm", "their own name"],
)
def test_a_reset_makes_anew_what_was_changed(written: list[str], made_anew: set[str], base: Path) -> None:
    boxes = Workdir(str(base), NAMES, 12345, ("answer.txt",))
    place(boxes, b"print(1)")
    held = {name: os.open(base / name, os.O_RDONLY) for name in NAMES}  # no number is given out twice
    for name in written:
        if name in NAMES:
            (base / name).touch()
        else:
            (base / name).write_text("x")
    boxes.reset()
    anew = {name for name in NAMES if (base / name).stat().st_ino != os.fstat(held[name]).st_ino}
    for fd in held.values():
        os.close(fd)
    assert anew == made_anew
    assert tree(base) == sorted(NAMES)
    (base / "shm" / "more").write_text("x")  # and what comes is seen
    assert boxes.touched()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives the folders to another uid")
def test_a_reset_makes_all_anew_when_news_was_lost(base: Path) -> None:
    boxes = Workdir(str(base), NAMES, 12345, ("answer.txt",))
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text(encoding="ascii"))
    held = os.open(base / "tmp", os.O_RDONLY)
    for number in range(most + 1):
        os.chmod(base / "work", 0o700 + number % 2)
    (base / "tmp").touch()
    boxes.reset()
    assert (base / "tmp").stat().st_ino != os.fstat(held).st_ino
    os.close(held)
