"""What the kernel keeps of files on disks is nobody's memory: not that of who read or wrote them, nor room for who comes later."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from runner.rig import LIMITS, Rig

from scalebox.assembly import open_engine
from scalebox.config import OLDEST_PYTHON, SYSTEM_PYTHON, Settings, _version
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import MIB
from scalebox.core.result import Exceeded
from scalebox.sandbox import scratch

pytestmark = pytest.mark.sandbox

SMALL: Final = replace(LIMITS, memory_bytes=48 * MIB, disk_bytes=512 * MIB)
FILE_MIB: Final = 96
"""Twice as much as a program may have."""
READER: Final = f"""
    import sys
    with open(sys.prefix + "/large", "rb") as file:
        print(sum(len(file.read(1 << 20)) for _ in range({FILE_MIB + 1})))
    open("x", "w").write("so that the slot takes stock")
"""
HUNGRY: Final = "print(len(bytearray(100 << 20)))"
WRITER: Final = """
    import os, sys
    for number in range(4):
        with open(f"{os.environ['TMPDIR']}/{number}", "wb") as file:
            for _ in range(40): file.write(b"x" * (1 << 20))
        if sys.argv[1] == "removed": os.unlink(file.name)
"""


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    """A folder on a disk that programs of every uid may reach, with an environment in it that holds a large file."""
    if _version(SYSTEM_PYTHON) < OLDEST_PYTHON:
        pytest.skip(f"{SYSTEM_PYTHON} is too old, and others may not be readable for everybody")
    with tempfile.TemporaryDirectory(prefix="scalebox-test-", dir="/var/tmp") as name:
        if place_on(Path(name)).in_memory:
            pytest.skip("/var/tmp is no disk")
        Path(name).chmod(0o755)
        subprocess.run([SYSTEM_PYTHON, "-m", "venv", "--without-pip", name + "/python"], check=True)
        (Path(name) / "python" / "large").write_bytes(os.urandom(MIB) * FILE_MIB)
        yield Path(name)


def place_on(folder: Path) -> scratch.Place:
    """A folder as a place for work folders."""
    return scratch.look_at(str(folder), Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines())


def forget(path: Path) -> None:
    """Have the kernel drop what it keeps of a file, so that whoever reads it next is charged for it."""
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


@pytest_asyncio.fixture(params=["strict", "standard"])
async def reading(disk: Path, request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    """A slot whose programs may read the large file, bounded by a cgroup where there is one."""
    try:
        settings = Settings(slots=1, isolation=request.param, python=disk / "python/bin/python")
        async with open_engine(settings) as engine:
            yield Rig(engine, request.param)
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def test_what_is_read_from_a_disk_counts_for_nobody(reading: Rig, disk: Path) -> None:
    for _ in range(2):
        forget(disk / "python" / "large")
        run = await reading.run(READER, limits=SMALL)
        assert (run.stdout, run.exceeded) == (b"%d\n" % (FILE_MIB * MIB), None), run.stderr
        assert run.usage.memory_bytes < SMALL.memory_bytes
        hungry = await reading.run(HUNGRY, limits=SMALL)
        assert (hungry.stdout, hungry.exceeded, hungry.signal) == (b"", Exceeded.MEMORY, 9)


@pytest_asyncio.fixture
async def on_disk(disk: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A slot at `standard` whose work folders lie on the disk."""
    monkeypatch.setattr(scratch, "choose", lambda _: place_on(disk))
    try:
        async with open_engine(Settings(slots=1, isolation="standard")) as engine:
            yield Rig(engine, "standard")
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def test_what_is_written_to_a_disk_is_no_memory(on_disk: Rig) -> None:
    for fate in ("kept", "removed"):
        run = await on_disk.run(WRITER, args=[fate], limits=SMALL)
        assert (run.exit_code, run.exceeded) == (0, None), run.stderr
        assert run.usage.memory_bytes < SMALL.memory_bytes
    hungry = await on_disk.run(HUNGRY, limits=SMALL)
    assert (hungry.stdout, hungry.exceeded) == (b"", Exceeded.MEMORY)
    walls = on_disk.engine.walls
    assert "watchdog" in walls.names()
    assert walls.missing["cgroup"]
