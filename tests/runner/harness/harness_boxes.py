"""The test's side of ``rig_server``: call and assert cases without a sandbox, programs and test code in separate families."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scalebox.core.report import Outcome, Report, parse_report

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared"


class Server:
    """One family of processes."""

    def __init__(self, python: str, folder: str) -> None:
        self._socket, other = socket.socketpair()
        self._process = subprocess.Popen(
            [python, "-I", "-S", str(Path(__file__).with_name("rig_server.py")), str(ROOT)],
            stdin=other.fileno(),
            cwd=folder,
            env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"]},
        )
        other.close()

    def start(self, request: Mapping[str, object], *fds: int) -> None:
        """Start one process."""
        memory = os.memfd_create("request")
        os.write(memory, json.dumps(request).encode())
        socket.send_fds(self._socket, [b"run\n"], [memory, *fds])
        os.close(memory)

    def wait(self) -> int:
        """Its exit code; negative for a signal."""
        return int.from_bytes(self._socket.recv(4), "big", signed=True)

    def close(self) -> None:
        """End the server."""
        self._socket.close()
        self._process.wait()


class Boxes:
    """Two servers: a program's memory never held any test code."""

    def __init__(self, python: str, folder: str) -> None:
        self._programs = Server(python, folder)
        self._drivers = Server(python, folder)

    def loaded(self) -> list[str]:
        """The modules that a server has after importing the harnesses."""
        return [str(name) for name in json.loads(self._run(self._programs, {"mode": "loaded", "spec": {}})[1])]

    def call(self, source: str, spec: Mapping[str, object], cpu_seconds: int = 10) -> tuple[int, bytes]:
        """Exit code and what came over the value channel."""
        return self._run(self._programs, {"mode": "call", "source": source, "spec": spec}, cpu_seconds)

    def one_box(self, source: str, spec: Mapping[str, object]) -> tuple[int, bytes]:
        """Exit code and report of the fallback."""
        return self._run(self._programs, {"mode": "onebox", "source": source, "spec": spec})

    def two_boxes(self, source: str, spec: Mapping[str, object], cpu_seconds: int = 10) -> Report:
        """The driver's report; no report, or a driver that ended badly, is an error."""
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryFile() as value, tempfile.TemporaryFile() as nothing:
            program = {"mode": "program", "source": source, "spec": {}, "cpu_seconds": cpu_seconds}
            self._programs.start(program, nothing.fileno(), theirs.fileno())
            test = {"mode": "driver", "spec": spec, "cpu_seconds": cpu_seconds}
            self._drivers.start(test, value.fileno(), ours.fileno())
            ours.close()
            theirs.close()
            code = self._drivers.wait()
            self._programs.wait()
            assert code == 0
            value.seek(0)
            return parse_report(value.read())

    def close(self) -> None:
        """End both servers."""
        self._programs.close()
        self._drivers.close()

    @staticmethod
    def _run(server: Server, request: Mapping[str, object], cpu_seconds: int = 10) -> tuple[int, bytes]:
        with tempfile.TemporaryFile() as value:
            server.start({**request, "cpu_seconds": cpu_seconds}, value.fileno())
            code = server.wait()
            value.seek(0)
            return code, value.read()


@contextmanager
def boxes_in(folder: str, python: str = sys.executable) -> Generator[Boxes, None, None]:
    """Boxes, leased."""
    boxes = Boxes(python, folder)
    try:
        yield boxes
    finally:
        boxes.close()


def outcome(boxes: Boxes, source: str, code: str, style: str = "bare", entry_point: str | None = None) -> Outcome:
    """How the test code ended, in two boxes."""
    return boxes.two_boxes(source, {"code": code, "style": style, "entry_point": entry_point}).outcome
