"""Runs reference programs with plain Python, one fork for each, outside any sandbox. Only for programs that are known to mean no harm.

Theory of operation: ``python plain_driver.py JOBS RESULTS``. The parent reads the pickled jobs, and for each forks a child that leads its
own process group, runs the source as ``__main__`` and pickles its report into a pipe, call by call. The parent drains the pipe until its end or the
deadline, kills the group, reaps the child, and writes all reports to RESULTS. A job is a dict: ``source``, ``cpu_seconds`` and, for calls,
``function`` and ``inputs``. Standard library only, so that it runs under the programs' own interpreter.
"""

from __future__ import annotations

import builtins
import copy
import gc
import io
import os
import pickle  # ruff: ignore[suspicious-pickle-import] - jobs and reports come from this file and its caller
import resource
import select
import signal
import sys
import tempfile
import time
import types
from typing import IO, Any

MEMORY_BYTES = 4 << 30
PLAIN = (type(None), bool, int, float, complex, str, bytes)


class Opaque(Exception):
    """A value is not plain data; its type's name."""


def plain(value: object) -> object:
    """The value if it is plain data, subclasses reduced to their base, else an Opaque error."""
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            return kind(plain(item) for item in value)
    if isinstance(value, PLAIN):
        return value
    raise Opaque(type(value).__name__)


def call(function: Any, arguments: list[Any]) -> tuple[str, object, float]:  # ruff: ignore[any-type] - whatever the program defines
    """The outcome of one call, ``value``, ``opaque`` or ``raised``, and its CPU seconds."""
    arguments = copy.deepcopy(arguments)
    start = time.process_time()
    try:
        outcome = "value", plain(function(*arguments))
    except Opaque as error:
        outcome = "opaque", str(error)
    except Exception as error:  # ruff: ignore[blind-except] - any exception is the program's
        outcome = "raised", f"{type(error).__name__}: {error}"[:200]
    return *outcome, time.process_time() - start


def run(job: dict[str, Any], stream: IO[bytes]) -> None:
    """Write the report of a job: how it ended, then what each call came to as soon as it is known."""
    module = types.ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, __file__="main.py")
    sys.modules["__main__"] = module
    try:
        exec(compile(job["source"], "main.py", "exec", dont_inherit=True), module.__dict__)  # ruff: ignore[exec-builtin] - that is the job
    except BaseException as error:  # ruff: ignore[blind-except] - SystemExit is an outcome too
        pickle.dump(("raised", f"{type(error).__name__}: {error}"[:200]), stream)
        return
    pickle.dump(("called" if "function" in job else "passed", ""), stream)
    stream.flush()
    for arguments in job.get("inputs", ()):
        pickle.dump(call(module.__dict__[job["function"]], arguments), stream)
        stream.flush()


def child(job: dict[str, Any], write_end: int) -> None:
    """Never returns."""
    os.setpgid(0, 0)
    seconds = job["cpu_seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    with open(write_end, "wb") as stream:
        run(job, stream)
    os._exit(0)


def drain(read_end: int, deadline: float) -> bytes:
    """What the child wrote until it closed the pipe or the deadline passed."""
    parts = []
    while (left := deadline - time.monotonic()) > 0 and select.select([read_end], [], [], left)[0]:
        part = os.read(read_end, 1 << 20)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def supervise(job: dict[str, Any]) -> tuple[str, str, list[tuple[str, object, float]]]:
    """Fork, wait, reap; the child's report, or how it died."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        try:
            child(job, write_end)
        finally:
            os._exit(70)
    os.close(write_end)
    data = drain(read_end, time.monotonic() + 2 * job["cpu_seconds"] + 2)
    os.close(read_end)
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)  # the child had not made its group yet; unreaped, so the id is still its own
    _, status = os.waitpid(pid, 0)
    parts = unpickle_all(data)
    if parts:
        return (*parts[0], parts[1:])
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGKILL}
    return ("timeout" if killed else "died"), f"wait status {status}", []


def unpickle_all(data: bytes) -> list[Any]:
    """The whole objects in a stream; a torn last one is dropped."""
    stream, parts = io.BytesIO(data), []
    while True:
        try:
            parts.append(pickle.load(stream))  # ruff: ignore[suspicious-pickle-usage] - written by run() above
        except (EOFError, pickle.UnpicklingError):
            return parts


def main(jobs_path: str, results_path: str) -> None:
    """Run every job in order."""
    with open(jobs_path, "rb") as stream:
        jobs = pickle.load(stream)  # ruff: ignore[suspicious-pickle-usage] - written by our caller
    sys.set_int_max_str_digits(0)
    sys.argv[:] = ["main.py"]
    gc.freeze()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        reports = [supervise(job) for job in jobs]
        os.chdir("/")
    with open(results_path, "wb") as stream:
        pickle.dump(reports, stream)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
