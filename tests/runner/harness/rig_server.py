"""Forks one process for each request and runs a harness in it, without any wall. Only for programs that mean no harm.

Theory of operation: started by path under the programs' interpreter, with stand-ins for the packages, as a slot's parent is.
It reads requests from the socket on descriptor 0: four bytes, and as ancillary data a memory file with the request, then the
descriptor of the value or the report, then the channel. The child closes the rest; the server waits for it, kills its
process group and answers with the exit code. A server for programs never sees a driver's request.
"""

from __future__ import annotations

import os
import sys

ROOT = sys.argv[1]
for _name in ("scalebox", "scalebox.runner", "scalebox.runner.zygote", "scalebox.runner.zygote.harness"):
    _package = type(sys)(_name)
    _package.__path__ = [os.path.join(ROOT, *_name.split("."))]
    sys.modules[_name] = _package

from scalebox.runner.zygote.harness import call, driver, onebox, program_side  # ruff: ignore[module-import-not-at-top-of-file]

LOADED = sorted(set(sys.modules))

import contextlib  # ruff: ignore[module-import-not-at-top-of-file]
import json  # ruff: ignore[module-import-not-at-top-of-file]
import resource  # ruff: ignore[module-import-not-at-top-of-file]
import signal  # ruff: ignore[module-import-not-at-top-of-file]
import socket  # ruff: ignore[module-import-not-at-top-of-file]


def module() -> dict[str, object]:
    """A fresh module ``solution``."""
    made = type(sys)("solution")
    made.__dict__.update(__builtins__=sys.modules["builtins"], __file__="main.py")
    sys.modules["solution"] = made
    return made.__dict__


def become(request: dict[str, object], fds: list[int]) -> None:
    """Run the harness that the request names."""
    spec = request["spec"]
    assert isinstance(spec, dict)
    if request["mode"] == "driver":
        driver.run(spec, fds[1], fds[0])
        return
    if request["mode"] == "loaded":
        os.write(fds[0], json.dumps(LOADED).encode())
        return
    code = compile(str(request["source"]), "main.py", "exec", dont_inherit=True)
    if request["mode"] == "program":
        program_side.run(code, module(), fds[1])
    elif request["mode"] == "call":
        call.run(code, module(), spec, fds[0])
    else:
        onebox.run(code, module(), spec, fds[0])


def child(memory: int, fds: list[int], server: int) -> None:
    """Never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        os.close(server)
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        request = json.loads(os.pread(memory, os.fstat(memory).st_size, 0))
        os.close(memory)
        seconds = int(request["cpu_seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        become(request, fds)
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # ruff: ignore[blind-except] - as the interpreter: a traceback, and exit code 1
        sys.excepthook(*sys.exc_info())
    finally:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        import atexit

        atexit._run_exitfuncs()
        os._exit(code)


def main() -> None:
    """Serve until the end of file."""
    server = socket.socket(fileno=os.dup(0))
    while True:
        word, fds, _, _ = socket.recv_fds(server, 4, 3)
        if not word:
            return
        pid = os.fork()
        if pid == 0:
            child(fds[0], fds[1:], server.fileno())
        for fd in fds:
            os.close(fd)
        _, status = os.waitpid(pid, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        server.send(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


if __name__ == "__main__":
    main()
