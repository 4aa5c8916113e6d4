"""What had to run, and what programs themselves used."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from by_hand import OwnTask, Pass, limit_seconds, own, plain
from common import CPUS, Task
from hypothesis import given
from hypothesis import strategies as st
from meter import Meter, listeners

BURN = "import time\nwhile time.process_time() < 0.3:\n    pass\n"


def task(source: str, *, run_seconds: float = 10.0, judge: str | None = None, answer: bytes = b"42\n") -> Task:
    return Task(
        name="made here",
        language="python",
        source=source,
        run_seconds=run_seconds,
        inputs=(b"41\n",),
        answers=(answer,),
        judge=judge,
        accepted=True,
        due=(),
    )


def cost(seconds: tuple[float, ...], passed: tuple[bool, ...]) -> OwnTask:
    return OwnTask(compile_seconds=1.0, case_seconds=seconds, passed=passed)


@pytest.mark.parametrize(
    ("which", "due"),
    [
        (Pass.ALL, 1 + 2 + 4 + 8 + 16),
        (Pass.FIRST, 1 + 2 + 4),
        (Pass.SECOND, 1 + 4),
    ],
)
def test_of_a_wrong_program_only_some_cases_had_to_run(which: Pass, due: float) -> None:
    assert cost((2, 4, 8, 16), (True, False, False, True)).due(which) == due


@pytest.mark.parametrize("which", Pass)
def test_of_a_right_program_all_cases_had_to_run(which: Pass) -> None:
    assert cost((2, 4), (True, True)).due(which) == 7


@given(st.lists(st.tuples(st.floats(0, 10), st.booleans()), min_size=1))
def test_knowing_more_never_has_more_to_run(cases: list[tuple[float, bool]]) -> None:
    found = cost(tuple(seconds for seconds, _ in cases), tuple(passed for _, passed in cases))
    assert found.due(Pass.SECOND) <= found.due(Pass.FIRST) <= found.due(Pass.ALL) + 1e-9


@pytest.mark.parametrize(
    ("source", "passed"),
    [
        ("print(int(input()) + 1)", True),
        ("import atexit\natexit.register(print, 42)", True),
        ("import sys\nprint(42)\nsys.exit()", True),
        ("import sys\nprint(42)\nsys.exit(3)", False),
        ("import sys\nprint(42)\nsys.exit('no')", False),
        ("print(42)\n1 / 0", False),
        ("print(43)", False),
        ("print(", False),
    ],
)
def test_the_program_that_is_measured_behaves_as_the_program(source: str, passed: bool) -> None:
    (found,) = own([task(source)], sys.executable)
    assert found.passed == (passed,)


def test_only_the_programs_own_cpu_counts() -> None:
    idle, busy = own([task("print(42)"), task(BURN)], sys.executable)
    assert 0 < idle.case_seconds[0] < busy.case_seconds[0]
    assert busy.case_seconds[0] < 1
    assert limit_seconds([idle, busy], Pass.ALL) == pytest.approx((idle.case_seconds[0] + busy.case_seconds[0]) / CPUS)


def test_an_endless_program_counts_as_its_limit() -> None:
    (found,) = own([task("while True: pass", run_seconds=0.2)], sys.executable)
    assert found.case_seconds == (0.2,)
    assert found.passed == (False,)


@pytest.mark.parametrize(("status", "passed"), [(0, True), (1, False)])
def test_a_special_judge_decides_where_the_output_is_not_the_answer(status: int, passed: bool) -> None:
    judge = f"import sys\nassert open('answer.txt').read() == '42\\n'\nsys.exit({status})"
    (found,) = own([task("print(int(input()) + 1)", judge=judge, answer=b"40\n")], sys.executable)
    assert found.passed == (passed,)


def test_plain_counts_what_its_processes_spend() -> None:
    figures = plain([task(BURN)], sys.executable, stop=False)
    assert figures.spent.tree >= 0.25
    assert figures.mismatches is None


def test_a_meter_counts_children_that_live_and_that_are_gone() -> None:
    meter = Meter([os.getpid()])
    subprocess.run([sys.executable, "-c", BURN], check=True)
    stays = f"{BURN}\nimport sys\nprint(flush=True)\nsys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", stays], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        spent = meter.spent()
        child.send_signal(signal.SIGKILL)
    assert spent.tree >= 0.5


def test_listeners_finds_who_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert listeners(server.getsockname()[1]) == [os.getpid()]


def test_listeners_says_when_nobody_does() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(LookupError, match=str(port)):
        listeners(port)


def test_programs_run_where_their_files_are(tmp_path: Path) -> None:
    source = f"import os\nprint(42 if os.getcwd() != {str(tmp_path)!r} and os.path.exists('main.py') else 0)"
    (found,) = own([task(source)], sys.executable)
    assert found.passed == (True,)
