"""Every way in which a program can end, at every level of isolation: exit, signal, and each limit by its own name."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest
from runner.rig import LIMITS, Rig

from scalebox.core.limits import MIB, Limits
from scalebox.core.result import Exceeded
from scalebox.runner.slot import STDERR_BYTES
from scalebox.sandbox import cgroup

pytestmark = pytest.mark.sandbox

SHORT = replace(LIMITS, cpu_seconds=0.3)
IDLE = replace(LIMITS, wall_seconds=0.3)
SMALL = replace(LIMITS, memory_bytes=48 * MIB)
FLOOD = replace(LIMITS, output_bytes=MIB)


@pytest.mark.parametrize(
    ("source", "exit_code", "signal_number"),
    [
        ("print(1)", 0, None),
        ("", 0, None),
        ("import sys; sys.exit(3)", 3, None),
        ("import sys; sys.exit(256)", 0, None),
        ("import sys; sys.exit(-1)", 255, None),
        ("import sys; sys.exit('words')", 1, None),
        ("1 / 0", 1, None),
        ("import os; os._exit(7)", 7, None),
        ("import os; os.abort()", None, signal.SIGABRT),
        ("import os; os.kill(os.getpid(), 9)", None, signal.SIGKILL),
        ("import os; os.kill(os.getpid(), 15)", None, signal.SIGTERM),
        ("import ctypes; ctypes.string_at(0)", None, signal.SIGSEGV),
        ("raise KeyboardInterrupt", None, signal.SIGINT),
        ("import os\nif os.fork(): os.wait()\nelse: os._exit(5)", 0, None),  # a child's end is not the program's
        ("import os\nif not os.fork(): os.kill(os.getppid(), 9)\nelse: os.wait(); os.wait()", None, signal.SIGKILL),
        ("import os\nif not os.fork():\n  while True: pass", 0, None),  # what a child does afterwards costs nothing
    ],
)
async def test_end_is_told_as_it_was(rig: Rig, source: str, exit_code: int | None, signal_number: int | None) -> None:
    run = await rig.run(source)
    assert (run.exit_code, run.signal, run.exceeded, run.reason) == (exit_code, signal_number, None, None)


HOG = "held = []\nwhile True: held.append(bytearray(1 << 20))"
CHILDREN = """
    import os, time
    for _ in range(6):
        if not os.fork():
            held = bytearray(16 << 20)
            time.sleep(9)
    time.sleep(9)
"""
SHARED = """
    import mmap, os, time
    size = 96 << 20
    area = mmap.mmap(-1, size)
    for at in range(0, size, 4096): area[at] = 1
    time.sleep(9)
"""
THREADS = """
    import threading
    def work():
        while True: pass
    for _ in range(3): threading.Thread(target=work).start()
"""


@pytest.mark.parametrize(
    ("source", "limits", "exceeded", "reason"),
    [
        ("while True: pass", SHORT, Exceeded.TIME, "CPU time limit exceeded"),
        ("import time; time.sleep(60)", IDLE, Exceeded.TIME, "wall time limit exceeded"),
        ("import os; os.kill(os.getpid(), 19)", IDLE, Exceeded.TIME, "wall time limit exceeded"),  # SIGSTOP
        ("import os\nos.fork(); os.fork()\nwhile True: pass", SHORT, Exceeded.TIME, "CPU time limit exceeded"),
        ("import os\nif os.fork(): os.wait()\nwhile True: pass", SHORT, Exceeded.TIME, "CPU time limit exceeded"),
        (THREADS, SHORT, Exceeded.TIME, "CPU time limit exceeded"),
        ("import signal\nfor n in (2, 15, 24): signal.signal(n, 1)\nwhile True: pass", SHORT, Exceeded.TIME, None),
        ("held = []\nwhile True: held.append('x' * 1000)", SMALL, Exceeded.MEMORY, "memory limit exceeded"),
        (HOG, SMALL, Exceeded.MEMORY, "memory limit exceeded"),
        ("x = bytearray(200 << 20)", SMALL, Exceeded.MEMORY, "memory limit exceeded"),
        (CHILDREN, SMALL, Exceeded.MEMORY, "memory limit exceeded"),
        (SHARED, SMALL, Exceeded.MEMORY, "memory limit exceeded"),
        ("while True: print('x' * 1000)", FLOOD, Exceeded.OUTPUT, "output limit exceeded"),
        ("import os; os.write(1, b'x' * (8 << 20))", FLOOD, Exceeded.OUTPUT, "output limit exceeded"),
        ("import os\nwhile True: os.write(2, b'x' * 9999); os.write(1, b'y' * 9999)", FLOOD, Exceeded.OUTPUT, None),
    ],
)
async def test_limit_is_told_by_its_name(
    rig: Rig, source: str, limits: Limits, exceeded: Exceeded, reason: str | None
) -> None:
    run = await rig.run(source, limits=limits)
    assert run.exceeded is exceeded
    assert reason is None or run.reason == reason
    assert len(run.stdout) <= limits.output_bytes


MANY_PROCESSES = """
    import os, time
    while True:
        try:
            if not os.fork(): time.sleep(9)
        except OSError:
            pass
"""


async def test_processes_are_bounded(rig: Rig) -> None:
    run = await rig.run(MANY_PROCESSES, limits=replace(SHORT, processes=20, cpu_seconds=0.5))
    assert run.exceeded is Exceeded.TIME or run.reason == "more processes than allowed"


async def test_process_limit_is_the_programs_own(rig: Rig) -> None:
    if rig.mode == "none":
        return  # root's processes are not counted by the kernel
    source = """
        import os, time
        made = 0
        try:
            while made < 40:
                if not os.fork(): time.sleep(9)
                made += 1
            time.sleep(9)  # until it is seen over its limit
        except BlockingIOError:
            print(made)
    """
    run = await rig.run(source, limits=replace(LIMITS, processes=10))
    if run.reason is None:
        assert run.stdout == b"9\n"
    else:  # it can be seen over its limit where others share its uid
        assert run.reason == "more processes than allowed"


async def test_tasks_of_root_are_bounded_where_nothing_else_is(rig: Rig) -> None:
    if rig.mode != "none":
        return  # programs are not root's
    if not cgroup.make_tasks(f"scalebox-{os.getpid()}-look", None):
        pytest.skip("tells of a machine where tasks can be bounded by cgroup")
    cgroup.remove((1, cgroup.make_tasks(f"scalebox-{os.getpid()}-look", None), ""))
    source = """
        import threading, time
        made = 0
        try:
            for _ in range(200):
                threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
                made += 1
        except RuntimeError:
            pass
        print(made, flush=True)
    """
    run = await rig.run(source, limits=replace(LIMITS, processes=20, wall_seconds=5))
    assert int(run.stdout) < 90
    forks = source.replace("import threading, time", "import os, time").replace("RuntimeError", "OSError")
    forks = forks.replace(
        "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", "os.fork() or time.sleep(9)"
    )
    run = await rig.run(forks, limits=replace(LIMITS, processes=20, wall_seconds=5))
    assert run.reason == "more processes than allowed" or int(run.stdout) < 90
    assert (await rig.run("print(1)")).stdout == b"1\n"


async def test_reserved_memory_is_not_used_memory(rig: Rig) -> None:
    run = await rig.run("import mmap; x = mmap.mmap(-1, 8 << 30); x[0] = 1; print('fine')", limits=SMALL)
    assert (run.stdout, run.exceeded) == (b"fine\n", None)
    assert run.usage.memory_bytes < 48 * MIB


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "."])
async def test_files_in_memory_count_as_memory(strict: Rig, folder: str) -> None:
    source = """
        import sys
        for n in range(12):
            with open(sys.argv[1] + "/" + str(n), "wb") as file: file.write(bytes(8 << 20))
    """
    run = await strict.run(source, args=[folder], limits=SMALL)
    assert run.exceeded is Exceeded.MEMORY


UNSEEN = {
    "memory-file": "fd = os.memfd_create('x')\nfor n in range(90): os.write(fd, bytes(1 << 20))",
    "allocated": "for n in range(2): os.posix_fallocate(os.memfd_create('x'), 0, 50 << 20)",
    "file": "for n in range(9): os.posix_fallocate(os.open(str(n), os.O_CREAT | os.O_RDWR), 0, 10 << 20)",
    "child": "os.fork()\nfd = os.memfd_create('x')\nfor n in range(90): os.write(fd, bytes(1 << 20))",
    "protected": "open('/proc/self/oom_score_adj', 'w').write('0')\nfd = os.memfd_create('x')\n"
    "for n in range(90): os.write(fd, bytes(1 << 20))",
}
"""Memory that is in no process's size: the kernel, when it ends somebody for it, must not choose the slot's parent."""


@pytest.mark.parametrize("name", UNSEEN)
async def test_memory_of_no_process_counts_and_the_slot_survives(rig: Rig, name: str) -> None:
    if not rig.engine.walls.cgroup or rig.mode == "none":
        return  # without a cgroup there are no memory files, and the watchdog counts the rest
    slot = await rig.slot()
    run = await rig.run(f"import os\n{UNSEEN[name]}", limits=SMALL)
    if name == "protected" and run.exit_code == 1:
        assert b"PermissionError" in run.stderr
    else:
        assert run.exceeded is Exceeded.MEMORY
    assert await rig.slot() is slot


async def test_memory_of_an_earlier_case_is_not_counted(rig: Rig) -> None:
    source = """
        import sys
        n = int(input())
        sys.stdout.write("x" * (n << 20))
    """
    program = await rig.program(source)
    figures = []
    for megabytes in (0, 14, 0):
        run = await rig.run(program, b"%d" % megabytes, limits=replace(LIMITS, memory_bytes=64 * MIB))
        assert run.exceeded is None
        assert len(run.stdout) == megabytes << 20
        figures.append(run.usage.memory_bytes)
    assert figures[2] < figures[0] + 4 * MIB


async def test_file_size_is_bounded(rig: Rig) -> None:
    run = await rig.run("open('x', 'wb').write(bytes(3 << 20))", limits=replace(LIMITS, disk_bytes=MIB))
    # whoever looks first: the kernel at the file, or the watchdog at the folder that it fills
    assert b"File too large" in run.stderr or run.reason == "more disk space than allowed"


async def test_standard_error_is_cut_and_no_offence(rig: Rig) -> None:
    run = await rig.run("import sys; sys.stderr.write('x' * (3 << 20)); print('ok')")
    assert (run.stdout, run.exit_code, run.stderr_truncated) == (b"ok\n", 0, True)
    assert run.stderr == b"x" * STDERR_BYTES


async def test_chatty_standard_error_is_whole(rig: Rig) -> None:
    run = await rig.run("import sys\nfor n in range(5000): print('e' * 60, file=sys.stderr)\nprint('ok')")
    assert (run.stdout, len(run.stderr), run.stderr_truncated) == (b"ok\n", 5000 * 61, False)


async def test_output_up_to_the_limit_is_whole(rig: Rig) -> None:
    at_limit = await rig.run("import os\nfor n in range(16): os.write(1, b'x' * 65536)", limits=FLOOD)
    assert (at_limit.exceeded, len(at_limit.stdout)) == (None, MIB)
    over = await rig.run("import os\nfor n in range(16): os.write(1, b'x' * 65536)\nos.write(1, b'y')", limits=FLOOD)
    assert (over.exceeded, len(over.stdout)) == (Exceeded.OUTPUT, MIB)


async def test_time_spent_is_the_whole_trees(rig: Rig) -> None:
    source = """
        import os, time
        for _ in range(3):
            if not os.fork():
                end = time.process_time() + 0.05
                while time.process_time() < end: pass
                os._exit(0)
            os.wait()
    """
    run = await rig.run(source)
    assert run.exit_code == 0
    assert run.usage.cpu_seconds >= 0.14


async def test_raising_ones_own_limits_is_refused(rig: Rig) -> None:
    source = """
        import resource
        for name in ("FSIZE", "NPROC", "NOFILE", "CORE"):
            what = getattr(resource, "RLIMIT_" + name)
            try:
                resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                print(name)
            except (ValueError, OSError):
                pass
    """
    run = await rig.run(source)
    assert run.exit_code == 0
    if rig.mode != "none":
        assert run.stdout == b""
