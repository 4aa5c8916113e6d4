"""Run every program of ``programs/`` by ``python3 main.py`` and in the zygote; what can be seen from outside must be the same.

Theory: a program of the corpus knows nothing of the answer. Plain Python is the answer: its standard output byte for byte, the
last line of its standard error, its exit code or the signal that ended it. Comments at the head of a program:

``# stdin: "1 2\\n"``       a string or bytes literal; empty if absent
``# stdin-times: 1000``    the literal that often
``# needs: numpy``         skip where the programs' interpreter cannot import it
``# tag: compile``         the source does not compile: ScaleBox answers CE, the message's last line is compared
``# tag: known-difference`` the two differ and we accept it; the test fails on the day they agree
``# skip: stderr: why``    do not compare ``stderr`` (a compile error's message counts as such), ``stdout`` or ``exit``
"""

from __future__ import annotations

import ast
import asyncio
import functools
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

import pytest

PROGRAMS: Final = Path(__file__).parent / "programs"
MIN_PROGRAMS: Final = 300
MIN_PER_TRAP: Final = 15
PLAIN_SECONDS: Final = 30.0
"""Wall-clock backstop of a plain run; every program takes under a third of a second on an idle CPU."""

SKIPPABLE: Final = frozenset({"stdout", "stderr", "exit"})
TAGS: Final = frozenset({"compile", "known-difference"})
_HEADER: Final = re.compile(r"#\s*(stdin|stdin-times|needs|tag|skip):\s*(.*\S)\s*")


class ZygoteRun(Protocol):
    """What the engine's fixture gives back of one run."""

    @property
    def stdout(self) -> bytes: ...
    @property
    def stderr(self) -> bytes: ...
    @property
    def exit_code(self) -> int | None: ...
    @property
    def signal(self) -> int | None: ...
    @property
    def compile_error(self) -> str | None: ...


ZygoteRunner = Callable[[bytes, bytes], Awaitable[ZygoteRun]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the comments at the head of a program say."""

    stdin: bytes = b""
    needs: tuple[str, ...] = ()
    compile_fails: bool = False
    known_difference: bool = False
    skips: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What an onlooker sees of a run. Of standard error only the last line, for frames of ours may stand above it."""

    stdout: bytes = b""
    stderr_last_line: bytes = b""
    exit_code: int | None = None
    signal: int | None = None
    compile_error: bytes | None = None


def parse_header(source: bytes) -> Header:
    """Read the comments at the head of a program.

    Raises:
        ValueError: a ``skip`` names nothing that is compared or gives no reason, a ``tag`` is unknown, a literal is none.
    """
    found: dict[str, list[str]] = {}
    for line in source.decode("utf-8", "surrogateescape").split("\n"):
        if not line.startswith("#"):
            break
        match = _HEADER.fullmatch(line)
        if match:
            found.setdefault(match[1], []).append(match[2])
    tags = frozenset(found.get("tag", []))
    if not tags <= TAGS:
        raise ValueError(f"unknown tag in {sorted(tags)}; known are {sorted(TAGS)}")
    return Header(
        stdin=_parse_stdin(found),
        needs=tuple(found.get("needs", [])),
        compile_fails="compile" in tags,
        known_difference="known-difference" in tags,
        skips=frozenset(_parse_skip(text) for text in found.get("skip", [])),
    )


def _parse_stdin(found: dict[str, list[str]]) -> bytes:
    literal = ast.literal_eval(found.get("stdin", ["''"])[0])
    times = int(found.get("stdin-times", ["1"])[0])
    data: bytes = literal.encode("utf-8", "surrogateescape") if isinstance(literal, str) else bytes(literal)
    return data * times


def _parse_skip(text: str) -> str:
    what, _, reason = text.partition(":")
    if what not in SKIPPABLE or not reason.strip():
        raise ValueError(f"'# skip: {text}' is not 'stdout|stderr|exit: reason'")
    return what


def last_line(text: bytes) -> bytes:
    """The last line that is not blank, without its end."""
    lines = text.rstrip().splitlines()
    return lines[-1] if lines else b""


def plain_run(python: str, source: bytes, stdin: bytes, scratch: Path) -> Observed:
    """Run ``python main.py`` in a new folder: standard input a file, standard output and error pipes."""
    home = scratch / "home"
    home.mkdir()
    (home / "main.py").write_bytes(source)
    stdin_path = scratch / "stdin"
    stdin_path.write_bytes(stdin)
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONINTMAXSTRDIGITS": "0",
        "TMPDIR": "/tmp",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    with stdin_path.open("rb") as stdin_file:
        done = subprocess.run(
            ["env", "--default-signal", python, "main.py"],  # whatever `nohup` or a supervisor had us ignore
            stdin=stdin_file,
            capture_output=True,
            cwd=home,
            env=environment,
            timeout=PLAIN_SECONDS,
            check=False,
        )
    died = done.returncode < 0
    return Observed(
        stdout=done.stdout,
        stderr_last_line=last_line(done.stderr),
        exit_code=None if died else done.returncode,
        signal=-done.returncode if died else None,
    )


def observe_plain(plain: Observed, header: Header) -> Observed:
    """A plain run as it is compared: a source that does not compile is told by the message alone."""
    if header.compile_fails:
        return _without(Observed(compile_error=plain.stderr_last_line), header.skips)
    return _without(plain, header.skips)


def observe_zygote(run: ZygoteRun, header: Header) -> Observed:
    """A run in the zygote as it is compared."""
    if run.compile_error is not None:
        message = last_line(run.compile_error.encode("utf-8", "surrogateescape"))
        return _without(Observed(compile_error=message), header.skips)
    seen = Observed(
        stdout=run.stdout, stderr_last_line=last_line(run.stderr), exit_code=run.exit_code, signal=run.signal
    )
    return _without(seen, header.skips)


def _without(seen: Observed, skips: frozenset[str]) -> Observed:
    if "stdout" in skips:
        seen = replace(seen, stdout=b"")
    if "stderr" in skips:
        told = None if seen.compile_error is None else b""
        seen = replace(seen, stderr_last_line=b"", compile_error=told)
    if "exit" in skips:
        seen = replace(seen, exit_code=None, signal=None)
    return seen


def programs() -> list[Path]:
    """Every program of the corpus, by trap and name."""
    return sorted(PROGRAMS.glob("*/*.py"))


def read_program(path: Path) -> tuple[bytes, Header]:
    """A program's source and what its head says."""
    source = path.read_bytes()
    return source, parse_header(source)


def parameters() -> list[pytest.ParameterSet]:
    """The programs as rows of a test; where the two are known to differ, agreeing is the failure."""
    differ = pytest.mark.xfail(reason="known-difference", strict=True, raises=AssertionError)
    return [
        pytest.param(path, id=f"{path.parent.name}/{path.stem}", marks=differ if header.known_difference else ())
        for path, header in ((path, parse_header(path.read_bytes())) for path in programs())
    ]


@functools.cache
def can_import(python: str, module: str) -> bool:
    """Whether the interpreter finds the module."""
    find = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    done = subprocess.run([python, "-c", find, module], stdin=subprocess.DEVNULL, check=False, timeout=PLAIN_SECONDS)
    return done.returncode == 0


@pytest.mark.sandbox
@pytest.mark.parametrize("path", parameters())
async def test_zygote_is_python_itself(
    path: Path, zygote_run: ZygoteRunner, programs_python: str, tmp_path: Path
) -> None:
    source, header = read_program(path)
    for module in header.needs:
        if not can_import(programs_python, module):
            pytest.skip(f"{programs_python} has no {module}")
    plain = await asyncio.to_thread(plain_run, programs_python, source, header.stdin, tmp_path)
    run = await zygote_run(source, header.stdin)
    assert observe_zygote(run, header) == observe_plain(plain, header)


def test_corpus_has_enough_programs() -> None:
    per_trap = Counter(path.parent.name for path in programs())
    folders = {path.name for path in PROGRAMS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    thin = sorted(trap for trap in folders if per_trap[trap] < MIN_PER_TRAP)
    assert thin == []
    assert per_trap.total() >= MIN_PROGRAMS


@pytest.mark.parametrize(
    ("source", "header"),
    [
        (b"print(1)\n", Header()),
        (b'# stdin: "1 2\\n"\nprint(1)\n', Header(stdin=b"1 2\n")),
        ('# stdin: "\u00e9"\n'.encode(), Header(stdin=b"\xc3\xa9")),
        (b'# stdin: b"\\xff"\n# stdin-times: 3\n', Header(stdin=b"\xff\xff\xff")),
        (b"# needs: numpy\n# tag: compile\n", Header(needs=("numpy",), compile_fails=True)),
        (b"# tag: known-difference\n", Header(known_difference=True)),
        (b"# skip: stderr: frames differ\n", Header(skips=frozenset({"stderr"}))),
        (b"print(1)\n# tag: compile\n", Header()),  # only the head counts
        (b"# a caf\xe9\n# tag: compile\n", Header(compile_fails=True)),  # the source need not be UTF-8
    ],
)
def test_parse_header(source: bytes, header: Header) -> None:
    assert parse_header(source) == header


@pytest.mark.parametrize("line", [b"# skip: stderr\n", b"# skip: time: slow\n", b"# tag: slow\n"])
def test_parse_header_refuses(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"skip|tag"):
        parse_header(line)


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (b"print(input())", Observed(stdout=b"a\n", exit_code=0)),
        (b"import sys; sys.exit(3)", Observed(exit_code=3)),
        (b"1 / 0", Observed(stderr_last_line=b"ZeroDivisionError: division by zero", exit_code=1)),
        (b"import os, signal; os.kill(os.getpid(), signal.SIGTERM)", Observed(signal=signal.SIGTERM)),
        (b"import os; print(os.getcwd() == os.environ['HOME'])", Observed(stdout=b"True\n", exit_code=0)),
    ],
)
def test_plain_run_tells_what_python_did(source: bytes, seen: Observed, programs_python: str, tmp_path: Path) -> None:
    assert plain_run(programs_python, source, b"a\n", tmp_path) == seen


@pytest.mark.parametrize(
    ("text", "line"), [(b"", b""), (b"a\nb\n", b"b"), (b"a\nb", b"b"), (b"a\r\n \n\n", b"a"), (b"\n\n", b"")]
)
def test_last_line(text: bytes, line: bytes) -> None:
    assert last_line(text) == line
