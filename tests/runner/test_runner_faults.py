"""What breaks a slot, and that it costs nothing but a repetition: no wrong end, no wait without bound, nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest
import pytest_asyncio
from runner.rig import LIMITS, MODES, NEEDS_ROOT, Footprint, Rig, boxes_of, footprint, open_rig, until

from scalebox.assembly import open_engine
from scalebox.core.errors import IsolationUnavailable, SandboxError
from scalebox.core.limits import MIB
from scalebox.core.result import Exceeded, RunResult
from scalebox.runner import pool as pool_module
from scalebox.runner import slot as slot_module
from scalebox.runner.memory_file import Channel, MemoryFile
from scalebox.runner.pool import Pair
from scalebox.runner.slot import Slot, tree_of

pytestmark = [pytest.mark.sandbox, NEEDS_ROOT]

WAITING = "import sys, time\nif input() == 'wait': time.sleep(600)\nprint('done')"
LONG = replace(LIMITS, wall_seconds=60)
Strike = Callable[[Rig, Slot], None]


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["strict", "standard"])
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    """One slot that may be broken."""
    try:
        async with open_rig(request.param) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def settled() -> Footprint:
    """What is held once nothing is on its way out, tracebacks with what their frames hold included."""
    gc.collect()
    await asyncio.to_thread(lambda: None)
    return footprint()


def kill(pid: int) -> None:
    """End a process for good, if it did not end by itself."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def launcher(rig: Rig, slot: Slot) -> None:
    """The process that the service started."""
    kill(slot.pid)


def parent(rig: Rig, slot: Slot) -> None:
    """The process that forks boxes."""
    kill(tree_of(slot.pid)[0])


def everything(rig: Rig, slot: Slot) -> None:
    """All of a slot, innermost first; stopped before, so that none can tell of another's end."""
    os.kill(slot.pid, signal.SIGSTOP)
    os.kill(tree_of(slot.pid)[0], signal.SIGSTOP)
    for pid in [*reversed(tree_of(slot.pid)), slot.pid]:
        kill(pid)


async def struck(rig: Rig, strikes: int, strike: Strike) -> RunResult:
    """Run what waits for ever, and break its slot as often as told once the box is there."""
    program = await rig.program(WAITING)
    run = asyncio.create_task(rig.run(program, b"wait", limits=LONG))
    [pair] = rig.engine.pool._pairs
    broken: list[Slot] = []
    for _ in range(strikes):
        await until(lambda: _busy(rig, pair, broken))
        strike(rig, broken[-1])
    return await run


def _busy(rig: Rig, pair: Pair, broken: list[Slot]) -> bool:
    """Whether a slot that was not broken yet runs a box; it is put on the list."""
    slot = pair._slots[0]
    if slot is None or slot in broken or not boxes_of(slot, rig):
        return False
    broken.append(slot)
    return True


@pytest.mark.parametrize("strike", [launcher, parent, everything])
async def test_killed_while_running_is_run_again(rig: Rig, strike: Strike) -> None:
    await rig.run("print(1)")
    before = await settled()
    broken = await rig.slot()
    program = await rig.program("import os, time\ntime.sleep(0.5)\nprint('done')")
    run = asyncio.create_task(rig.run(program))
    await until(lambda: bool(boxes_of(broken, rig)))
    strike(rig, broken)
    assert (await run).stdout == b"done\n"
    assert await rig.slot() is not broken
    assert (await rig.run("print(2)")).stdout == b"2\n"
    assert await settled() == before


@pytest.mark.parametrize("strike", [launcher, parent])
async def test_killed_twice_is_our_error(rig: Rig, strike: Strike) -> None:
    await rig.run("print(1)")
    before = await settled()
    with pytest.raises(SandboxError, match="a slot died"):
        await struck(rig, 2, strike)
    assert (await rig.run("print(2)")).stdout == b"2\n"
    assert await settled() == before


@pytest.mark.parametrize("strike", [launcher, parent, everything])
async def test_killed_while_idle_is_not_noticed(rig: Rig, strike: Strike) -> None:
    broken = await rig.slot()
    before = await settled()
    strike(rig, broken)
    runs = [await rig.run("print(3)") for _ in range(3)]
    assert {run.stdout for run in runs} == {b"3\n"}
    assert await rig.slot() is not broken
    await until(lambda: footprint().processes == before.processes)
    assert await settled() == before


async def test_stopped_slot_is_given_up_in_bounded_time(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_module, "_GRACE_SECONDS", 0.1)
    monkeypatch.setattr(slot_module, "_WALL_STRETCH", 1)
    monkeypatch.setattr(slot_module, "_LEAVE_SECONDS", 0.05)
    before = await settled()
    await stopped(rig)
    assert await settled() == before


async def stopped(rig: Rig) -> None:
    """Stop the slot while it runs a program."""
    program = await rig.program("import os, time\ntime.sleep(0.5)\nprint('done')")
    broken = await rig.slot()
    run = asyncio.create_task(rig.run(program, limits=replace(LIMITS, wall_seconds=1)))
    await until(lambda: bool(boxes_of(broken, rig)))
    os.kill(tree_of(broken.pid)[0], signal.SIGSTOP)
    assert (await run).stdout == b"done\n"
    assert broken.closed


async def cancelled(rig: Rig, run: Awaitable[RunResult], slot: Slot) -> None:
    """Cancel a run once its box is there."""
    task = asyncio.ensure_future(run)
    await until(lambda: bool(boxes_of(slot, rig)))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelled_run_leaves_a_sound_slot(rig: Rig) -> None:
    program = await rig.program(WAITING)
    slot = await rig.slot()
    before = await settled()
    for _ in range(20):
        await cancelled(rig, rig.run(program, b"wait", limits=LONG), slot)
        assert len(tree_of(slot.pid)) == 1
        assert (await rig.run(program, b"go")).stdout == b"done\n"
    assert await rig.slot() is slot
    assert await settled() == before


async def test_cancelled_at_any_moment(rig: Rig) -> None:
    program = await rig.program("import os\nfor n in range(30): open(str(n), 'w')\nprint('done')")
    before = await settled()
    for step in range(40):
        task = asyncio.create_task(rig.run(program))
        for _ in range(step):
            await asyncio.sleep(0)
        await asyncio.sleep(0.0003 * step)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        del task
        assert (await rig.run(program)).stdout == b"done\n"
    assert await settled() == before


async def test_cancelled_while_the_last_box_is_cleaned_up(rig: Rig) -> None:
    dirty = "import os\nfor n in range(3000): os.close(os.open(str(n), os.O_CREAT))"
    program = await rig.program(WAITING)
    slot = await rig.slot()
    for _ in range(3):
        await rig.run(dirty)
        task = asyncio.create_task(rig.run(program, b"wait", limits=LONG))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        run = await rig.run("import os; print(os.listdir('.'))")
        assert run.stdout == b"['main.py']\n"
    assert await rig.slot() is slot


async def test_cancelled_twice(rig: Rig) -> None:
    program = await rig.program(WAITING)
    before = await settled()
    task = asyncio.create_task(rig.run(program, b"wait", limits=LONG))
    slot = await rig.slot()
    await until(lambda: bool(boxes_of(slot, rig)))
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    del task
    assert await rig.slot() is slot
    assert (await rig.run(program, b"go")).stdout == b"done\n"
    assert await settled() == before


async def test_reply_that_crosses_its_cancellation_is_taken(rig: Rig) -> None:
    program = await rig.program("import time; time.sleep(0.1); print('done')")
    slot = await rig.slot()
    task = asyncio.create_task(rig.run(program))
    await until(lambda: slot._waiting is not None and not slot._waiting.done())
    time.sleep(0.3)  # ruff: ignore[blocking-sleep-in-async-function] - the box ends, and its reply lies in the socket
    task.cancel()
    slot._on_packet()  # as the loop does where the socket was found readable in the turn of the cancellation
    async with asyncio.timeout(5):
        await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert await rig.slot() is slot
    assert (await rig.run(program)).stdout == b"done\n"


async def test_cancelled_during_set_up(rig: Rig) -> None:
    await rig.run("print(1)")
    before = await settled()
    for delay in (0.0, 0.01, 0.03, 0.06):
        start = asyncio.create_task(Slot.start(rig.engine.slots, 900, f"test-{os.getpid()}-{delay}"))
        await asyncio.sleep(delay)
        start.cancel()
        await asyncio.gather(start, return_exceptions=True)
        if not start.cancelled():
            await start.result().close()
    await until(lambda: footprint().processes == before.processes)
    assert await settled() == before


@pytest.mark.parametrize(
    "broken",
    [
        {"python": "/nowhere/python3"},
        {"python": "/bin/false"},
        {"python": "/bin/echo"},
        {"level": "strict", "show": ["/proc/self/exe"]},
    ],
)
async def test_slot_that_cannot_be_started_leaves_nothing(rig: Rig, broken: dict[str, object]) -> None:
    before = await settled()
    settings = replace(rig.engine.slots, **broken)  # type: ignore[arg-type]  # fields of several types
    with pytest.raises(SandboxError):
        await (await Slot.start(settings, 901, f"broken-{os.getpid()}")).close()
    assert await settled() == before


async def test_pool_that_cannot_be_opened_says_why(rig: Rig) -> None:
    broken = pool_module.Pool(replace(rig.engine.slots, python="/nowhere/python3"), 2)
    with pytest.raises(SandboxError, match="/nowhere/python3"):
        await broken.open()
    await broken.close()


async def test_two_engines_in_one_process() -> None:
    settings = MODES["strict"]
    try:
        async with open_engine(settings) as first, open_engine(settings) as second:
            rigs = [Rig(engine, "strict") for engine in (first, second)]
            runs = [await rig.run("import os; print(os.getuid())") for rig in rigs]
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    assert [run.exit_code for run in runs] == [0, 0]
    if first.walls.change_uid:
        assert runs[0].stdout != runs[1].stdout  # what one may signal or count is not the other's


@pytest.mark.parametrize("make", [lambda: MemoryFile("x", b"x"), lambda: Channel("x")])
def test_no_descriptor_left_is_our_error(make: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(os, "memfd_create", refuse)
    with pytest.raises(SandboxError, match="Too many open files"):
        make()


async def test_two_submissions_of_the_same_names_at_once() -> None:
    source = """
        import os, sys, time
        word = input()
        paths = ["out", "/tmp/out", "/dev/shm/out"]
        for path in paths:
            open(path, "x").write(word)
        time.sleep(0.05)
        print([open(path).read() for path in paths], sorted(os.listdir("/tmp")))
    """
    try:
        async with open_engine(MODES["strict"].model_copy(update={"slots": 2})) as engine:
            both = Rig(engine, "strict")
            program = await both.program(source)
            for _ in range(3):
                runs = await asyncio.gather(*(both.run(program, word) for word in (b"one", b"two")))
                assert [run.stdout for run in runs] == [
                    f"{[word] * 3} ['out']\n".encode() for word in ("one", "two")
                ], runs
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("source", ["while True: pass", "import os\nos.fork()\nwhile True: pass"])
async def test_program_ends_with_the_service_that_asked_for_it(rig: Rig, source: str) -> None:
    program = await rig.program(source)
    slot = await rig.slot()
    run = asyncio.create_task(rig.run(program, limits=replace(LONG, cpu_seconds=60)))
    await until(lambda: bool(boxes_of(slot, rig)))
    left = [slot.pid, *tree_of(slot.pid)]
    slot._control.shutdown(socket.SHUT_RDWR)  # as the kernel does for a service that was killed
    await until(lambda: not any(_runs(pid) for pid in left))
    run.cancel()
    with contextlib.suppress(asyncio.CancelledError, SandboxError):
        await run


def _runs(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2][:1] not in {b"Z", b"X"}
    return False


async def test_neighbour_of_a_program_that_takes_all_memory_is_judged_right() -> None:
    hog = "import os\nos.fork(); os.fork()\nheld = []\nwhile True: held.append(bytearray(1 << 20))"
    honest = "held = [bytearray(1 << 20) for _ in range(48)]\nprint(sum(map(len, held)) >> 20)"
    limits = replace(LIMITS, memory_bytes=96 * MIB)
    for mode in ("strict", "standard-watchdog"):
        try:
            async with open_engine(MODES[mode].model_copy(update={"slots": 2})) as engine:
                both = Rig(engine, mode)
                programs = [await both.program(source) for source in (hog, honest)]
                for _ in range(2):
                    taken, run = await asyncio.gather(*(both.run(program, limits=limits) for program in programs))
                    assert taken.exceeded is Exceeded.MEMORY
                    assert (run.stdout, run.exceeded, run.exit_code) == (b"48\n", None, 0)
        except IsolationUnavailable as error:
            pytest.skip(str(error))


async def test_flood_in_one_call_is_held_by_nobody(rig: Rig) -> None:
    flood = """
        import mmap, os
        os.write(1, mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ))
    """
    program = await rig.program(flood)
    limits = replace(LIMITS, output_bytes=8 * MIB)
    await rig.run(program, limits=limits)
    before = _resident()
    for _ in range(3):
        run = await rig.run(program, limits=limits)
        assert run.exceeded is Exceeded.OUTPUT
        assert len(run.stdout) <= limits.output_bytes
    del run
    assert _resident() - before < 2 * limits.output_bytes


def _resident() -> int:
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


MIXED = [
    ("print(input())", None),
    ("1 / 0", None),
    ("while True: pass", Exceeded.TIME),
    ("import time; time.sleep(60)", Exceeded.TIME),
    ("x = bytearray(70 << 20)", Exceeded.MEMORY),
    ("while True: print('x' * 9999)", Exceeded.OUTPUT),
    ("import os; os.kill(os.getpid(), 9)", None),
    ("import os\nfor _ in range(5): os.fork() or __import__('time').sleep(60)", None),
    ("open('x', 'w').write('x')", None),
    ("import os; os.makedirs('a/b/c'); os.symlink('/', 'l'); os.mkfifo('f')", None),
]


async def test_many_runs_leave_everything_flat(rig: Rig) -> None:
    limits = replace(LIMITS, cpu_seconds=0.3, wall_seconds=0.5, memory_bytes=64 * MIB, output_bytes=MIB)
    programs = [(await rig.program(source), exceeded) for source, exceeded in MIXED]
    slot = await rig.slot()
    before = await settled()
    inside = len(os.listdir(f"/proc/{tree_of(slot.pid)[0]}/fd"))
    for _ in range(4):
        for program, exceeded in programs:
            run = await rig.run(program, b"x", limits=limits)
            assert exceeded is None or run.exceeded is exceeded
    assert await rig.slot() is slot
    assert await settled() == before
    assert len(os.listdir(f"/proc/{tree_of(slot.pid)[0]}/fd")) == inside


async def test_closed_engine_leaves_nothing() -> None:
    before = await settled()
    for mode in ("strict", "standard"):
        try:
            async with open_rig(mode) as opened:
                await opened.run("print(1)")
        except IsolationUnavailable:
            continue
    assert await settled() == before


async def test_signals_of_the_service_are_not_the_programs(rig: Rig) -> None:
    source = """
        import signal
        print([str(signal.getsignal(n)) for n in (1, 3, 10, 12)], signal.getsignal(2) is signal.default_int_handler)
        print(signal.pthread_sigmask(0, []))
    """
    ignored = {number: signal.signal(number, signal.SIG_IGN) for number in (1, 2, 3, 10)}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {12})
    try:
        async with open_rig(rig.mode) as other:
            run = await other.run(source)
    finally:
        for number, handler in ignored.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    default = str(signal.SIG_DFL)
    assert run.stdout.decode() == f"{[default] * 4} True\nset()\n"


async def test_nothing_outlives_a_parent_that_dies(rig: Rig) -> None:
    await rig.run("print(1)")
    slot = await rig.slot()
    program = await rig.program(
        """
        import ctypes, os, time
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG
        if os.fork() and os.fork(): print("there", flush=True)
        os.setsid() if os.getpid() != os.getpgrp() else None
        time.sleep(600)
        """
    )
    run = asyncio.create_task(rig.run(program, limits=LONG))
    await until(lambda: len(boxes_of(slot, rig)) == 3)
    left = boxes_of(slot, rig)
    kill(tree_of(slot.pid)[0])
    await until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in left))
    run.cancel()
    with contextlib.suppress(asyncio.CancelledError, SandboxError):
        await run
