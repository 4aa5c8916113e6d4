"""The common course of a case by the library in C, and the same by the parent's own code: the same world, the same ends."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from runner.rig import LIMITS, UNAIDED, Rig, open_rig

from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import MIB
from scalebox.core.result import Exceeded, RunResult
from scalebox.runner.native_library import _COMPILERS, SOURCES
from scalebox.runner.slot import tree_of
from scalebox.runner.zygote import native, parent, proc, protocol, watch

CC = next(filter(None, map(shutil.which, _COMPILERS)), None)
NEEDS_COMPILER = pytest.mark.skipif(CC is None, reason="no C compiler is here")

FLAGS = (
    "STDIN",
    "CODE",
    "MANIFEST",
    "VALUE",
    "CHANNEL",
    "DOCUMENT",
    "PLACE",
    "COMMAND",
    "ENTERED",
    "OVER_CPU",
    "OVER_MEMORY",
    "LOST_PLACE",
)

WORLD = """
import os, resource, signal, sys
print(sorted(os.listdir("/proc/self/fd")), os.getcwd(), sorted(os.listdir(".")), os.listdir("/tmp"), os.listdir("/dev/shm"))
print(os.getresuid(), os.getresgid(), os.getgroups(), os.getsid(0) == os.getpgrp())
print([resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")])
for line in open("/proc/self/status"):
    if line.startswith(("SigB", "SigI", "SigC", "SigP", "Shd", "Cap", "NoNewPrivs", "Seccomp", "Uid", "Gid", "Groups", "Cpus_allowed")):
        print(line, end="")
print(open("/proc/self/oom_score_adj").read(), sys.argv, sys.path, sorted(sys.modules), sorted(globals()))
print([os.stat(path).st_mtime for path in ("main.py", "/tmp", "/dev/shm")], os.stat("main.py").st_mode)
print(signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, []), os.environ)
"""

LEAVE_NAMES = """
import array, socket
name = chr(0) + "".join(chr(ord(letter) + 1) for letter in "RDBQDSL@QJDQ") * 5
first, second = (socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2))
first.bind(name)
second.connect(name)
second.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [first.fileno(), second.fileno()]))])
"""
FIND_NAMES = """
wanted, found = bytes(letter + 1 for letter in b"RDBQDSL@QJDQ") * 2, 0
with open("/proc/self/mem", "rb", 0) as memory:
    for line in [line.split() for line in open("/proc/self/maps")]:
        start, end = (int(word, 16) for word in line[0].split("-"))
        if "r" in line[1] and not line[-1].startswith("[v"):
            memory.seek(start)
            found += wanted in memory.read(end - start).replace(wanted[:12] + b"\\0", b"")
print(found)
"""
OWN_LIBRARY = """
import ctypes, os
content = open(next(line.split()[-1] for line in open("/proc/self/maps") if "libm" in line), "rb").read()
for _ in range(12):
    file = os.open("mine", os.O_RDWR | os.O_CREAT)
    os.write(file, content)
    assert hasattr(ctypes.CDLL(f"/proc/self/fd/{file}"), "cos"), file
"""

ENDS = [
    pytest.param("print(int(input()) + 1)", None, id="an answer"),
    pytest.param("import sys; print('x'); sys.exit(3)", None, id="an exit code"),
    pytest.param("import os; os.kill(os.getpid(), 11)", None, id="a signal"),
    pytest.param("import os; os.kill(os.getpid(), 9)", None, id="killed by itself"),
    pytest.param("raise ValueError('no')", None, id="an exception"),
    pytest.param("print('x' * 70000)", None, id="more than a pipe holds"),
    pytest.param("import time; print('a', flush=True); time.sleep(.01); print('b')", None, id="in pieces"),
    pytest.param("import sys; sys.stderr.write('e' * 70000)", None, id="standard error"),
    pytest.param("while True: print('x' * 65536)", Exceeded.OUTPUT, id="too much output"),
    pytest.param("print('x' * ((1 << 20) - 1))", None, id="as much as may be"),
    pytest.param("print('x' * (1 << 20))", Exceeded.OUTPUT, id="a byte too much"),
    pytest.param("while True: pass", Exceeded.TIME, id="without end"),
    pytest.param("import time; time.sleep(100)", Exceeded.TIME, id="asleep"),
    pytest.param("x = bytearray(1 << 30)", None, id="a memory error or death"),
    pytest.param("import os\nif os.fork(): print('parent')\nelse: os._exit(0)", None, id="a child that ends"),
    pytest.param("import os, time\nif os.fork() == 0: time.sleep(100)\nprint('left')", None, id="a child that is left"),
    pytest.param("import threading; threading.Thread(target=lambda: print('t')).start()", None, id="a thread"),
    pytest.param("open('a', 'w').write('x'); print(open('a').read())", None, id="a file"),
    pytest.param("import os; os.makedirs('a/b/c'); os.symlink('/etc', 'a/b/d'); os.chmod('.', 0)", None, id="a tree"),
    pytest.param("open('/tmp/x', 'w').write('y'); open('/dev/shm/x', 'w').write('y')", None, id="other folders"),
    pytest.param("import os; os.unlink('main.py')", None, id="its own file removed"),
    pytest.param("open('big', 'wb').truncate(1 << 28); open('b', 'wb').write(bytes(40 << 20))", None, id="too much disk"),
    pytest.param("import socket; a, b = socket.socketpair(); a.sendmsg([b'x'], [(1, 1, bytes([b.fileno(), 0, 0, 0]))]); print(1)", None, id="a socket in a socket"),
]  # fmt: skip


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def unaided() -> AsyncIterator[Rig]:
    """One slot with every wall, and without the library."""
    try:
        async with open_rig(UNAIDED) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


def seen(run: RunResult) -> tuple[object, ...]:
    """What of a run does not depend on the moment."""
    return run.exceeded, run.reason, run.exit_code, run.signal, run.stdout, run.stderr


@pytest.mark.sandbox
@NEEDS_COMPILER
class TestBothWays:
    @pytest.mark.parametrize(("source", "exceeded"), ENDS)
    async def test_ends(self, strict: Rig, unaided: Rig, source: str, exceeded: Exceeded | None) -> None:
        limits = replace(LIMITS, cpu_seconds=0.5, output_bytes=MIB, disk_bytes=32 * MIB)
        for _ in range(2):  # the second time in the folders that the first one left
            runs = [await rig.run(source, b"41\n", limits=limits) for rig in (strict, unaided)]
            assert seen(runs[0]) == seen(runs[1])
            assert exceeded is None or runs[0].exceeded is exceeded
            if runs[0].exceeded is None:
                assert abs(runs[0].usage.memory_bytes - runs[1].usage.memory_bytes) < MIB

    async def test_the_world(self, strict: Rig, unaided: Rig) -> None:
        texts = []
        for rig in (strict, unaided):
            await rig.run("open('/tmp/x', 'w'); open('y', 'w')")
            run = await rig.run(WORLD)
            assert run.exit_code == 0, run.stderr
            own = run.stdout.split(b"(", 1)[1].split(b",", 1)[0]  # uids differ from slot to slot
            texts.append(run.stdout.replace(own, b"uid"))
        assert texts[0].splitlines() == texts[1].splitlines()

    async def test_memory_is_that_of_the_box(self, strict: Rig, unaided: Rig) -> None:
        """On new slots, too: what their parents come to hold at first is no box's."""
        limits = replace(LIMITS, memory_bytes=64 * MIB)
        for mode in ("strict", UNAIDED):
            async with open_rig(mode) as rig:
                size = 61 if rig.engine.walls.cgroup else 51  # without one, the interpreter's own pages count
                program = await rig.program(f"print(len(bytearray({size} << 20)))")
                assert [(await rig.run(program, limits=limits)).exceeded for _ in range(30)] == [None] * 30

    async def test_names_of_sockets_stay_with_who_chose_them(self, strict: Rig, unaided: Rig) -> None:
        for rig in (strict, unaided):
            before = await rig.run(FIND_NAMES)
            for _ in range(3):
                left = await rig.run(LEAVE_NAMES)
                assert left.exit_code == 0, left.stderr
                after = await rig.run(FIND_NAMES)
                assert (after.stdout, after.stderr) == (before.stdout, b"")

    async def test_a_program_loads_libraries_of_its_own(self, strict: Rig) -> None:
        run = await strict.run(OWN_LIBRARY)
        assert run.exit_code == 0, run.stderr

    async def test_a_placed_program_stays(self, strict: Rig) -> None:
        """What a folder that was made anew tells of the one before is no change by the box that comes next."""
        first, second = await strict.program("print(1)"), await strict.program("print(2)")
        slot = await strict.slot()
        for program in (first, second, first, second):
            await strict.run(program)
            assert slot.placed is not None

    async def test_the_parent_writes_few_pages(self, strict: Rig, unaided: Rig) -> None:
        """That the library was used at all."""
        faults = [await _faults_of_parent(rig) for rig in (strict, unaided)]
        assert faults[0] < faults[1] / 3


async def _faults_of_parent(rig: Rig) -> int:
    program = await rig.program("print(1)")
    parent = tree_of((await rig.slot()).pid)[0]
    counts = []
    for _ in range(2):
        for _ in range(20):
            assert (await rig.run(program)).stdout == b"1\n"
        counts.append(int(proc.read(f"/proc/{parent}/stat").rpartition(b")")[2].split()[7]))
    return counts[1] - counts[0]


@NEEDS_COMPILER
def test_the_layout_is_told_alike(tmp_path: Path) -> None:
    names = [name for name, *_ in native._State._fields_]
    lines = "".join(f'    printf("%zu ", offsetof(struct slot, {name}));\n' for name in names)
    source = tmp_path / "layout.c"
    source.write_text(
        f'#include <stddef.h>\n#include <stdio.h>\n#include "slot.h"\nint main(void) {{\n{lines}    printf("%zu", sizeof(struct slot));\n}}\n'
    )
    assert CC is not None
    subprocess.run([CC, "-I", str(SOURCES[0].parent), "-o", str(tmp_path / "layout"), str(source)], check=True)
    told = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout
    assert list(map(int, told.split())) == [
        *(getattr(native._State, name).offset for name in names),
        ctypes.sizeof(native._State),
    ]


def test_numbers_are_told_alike() -> None:
    text = "".join(source.read_text(encoding="utf-8") for source in SOURCES)
    alike = {name: getattr(protocol, name) for name in (*FLAGS, "DOCUMENT_FD", "VALUE_FD")}
    alike |= {
        "FIRST": protocol.FIRST_FD,
        "KEPT_OUTPUT": parent._KEPT_OUTPUT,
        "LOOK": watch._LOOK,
        "FIRST_WATCH": watch._FIRST_WATCH,
    }
    alike |= {"UNCOUNTED": watch._UNCOUNTED, "CHUNK": watch._CHUNK, "SETTLE": watch._SETTLE}
    found = dict(re.findall(r"\b([A-Z][A-Z_]+) = (\d+(?: << \d+)?)", text))
    assert {name: eval(found[name]) for name in alike} == alike  # ruff: ignore[suspicious-eval-usage] - numbers of our own sources
    [order] = re.findall(r"enum \{ (GONE[A-Z, ]*) \}", text)
    assert [getattr(native, name) for name in order.split(", ")[:5]] == list(range(5))


@NEEDS_COMPILER
def test_the_library_compiles_without_a_warning(tmp_path: Path) -> None:
    assert CC is not None
    command = [
        CC,
        "-std=gnu11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-shared",
        "-fPIC",
        "-o",
        str(tmp_path / "native.so"),
        *map(str, SOURCES),
    ]
    subprocess.run(command, check=True)
