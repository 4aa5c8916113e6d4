"""What programs cost without a judge: `plain`, each test as a fresh process, and the programs' own CPU, the physical limit.

``plain``  each test as ``python3 file.py``, from as many threads as there are CPUs; C++ is compiled once (``g++ -O2``), and a special
           judge is another fresh process wherever the output is not the answer. It limits nothing and isolates nothing.
own CPU    what a program uses from its first own instruction to its exit: an interpreter loads what the source imports of the
           standard library, compiles the source, notes the CPU time it has used so far, goes on as the program, and exits
           once what the program registered for its end has run, without taking the interpreter apart. What wait4 says of
           it, less the note, is the program's own. All of a compiled program's process is its own. A program that runs into
           its time limit is killed there.
limit      the own CPU of the cases that had to run, special judges and the C++ compiler included, spread over all CPUs: no
           judge that runs these programs on this machine can be faster, however it is built
"""

from __future__ import annotations

import ast
import math
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from common import CPUS, Task
from meter import Figures, Meter, on_cpu

COMPILE: Final = ("g++", "-std=gnu++20", "-O2", "-w", "-o")
AS_PROGRAM: Final = """\
import atexit, os, sys, time
note, path, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
for name in sys.argv[4:]:
    __import__(name)
with open(path, "rb") as file:
    code = compile(file.read(), path, "exec")
os.chdir(folder)
sys.argv, sys.path[0], __file__ = [path], os.path.dirname(path), path
status = 0
os.write(note, repr(time.process_time()).encode())
os.close(note)
try:
    exec(code)
except SystemExit as end:
    status = end.code if isinstance(end.code, int) else int(end.code is not None)
except BaseException:
    sys.excepthook(*sys.exc_info())
    status = 1
atexit._run_exitfuncs()
sys.stdout.flush()
os._exit(status & 255)
"""
_NOTE_FD: Final = 9
_T = TypeVar("_T")
_WALL_FACTOR: Final = 10.0
"""Times its CPU limit that a program may take by the clock, however busy the machine is."""


class Pass(StrEnum):
    """Which tests have to run."""

    ALL = "every test"
    FIRST = "first pass"
    """Stop at the first failure; nothing is known of the problem: every test up to it."""
    SECOND = "second pass"
    """Stop at the first failure; the order was learned: of a wrong program one failing test, the cheapest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTask:
    """What one task's programs used themselves."""

    compile_seconds: float
    case_seconds: tuple[float, ...]
    """Of the program, and of the special judge where it was asked."""
    passed: tuple[bool, ...]

    def due(self, which: Pass) -> float:
        """CPU seconds of what had to run."""
        failing = [seconds for seconds, passed in zip(self.case_seconds, self.passed, strict=True) if not passed]
        if which is Pass.ALL or not failing:
            return self.compile_seconds + sum(self.case_seconds)
        if which is Pass.SECOND:
            return self.compile_seconds + min(failing)
        return self.compile_seconds + sum(self.case_seconds[: self.passed.index(False) + 1])


def plain(tasks: Sequence[Task], python: str, *, stop: bool) -> Figures:
    """Every test of every task as a fresh process; with ``stop`` those up to each task's first failure."""
    meter = Meter([os.getpid()])
    began = time.perf_counter()
    _each(tasks, lambda task, folder: _plain_task(task, folder, python, stop=stop))
    return Figures(wall_seconds=time.perf_counter() - began, spent=meter.spent())


def own(tasks: Sequence[Task], python: str) -> list[OwnTask]:
    """The own CPU of every case of every task, two at a time as under load."""
    return _each(tasks, lambda task, folder: _own_task(task, folder, python))


def limit_seconds(costs: Sequence[OwnTask], which: Pass) -> float:
    """The time that the machine cannot beat."""
    return sum(cost.due(which) for cost in costs) / CPUS


def _each(tasks: Sequence[Task], one: Callable[[Task, Path], _T]) -> list[_T]:
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(CPUS) as threads:

        def in_folder(number: int) -> _T:
            folder = Path(name) / str(number)
            folder.mkdir()
            return one(tasks[number], folder)

        return list(threads.map(in_folder, range(len(tasks))))


def _written(task: Task, folder: Path) -> Path:
    source = folder / ("main.cpp" if task.language == "cpp" else "main.py")
    source.write_text(task.source, encoding="utf-8")
    if task.judge is not None:
        (folder / "judge.py").write_text(task.judge, encoding="utf-8")
    return source


def _write_texts(folder: Path, stdin: bytes, answer: bytes, output: bytes) -> None:
    """The three files of a special judge, under the names that the workload's judges read them by."""
    for name, text in (("stdin", stdin), ("stdout", answer), ("answer", output)):
        (folder / f"{name}.txt").write_bytes(text)


def _plain_task(task: Task, folder: Path, python: str, *, stop: bool) -> None:
    source = _written(task, folder)
    command = [python, str(source)]
    if task.language == "cpp":
        command = [str(folder / "main")]
        subprocess.run([*COMPILE, command[0], str(source)], check=True)  # noqa: S603 - the workload's own programs
    for stdin, answer in zip(task.inputs, task.answers, strict=True):
        if not _plain_case(task, folder, command, python, stdin, answer) and stop:
            return


def _plain_case(task: Task, folder: Path, command: list[str], python: str, stdin: bytes, answer: bytes) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 - the workload's own programs
            command,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=task.run_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode != 0 or task.judge is None or done.stdout.split() == answer.split():
        return done.returncode == 0 and done.stdout.split() == answer.split()
    _write_texts(folder, stdin, answer, done.stdout)
    return subprocess.run([python, "judge.py"], cwd=folder, stderr=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    own_seconds: float
    status: int
    output: bytes


def _as_program(python: str, path: Path, source: str) -> list[str]:
    """The command that runs a source, and notes what it cost to get there."""
    return [python, "-c", AS_PROGRAM, str(_NOTE_FD), str(path), str(path.parent), *_imports(source)]


def _imports(source: str) -> list[str]:
    """The modules of the standard library that a Python source imports anywhere; none where it does not compile."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return sorted(name for name in named if name.partition(".")[0] in sys.stdlib_module_names)


def _own_task(task: Task, folder: Path, python: str) -> OwnTask:
    source = _written(task, folder)
    command, compile_seconds = _as_program(python, source, task.source), 0.0
    if task.language == "cpp":
        command = [str(folder / "main")]
        compile_seconds = _measured(["/usr/bin/env", *COMPILE, command[0], str(source)], b"", math.inf).own_seconds
    seconds, passed = [], []
    for stdin, answer in zip(task.inputs, task.answers, strict=True):
        run = _measured(command, stdin, task.run_seconds)
        right, extra = run.status == 0 and run.output.split() == answer.split(), 0.0
        if task.judge is not None and run.status == 0 and not right:
            _write_texts(folder, stdin, answer, run.output)
            verdict = _measured(_as_program(python, folder / "judge.py", task.judge), b"", task.run_seconds)
            right, extra = verdict.status == 0, verdict.own_seconds
        seconds.append(run.own_seconds + extra)
        passed.append(right)
    return OwnTask(compile_seconds=compile_seconds, case_seconds=tuple(seconds), passed=task.due or tuple(passed))


def _measured(command: list[str], stdin: bytes, cpu_seconds: float) -> _Run:
    """Run a command on memory files, and take from its usage what it noted before it became the program."""
    source, sink, note = (os.memfd_create(name) for name in ("stdin", "stdout", "note"))
    try:
        with open(source, "wb", closefd=False) as file:
            file.write(stdin)
        os.lseek(source, 0, os.SEEK_SET)
        places = [(os.POSIX_SPAWN_DUP2, fd, to) for fd, to in ((source, 0), (sink, 1), (note, _NOTE_FD))]
        silent = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=[*places, silent])
        status, usage = _reaped(pid, note, cpu_seconds)
        used = min(usage.ru_utime + usage.ru_stime - _noted(note), cpu_seconds)
        return _Run(own_seconds=used, status=status, output=os.pread(sink, os.fstat(sink).st_size, 0))
    finally:
        for fd in (source, sink, note):
            os.close(fd)


def _noted(note: int) -> float:
    return float(os.pread(note, 64, 0) or b"0")


def _reaped(pid: int, note: int, cpu_seconds: float) -> tuple[int, resource.struct_rusage]:
    """Wait for a child, and kill it when its own CPU is at the limit. No RLIMIT_CPU: under one a process reads its own CPU clock wrong."""
    handle = os.pidfd_open(pid)
    try:
        ready = select.poll()
        ready.register(handle, select.POLLIN)
        until = time.monotonic() + cpu_seconds * _WALL_FACTOR
        left = cpu_seconds
        while not ready.poll(None if math.isinf(left) else max(left * 1000, 1)):
            left = min(cpu_seconds + _noted(note) - on_cpu(pid), until - time.monotonic())
            if left <= 0:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                break
    finally:
        os.close(handle)
    _, status, usage = os.wait4(pid, 0)
    return status, usage
