"""What hostile programs do to their slot, and that the next box finds nothing of it: no file, process, name or setting."""

from __future__ import annotations

import os
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from runner.rig import LIMITS, NEEDS_ROOT, Rig, until

from scalebox.core.limits import MIB, Limits
from scalebox.core.result import Exceeded
from scalebox.runner.slot import tree_of

pytestmark = [pytest.mark.sandbox, NEEDS_ROOT]

SHORT = replace(LIMITS, cpu_seconds=0.5, wall_seconds=1.5, memory_bytes=64 * MIB, processes=24)

LOOK = """
    import json, os, resource, signal, sys
    def listed(top):
        rows = []
        for folder, names, files in os.walk(top):
            for name in sorted(names + files):
                found = os.lstat(os.path.join(folder, name))
                rows.append([os.path.join(folder, name), oct(found.st_mode), found.st_nlink, found.st_size])
        found = os.lstat(top)
        return [oct(found.st_mode), found.st_uid == os.getuid(), found.st_nlink, rows]
    base = os.path.dirname(os.getcwd())
    print(json.dumps({
        "folders": {name: listed(base + "/" + name) for name in sorted(os.listdir(base))},
        "base": [oct(os.stat(base).st_mode), os.stat(base).st_mtime],
        "environment": dict(os.environ),
        "modules": sorted(sys.modules),
        "path": [sys.path, sys.argv, os.getcwd()],
        "limits": [resource.getrlimit(n) for n in range(16) if n != resource.RLIMIT_NPROC],
        "nice": os.getpriority(0, 0),
        "cpus": sorted(os.sched_getaffinity(0)),
        "umask": os.umask(0),
        "signals": [str(signal.getsignal(n)) for n in range(1, 65) if n not in (32, 33)],
        "blocked": sorted(signal.pthread_sigmask(0, [])),
        "timers": [signal.getitimer(n) for n in range(3)],
        "dumpable": os.access("/proc/self/mem", os.R_OK),
    }))
"""

FILES = {
    "main-file": """
        import os
        os.rename("main.py", "other"); open("main.py", "w").write("print('mine')"); os.link("other", "again")
    """,
    "times": "import os; open('x', 'w'); os.unlink('x'); os.utime('.', (5, 5))",
    "modes": "import os; os.chmod('.', 0); os.chmod(os.environ['TMPDIR'], 0o700)",
    "links": """
        import os
        for n, target in enumerate(("/etc", "/", "..", ".", "/proc/self/root", "nowhere", "a" * 4000)):
            os.symlink(target, "link" + str(n))
        os.makedirs("d"); os.symlink("..", "d/up")
    """,
    "hard-links": """
        import os
        open("a", "w")
        for n in range(300): os.link("a", "l" + str(n))
        os.link("a", os.environ["TMPDIR"] + "/a")
    """,
    "fifos": """
        import os, socket
        for n in range(50): os.mkfifo("f" + str(n), 0)
        try:
            s = socket.socket(socket.AF_UNIX); s.bind("sock")
        except OSError:
            pass
    """,
    "names": r"""
        import os
        for name in (b"\xff\xfe", b"a\nb", b" ", b"-rf", b"...", b"\x1b[2J", b"x" * 255, "\u202e".encode()):
            open(name, "w"); os.mkdir(name[:200] + b"d")
    """,
    "unreadable-tree": """
        import os
        os.makedirs("a/b/c/d"); open("a/b/c/f", "w"); open("a/b/f", "w")
        for path in ("a/b/c/d", "a/b/c/f", "a/b/c", "a/b", "a"): os.chmod(path, 0)
    """,
    "deep-tree": """
        import os
        for n in range(5000):
            os.mkdir("d"); os.chdir("d")
            if n % 500 == 0: open("f", "w")
    """,
    "deep-and-unreadable": """
        import os
        for n in range(300): os.mkdir("d"); os.chdir("d")
        for n in range(300): os.chdir(".."); os.chmod("d", 0)
    """,
    "many-files": """
        import os
        try:
            for n in range(40_000): os.close(os.open("f" + str(n), os.O_CREAT | os.O_WRONLY))
        except OSError as error:
            print(error)
    """,
    "full-disk": """
        import os
        try:
            for n in range(40):
                with open(os.environ["TMPDIR"] + "/" + str(n), "wb") as f: f.write(bytes(16 << 20))
        except OSError:
            pass
    """,
    "sparse": "open('x', 'wb').truncate(60 << 20)",
    "own-name": "import os; os.mkdir('scalebox-work'); os.mkdir('.lifted-0-1'); os.makedirs('.lifted-0-1/work/tmp')",
    "removed": "import os; os.unlink('main.py')",
    "while-cleaning": """
        import os
        if not os.fork():
            n = 0
            while True:
                n += 1
                try: os.makedirs("x" + str(n) + "/y")
                except OSError: pass
        open("first", "w")
    """,
}

STATE = {
    "environment": "import os; os.environ['LEFT'] = '1'; os.putenv('LEFT', '1'); os.umask(0)",
    "modules": "import json, decimal, sys; sys.modules['left'] = sys; sys.path.append('left'); sys.setrecursionlimit(9)",
    "priority": "import os; os.nice(19); os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})",
    "limits": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))",
    "signals": "import signal; signal.signal(15, 1); signal.pthread_sigmask(0, {2}); signal.setitimer(0, 9)",
    "descriptors": "import os\nfor n in range(3, 1000):\n  try: os.write(n, b'x' * 99)\n  except OSError: pass",
    "no-input": "import os; os.close(0); os.close(1); os.close(2)",
    "input-locked": "import fcntl, os; fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK); os.lseek(0, 99, 0)",
    "output-nonblocking": "import fcntl, os; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK); print('x' * 9)",
    "output-moved": "import os; os.dup2(0, 1)",
    "builtins": "import builtins, os; builtins.print = None; os.write = os.pread = None; os._exit = None",
    "gc": "import gc; gc.disable(); gc.freeze(); gc.set_threshold(1)",
    "killed-all": "import os, signal; os.kill(-1, signal.SIGKILL)",
    "killed-parent": "import os, signal; os.kill(os.getppid(), signal.SIGKILL); os.kill(os.getppid(), signal.SIGSTOP)",
    "stopped": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "undumpable": "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)",
}

PROCESSES = {
    "daemon": """
        import os, time
        if os.fork(): os._exit(0)
        os.setsid()
        if os.fork(): os._exit(0)
        for fd in range(3): os.close(fd)
        time.sleep(600)
    """,
    "ignores-signals": """
        import os, signal, time
        if os.fork(): os._exit(0)
        for n in range(1, 65):
            try: signal.signal(n, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True: time.sleep(600)
    """,
    "thread-that-forks": """
        import os, threading, time
        def fork():
            for _ in range(4):
                if not os.fork(): time.sleep(600)
        t = threading.Thread(target=fork); t.start(); t.join()
    """,
    "stopped-children": """
        import os, signal, time
        for _ in range(4):
            if not os.fork(): os.setsid(); os.kill(os.getpid(), signal.SIGSTOP); time.sleep(600)
    """,
    "fork-bomb": """
        import os
        while True:
            try: os.fork()
            except OSError: pass
    """,
    "forks-while-dying": """
        import os
        if os.fork(): os._exit(0)
        while True:
            try:
                if os.fork(): os._exit(0)
                os.setsid()
            except OSError:
                pass
    """,
    "executes": "import os; os.fork() or os.execv('/bin/sleep', ['sleep', '600'])",
    "orphan-tree": """
        import os, time
        for _ in range(3):
            if not os.fork():
                for _ in range(3): os.fork()
                time.sleep(600)
    """,
}

ATTACKS = {**FILES, **STATE, **PROCESSES}
_UNTOUCHED: dict[str, bytes] = {}


def boxes_alive(rig: Rig) -> list[int]:
    """Processes that run under a uid of the service's programs."""
    base = rig.engine.slots.uid_base
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and base is not None and 0 <= os.stat("/proc/" + name).st_uid - base < 1024:
                found.append(int(name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("name", ATTACKS)
async def test_next_box_finds_nothing_of_it(rig: Rig, name: str) -> None:
    if rig.mode == "none" and name not in FILES:
        return  # nothing holds back a program that is trusted
    look = await rig.program(LOOK)
    if rig.mode not in _UNTOUCHED:
        _UNTOUCHED[rig.mode] = (await rig.run(look)).stdout
    assert _UNTOUCHED[rig.mode].startswith(b"{")
    slot = await rig.slot()
    await rig.run(ATTACKS[name], limits=SHORT)
    await until(lambda: len(tree_of(slot.pid)) == 1 and not boxes_alive(rig))
    after = await rig.run(look)
    assert (after.stdout, after.stderr) == (_UNTOUCHED[rig.mode], b"")
    assert await rig.slot() is slot, "the slot had to be replaced"


@pytest.mark.parametrize("name", ["fork-bomb", "forks-while-dying", "while-cleaning", "full-disk", "many-files"])
async def test_honest_program_right_after(rig: Rig, name: str) -> None:
    if rig.mode == "none" and name not in FILES:
        return
    await rig.run(ATTACKS[name], limits=SHORT)
    run = await rig.run("import os; open('f', 'w').write('x'); print(os.listdir('.'), input())", b"in")
    assert (run.stdout, run.exit_code, run.reason) == (b"['main.py', 'f'] in\n", 0, None) or (
        run.stdout == b"['f', 'main.py'] in\n"
    )


async def test_files_that_fill_the_memory_do_not_cost_the_slot(rig: Rig) -> None:
    # Files in memory outlive the box that the kernel kills for them: nothing is left for whoever cleans up.
    if not rig.engine.slots.use_cgroup:
        return  # a watchdog kills nobody but the box
    fills = await rig.program("""
        import os
        for name in range(40):
            fd = os.open(os.environ["TMPDIR"] + f"/{name}", os.O_RDWR | os.O_CREAT)
            for page in range(2560):
                os.posix_fallocate(fd, page << 12, 4096)
            os.close(fd)
    """)
    limits = replace(LIMITS, memory_bytes=48 * MIB, disk_bytes=400 * MIB)
    slot = await rig.slot()
    for _ in range(8):
        run = await rig.run(fills, limits=limits)
        assert not rig.strict or run.exceeded is Exceeded.MEMORY, run  # elsewhere the files may be on a disk
        assert await rig.slot() is slot


async def test_removing_what_others_left_costs_the_next_box_nothing(rig: Rig) -> None:
    leaves = await rig.program("import os\nfor n in range(1500): os.mkdir(str(n))")
    removed = []
    for kept in (False, True):  # removed as soon as it is over, or when the next program is placed
        await rig.run(leaves, fetch=["nothing"] if kept else ())
        run = await rig.run("print(1)")
        assert run.stdout == b"1\n"
        removed.append(run.usage.cpu_seconds)
    alone = (await rig.run("print(1)")).usage.cpu_seconds
    # Thousands of folders take many times what a program of one line takes, on any machine.
    assert max(removed) < 4 * alone + 0.03


async def test_poisoned_slot_judges_a_known_pair_right(rig: Rig) -> None:
    poison = """
        import builtins, gc, os, sys
        for value in gc.get_objects():
            if isinstance(value, dict):
                for key in list(value):
                    if key in ("print", "exit", "_exit", "dumps", "loads"): value[key] = None
        open("sitecustomize.py", "w").write("raise SystemExit"); open("json.py", "w").write("raise SystemExit")
    """
    for _ in range(3):
        await rig.run(poison, limits=SHORT)
        right = await rig.run("import json; print(json.dumps(int(input()) * 2))", b"21")
        wrong = await rig.run("import json; print(json.dumps(int(input()) * 3))", b"21")
        assert (right.stdout, right.exit_code, wrong.stdout, wrong.exit_code) == (b"42\n", 0, b"63\n", 0)


@pytest.mark.parametrize("size", [8, 120])
async def test_disk_limit_is_told(strict: Rig, size: int) -> None:
    source = """
        import sys, time
        for n in range(int(sys.argv[1])):
            with open(str(n), "wb") as f: f.write(bytes(1 << 20))
        time.sleep(0.3)
    """
    limits = Limits(disk_bytes=64 * MIB, memory_bytes=512 * MIB)
    run = await strict.run(source, args=[str(size)], limits=limits)
    assert run.reason == (None if size < 64 else "more disk space than allowed")


def test_attacks_are_programs() -> None:
    for name, text in ATTACKS.items():
        compile(textwrap.dedent(text), name, "exec")


UNWAITED = """
    import os, signal, time
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    end = time.monotonic() + 6
    while time.monotonic() < end:
        child = os.fork()
        if not child:
            until = time.process_time() + 0.15
            while time.process_time() < until: pass
            os._exit(0)
        try: os.waitpid(child, 0)
        except ChildProcessError: pass
    print("done")
"""


ORPHANED = """
    import os, time
    end = time.monotonic() + 6
    while time.monotonic() < end:
        told, tells = os.pipe()
        child = os.fork()
        if not child:
            if not os.fork():
                until = time.process_time() + 0.15
                while time.process_time() < until: pass
            os._exit(0)
        os.close(tells)
        os.waitpid(child, 0)
        os.read(told, 1)
        os.close(told)
    print("done")
"""


@pytest.mark.parametrize(("source", "cpu"), [(UNWAITED, 0.8), (ORPHANED, 0.3)])
async def test_processes_that_nobody_waits_for_count(rig: Rig, source: str, cpu: float) -> None:
    if rig.mode == "none":
        return  # trusted programs are watched like those without a cgroup, which is seen at `standard`
    run = await rig.run(source, limits=replace(LIMITS, cpu_seconds=cpu, wall_seconds=20))
    assert run.exceeded is Exceeded.TIME
    assert run.reason == "CPU time limit exceeded"


LEAVES_ORPHANS = """
    import os, time
    def fork():
        while True:
            try: return os.fork()
            except BlockingIOError: time.sleep(0.001)  # they are reaped while we run, but not the moment they end
    for _ in range(60):
        child = fork()
        if not child:
            fork()
            os._exit(0)
        os.waitpid(child, 0)
    print("left")
"""


async def test_orphans_that_ended_do_not_use_up_the_limit_of_processes(rig: Rig) -> None:
    if rig.mode == "none":
        return  # root's processes are not counted by the kernel
    run = await rig.run(LEAVES_ORPHANS, limits=replace(LIMITS, processes=12, wall_seconds=10))
    assert (run.stdout, run.reason) == (b"left\n", None), run


async def test_time_of_orphans_that_ended_is_in_the_sum(rig: Rig) -> None:
    source = """
        import os, time
        told, tells = os.pipe()
        for _ in range(3):
            if not os.fork():
                if not os.fork():
                    until = time.process_time() + 0.1
                    while time.process_time() < until: pass
                os._exit(0)
        os.close(tells)
        os.read(told, 1)
        time.sleep(0.05)
    """
    run = await rig.run(source)
    assert (run.exit_code, run.reason) == (0, None)
    assert run.usage.cpu_seconds > 0.3


async def test_waiting_for_ones_own_processes_stretches_no_wall_limit(rig: Rig) -> None:
    if rig.mode == "none":
        return
    run = await rig.run(
        """
        import os, time
        cpu = min(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cpu})
        for _ in range(3):
            if not os.fork():
                while True: pass
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while True: pass
        """,
        limits=replace(LIMITS, cpu_seconds=60, wall_seconds=1),
    )
    assert (run.exceeded, run.reason) == (Exceeded.TIME, "wall time limit exceeded")
    assert run.usage.wall_seconds < 5


async def test_disk_is_bounded_in_sum_however_short_the_program(rig: Rig) -> None:
    if rig.mode == "none":
        return
    run = await rig.run(
        "for i in range(40): open(f'x{i}', 'wb').write(bytes(1 << 20))", limits=replace(LIMITS, disk_bytes=8 * MIB)
    )
    assert run.reason == "more disk space than allowed"
    assert (
        await rig.run("open('x', 'wb').write(bytes(4 << 20))", limits=replace(LIMITS, disk_bytes=8 * MIB))
    ).reason is None


async def test_neighbours_may_not_be_looked_at(rig: Rig) -> None:
    if rig.engine.walls.level != "standard":
        return  # elsewhere the neighbours' folders are in another file system
    work = (await rig.run("import os; print(os.getcwd())")).stdout.decode().strip()
    other = Path(work).parents[1] / "scalebox-neighbour"
    other.mkdir(mode=0o700)
    try:
        run = await rig.run(f"import os; os.stat({str(other) + '/work'!r})")
    finally:
        other.rmdir()
    assert b"PermissionError" in run.stderr


async def test_sockets_in_flight_end_with_their_box(rig: Rig) -> None:
    if not rig.strict:
        return  # elsewhere no socket has a name
    leave = """
        import array, socket
        def send(over, what):
            over.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [what.fileno()]).tobytes())])
        one, other = socket.socketpair()
        named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        named.bind("\\0message")
        file = open("gone", "wb+")
        file.write(bytes(40 << 20)); file.flush()
        for what in (named, file, other): send(one, what)
        send(other, one)
        print("left")
    """
    look = await rig.program("print(open('/proc/self/net/unix').read().count(chr(10)))")
    for _ in range(14):
        assert (await rig.run(leave)).stdout == b"left\n"
        assert (await rig.run(look)).stdout == b"1\n"


HIDES_SHARED = """
    import mmap, time
    step = 1 << 20
    area = mmap.mmap(-1, 160 * step)
    for at in range(0, 160 * step, step):
        area[at : at + step] = bytes(step)
        area.madvise(mmap.MADV_DONTNEED, at, step)  # no longer resident, and there all the same
    print(area[5], flush=True)
    time.sleep(5)
"""
HIDES_UNDUMPABLE = (
    """
    import ctypes
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
"""
    + HIDES_SHARED
)
HIDES_UNMAPPED = """
    import ctypes, mmap, time
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    size = 24 << 20
    for _ in range(6):
        at = libc.mmap(None, ctypes.c_size_t(size), 3, 0x21, -1, ctypes.c_long(0))
        ctypes.memset(at, 1, size)
        time.sleep(0.05)
        libc.munmap(at, size - 4096)  # its last page keeps all of it
    print("held", flush=True)
    time.sleep(5)
"""


FIRST_THREAD_ENDS = """
    import ctypes, os, threading, time
    ended, pause = threading.Event(), time.sleep  # what follows may have a `time` of its own
    def go_on():
        ended.wait()
        while open("/proc/self/statm").read(1) != "0": pause(0.001)
        {then}
    threading.Thread(target=go_on).start()
    ended.set()
    ctypes.CDLL(None).syscall({exit}, 0)
"""
"""What its processes' own folders tell of a program is nothing from then on."""
_EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]


def without_first_thread(source: str) -> str:
    """A program that does all of it once its first thread has ended."""
    then = textwrap.indent(textwrap.dedent(source).strip(), " " * 8).strip()
    return FIRST_THREAD_ENDS.format(then=then, exit=_EXIT)


HIDES_RESIDENT = """
    held = bytearray(160 << 20)
    print("held", flush=True)
    time.sleep(5)
"""


@pytest.mark.parametrize("source", [HIDES_RESIDENT, HIDES_SHARED])
async def test_memory_counts_when_the_first_thread_has_ended(rig: Rig, source: str) -> None:
    limits = replace(LIMITS, memory_bytes=80 * MIB, cpu_seconds=20, wall_seconds=20)
    run = await rig.run(without_first_thread(source), limits=limits)
    assert (run.exceeded, run.reason) == (Exceeded.MEMORY, "memory limit exceeded")
    assert run.usage.wall_seconds < 5  # ended for it, not found out afterwards


async def test_program_whose_first_thread_has_ended_may_go_on(rig: Rig) -> None:
    run = await rig.run(without_first_thread("time.sleep(0.1); print(1, flush=True); os._exit(0)"))
    assert (run.stdout, run.exit_code, run.reason) == (b"1\n", 0, None)


@pytest.mark.parametrize("source", [HIDES_SHARED, HIDES_UNDUMPABLE, HIDES_UNMAPPED])
async def test_shared_memory_that_is_not_resident_counts(rig: Rig, source: str) -> None:
    run = await rig.run(source, limits=replace(LIMITS, memory_bytes=80 * MIB))
    assert (run.exceeded, run.reason) == (Exceeded.MEMORY, "memory limit exceeded")


async def test_shared_memory_of_many_faults_counts_once(rig: Rig) -> None:
    run = await rig.run(
        """
        import mmap, os, time
        size = 40 << 20
        area = mmap.mmap(-1, size)
        for _ in range(2): area[:] = bytes(size)  # faults for twice as much as there is
        if not os.fork():
            area[:] = bytes(size)
            time.sleep(0.2)
            os._exit(0)
        time.sleep(0.1)
        os.wait()
        print("fine")
        """,
        limits=replace(LIMITS, memory_bytes=112 * MIB),
    )
    assert (run.stdout, run.reason) == (b"fine\n", None)


UNLINKED = {
    "open": "kept.append(fd)",
    "mapped": "kept.append(libc.mmap(None, ctypes.c_size_t(4096), 1, 1, fd, ctypes.c_long(0))); os.close(fd)",
    "in-flight": """
                   socket.send_fds(kept_socket, [b"x"], [fd]); os.close(fd)""",
}


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("way", UNLINKED)
async def test_unlinked_files_count_for_the_disk(rig: Rig, way: str, ended: bool) -> None:
    source = f"""
        import ctypes, os, socket, time
        libc = ctypes.CDLL(None)
        kept, (kept_socket, other) = [], socket.socketpair()
        for n in range(6):
            fd = os.open(f"x{{n}}", os.O_RDWR | os.O_CREAT)
            os.write(fd, bytes(3 << 20))
            os.unlink(f"x{{n}}")
            {UNLINKED[way].strip()}
        print("held", flush=True)
        time.sleep(5)
    """
    if ended and rig.strict:
        return  # what the file system holds tells of it there, whoever has it
    run = await rig.run(without_first_thread(source) if ended else source, limits=replace(LIMITS, disk_bytes=8 * MIB))
    if rig.strict and run.reason != "more disk space than allowed":
        assert run.exceeded is Exceeded.MEMORY  # files of a box's own file system are memory
    else:
        assert run.reason == "more disk space than allowed", run


NAMELESS = {
    "written": "os.write(fd, bytes(3 << 20))",
    "allocated": "os.posix_fallocate(fd, 0, 3 << 20)",
    "mapped": "os.ftruncate(fd, 3 << 20); kept.append(mmap.mmap(fd, 3 << 20)); kept[-1].write(bytes(3 << 20))",
}


@pytest.mark.parametrize("way", NAMELESS)
async def test_files_that_never_had_a_name_count_for_the_disk(rig: Rig, way: str) -> None:
    source = f"""
        import mmap, os, time
        kept = []
        for _ in range(6):
            fd = os.open(".", os.O_RDWR | os.O_TMPFILE)
            {NAMELESS[way]}
        print("held", flush=True)
        time.sleep(5)
    """
    run = await rig.run(source, limits=replace(LIMITS, disk_bytes=8 * MIB))
    if rig.strict and run.reason != "more disk space than allowed":
        assert run.exceeded is Exceeded.MEMORY
    else:
        assert run.reason == "more disk space than allowed", run


async def test_one_descriptor_on_its_way_is_no_offence(rig: Rig) -> None:
    run = await rig.run(
        """
        import os, socket, time
        one, other = socket.socketpair()
        socket.send_fds(one, [b"x"], [os.pipe()[0]])
        open("written", "w").write("x")
        until = time.monotonic() + 0.4  # it is looked at meanwhile
        while time.monotonic() < until: time.sleep(0.02)
        print(len(socket.recv_fds(other, 9, 9)[1]))
        """
    )
    assert (run.stdout, run.reason) == (b"1\n", None)


async def test_case_does_not_see_that_another_read_what_it_reads(rig: Rig) -> None:
    if rig.mode == "none":
        return
    look = await rig.program(
        """
        import os
        folders = (".", "..", os.environ["TMPDIR"], "main.py")
        print([(os.stat(name).st_atime_ns, os.stat(name).st_mtime_ns) for name in folders])
        open("main.py").read()
        for name in folders[:3]:
            try: os.listdir(name)
            except OSError: pass
        """
    )
    first, second = await rig.run(look), await rig.run(look)
    assert first.stdout == second.stdout


async def test_mappings_without_end_do_not_stall_the_watch(rig: Rig) -> None:
    if rig.mode not in {"standard", "standard-watchdog"}:
        return  # elsewhere nobody lists them
    run = await rig.run(
        """
        import mmap, os, time
        open("made", "w").close()  # who makes none has none to hide
        area = mmap.mmap(-1, 60000 << 12, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        import ctypes
        libc = ctypes.CDLL(None)
        at = ctypes.addressof(ctypes.c_char.from_buffer(area))
        for page in range(0, 60000, 2): libc.mprotect(ctypes.c_void_p(at + (page << 12)), 4096, 1)
        for _ in range(12):
            if not os.fork(): break
        print("there", flush=True)
        time.sleep(30)
        """
    )
    assert run.reason == "more disk space than allowed"
