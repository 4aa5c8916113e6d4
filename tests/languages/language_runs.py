"""Build and run rendered sources with the machine's own tools, as plain processes with the two harness descriptors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from scalebox.core.ports import Judge
from scalebox.languages.catalogue import load_languages
from scalebox.languages.definition import CompileSpec, Language
from scalebox.languages.harness import render_append, render_call
from scalebox.runner.archive import archive

TOKEN: Final = b"token-0f3a\n"
_WITH_DESCRIPTORS: Final = 'exec "$@" 3< <(cat request) 4>value'


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a built source did; ``exit_code`` is None where it did not compile."""

    exit_code: int | None
    value: bytes
    stderr: str


CATALOGUE: Final = load_languages()
FAST: Final = frozenset({"bash", "c", "cpp", "perl", "python", "sql"})
"""Whose toolchains are small and quick: these are part of every run of the tests, the others of `make test-languages`."""


async def needed(judge: Judge, language: Language) -> None:
    """Skip where a language's tools are not here; fail where they are, but do not work."""
    status = next(status for status in await judge.languages([language.id]) if status.id == language.id)
    if not status.available and "not found" in (status.reason or ""):
        pytest.skip(f"toolchain: {status.reason}")
    assert status.available, status.reason


def marks(language: Language) -> list[pytest.MarkDecorator]:
    """What keeps a test of a language out of the default run, where that is due."""
    return [] if language.id in FAST else [pytest.mark.languages]


def language_of(name: str) -> Language:
    """The packaged language of that name."""
    language = CATALOGUE.get(name)
    assert language is not None
    return language


def need_tools(language: Language) -> None:
    """Skip where a language's tools are not here."""
    missing = [tool for tool in (*language.tools, "bash") if shutil.which(tool) is None and not Path(tool).exists()]
    if missing:
        pytest.skip(f"toolchain: {language.name} needs {', '.join(missing)}")


def build(language: Language, source: str, folder: Path) -> str | None:
    """Write and compile a source; the compiler's messages where it fails."""
    need_tools(language)
    names = language.names(source)
    (folder / names.file).write_text(source, encoding="utf-8")
    for name, text in language.support.items():
        (folder / name).write_text(text, encoding="utf-8")
    if language.compile is None:
        return None
    for optional in (True, False):
        argv = language.compile.argv(names, optional=optional)
        done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            _pack(language.compile, folder)
            return None
        # What the linker says where the optional arguments need a library, or another order of libraries.
        if "cannot find" not in done.stderr and "undefined reference" not in done.stderr:
            break
    return done.stderr


def _pack(spec: CompileSpec, folder: Path) -> None:
    """As the service packs what a compiler left."""
    if spec.pack is not None:
        base = folder / spec.pack
        files = {str(path.relative_to(base)): path.read_bytes() for path in base.rglob("*") if path.is_file()}
        (folder / spec.artifact).write_bytes(archive(files, ""))


def start_of(language: Language, source: str) -> tuple[Sequence[str], Mapping[str, str]]:
    """Arguments and environment of a plain run with plenty of memory."""
    names = language.names(source)
    return language.argv(names, 1024), language.surroundings(names, 1024)


def build_and_run(language: Language, source: str, request: bytes) -> Ran:
    """Build a source and run it with ``request`` on descriptor 3 and the value channel on descriptor 4."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        message = build(language, source, folder)
        if message is not None:
            return Ran(exit_code=None, value=b"", stderr=message)
        (folder / "request").write_bytes(request)
        start, surroundings = start_of(language, source)
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **surroundings}
        argv = ["bash", "-c", _WITH_DESCRIPTORS, "run", *start]
        done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, check=False)
        value = (folder / "value").read_bytes()
        return Ran(exit_code=done.returncode, value=value, stderr=done.stderr.decode(errors="replace"))


def call(
    source: str,
    function: str,
    args: Sequence[object],
    *,
    mutated: int | None = None,
    kwargs: Mapping[str, object] | None = None,
    name: str = "cpp",
) -> Ran:
    """Call a function through the harness of its language."""
    language = language_of(name)
    request = json.dumps({"args": args, "kwargs": kwargs or {}, "mutated": mutated}, ensure_ascii=False).encode()
    return build_and_run(language.rendered, render_call(language, source, function, len(args)), request)


def append(name: str, program: str, tests: str, asked: str = "") -> Ran:
    """Run test code appended to a program."""
    language = language_of(name)
    return build_and_run(language.rendered, render_append(language, program, tests, asked), TOKEN)
