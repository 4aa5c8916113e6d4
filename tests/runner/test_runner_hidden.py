"""What processes hold is seen by an ordinary user's eyes too, while they end and while they start, and hiding it is told from ending."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scalebox.config import SYSTEM_PYTHON
from scalebox.runner.zygote import hidden, proc

pytestmark = pytest.mark.sandbox
Start = Callable[[str], "subprocess.Popen[bytes]"]

NOBODY = 65534
LARGEST = 1 << 30
WITHOUT_FIRST = """
import ctypes, os, threading, time
held = open({name!r}, "wb")
held.write(bytes(3 << 20)); held.flush()
os.unlink({name!r})
def stay():
    while open("/proc/self/statm").read(1) != "0": time.sleep(0.001)
    print("ended", flush=True)
    time.sleep(30)
threading.Thread(target=stay).start()
ctypes.CDLL(None).syscall({exit}, 0)
"""
_EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]
UNDUMPABLE = "import ctypes, time; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); print('hides', flush=True); time.sleep(30)"
ENDS_WITH_THREADS = """
import os, threading, time
for _ in range(24): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
print("made", flush=True)
time.sleep(0.002)
os._exit(0)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where that user may write."""
    with tempfile.TemporaryDirectory(prefix="scalebox-test-", dir="/tmp") as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a program of an ordinary user's, and waits until it says something."""
    user: dict[str, int] = {"user": NOBODY} if os.geteuid() == 0 else {}
    programs: list[subprocess.Popen[bytes]] = []

    def started(source: str) -> subprocess.Popen[bytes]:
        program = subprocess.Popen([SYSTEM_PYTHON, "-c", source], stdout=subprocess.PIPE, cwd="/", **user)  # type: ignore[call-overload]
        programs.append(program)
        assert program.stdout.readline()
        return program  # type: ignore[no-any-return]

    yield started
    for program in programs:
        program.kill()
        program.communicate()


def with_their_eyes(ask: Callable[[], int]) -> int:
    """What the function answers an ordinary user, as a number of megabytes; it is asked in a child of ours."""
    pid = os.fork()
    if pid == 0:
        status = 255
        try:
            if os.geteuid() == 0:
                os.setresuid(NOBODY, NOBODY, NOBODY)
            status = min(ask() >> 20, 254)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_what_is_held_behind_an_ended_first_thread(folder: Path, start: Start) -> None:
    pid = start(WITHOUT_FIRST.format(name=str(folder / "held"), exit=_EXIT)).pid
    assert with_their_eyes(lambda: hidden.unlinked_bytes([pid], str(folder), LARGEST, None)) == 3
    assert with_their_eyes(lambda: hidden.unlinked_bytes([pid], str(folder / "other"), LARGEST, None)) == 0


def test_whoever_hides_holds_too_much(folder: Path, start: Start) -> None:
    pid = start(UNDUMPABLE).pid

    def held(unmade: int = 0, *, hide: bool = False) -> int:
        return with_their_eyes(
            lambda: hidden.unlinked_bytes([pid], str(folder), LARGEST, None, unmade=unmade, hide=hide)
        )

    assert held() == 254
    assert held(unmade=pid) == held(hide=True) == 0
    assert with_their_eyes(lambda: 0 if proc.mappings(pid, 1 << 20) is None else 1 << 20) == 0


def test_a_process_that_ends_hides_nothing(folder: Path, start: Start) -> None:
    for _ in range(40):
        program = start(ENDS_WITH_THREADS)

        def looks(pid: int = program.pid) -> int:
            while proc.state(pid) not in {"Z", ""}:
                if hidden.unlinked_bytes([pid], str(folder), LARGEST, None):
                    return 1 << 20
            return 0

        assert with_their_eyes(looks) == 0
        assert program.wait() == 0
    assert hidden.unlinked_bytes([program.pid], str(folder), LARGEST, None) == 0  # it is gone


def test_a_program_that_is_stopped_is_not_being_executed(start: Start) -> None:
    program = start("print(1, flush=True)\nwhile True: pass")
    assert proc.runs(program.pid)
    program.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, program.pid, os.WSTOPPED)
    assert not proc.runs(program.pid)
