"""The fallback of unit cases: program, test files and pytest in one interpreter. Proves completion, not innocence.

Used only where the test files want what cannot cross between boxes; the judgement then says ``hardened: false``. The token is read
and the test files are before anything of the program is run; a program that looks for either in this process still finds it.
"""

from __future__ import annotations

import os
import sys
from os import getpid

from scalebox.runner.zygote.harness import unit_report
from scalebox.runner.zygote.harness.names import words
from scalebox.runner.zygote.harness.unit import install, modules_of, read_suite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType

_TOKEN_BYTES = 256
_FUNCTION = type(lambda: None)
_BOUND = (classmethod, staticmethod)
_FRAMEWORK = words("builtins pytest _pytest pluggy unittest")


def run(
    code: CodeType, namespace: dict[str, object], spec: Mapping[str, object], token_fd: int, report_fd: int
) -> None:
    """Execute the program, then run the tests, and write one report.

    Args:
        code: the program, compiled.
        namespace: of a fresh module that is not ``__main__``.
        spec: as for ``unit.run``.
        token_fd: the line that proves completion.
        report_fd: receives the report.

    Raises:
        BaseException: what the program's top level raises; there is no report then.
    """
    pid, token = getpid(), os.read(token_fd, _TOKEN_BYTES).decode().strip()
    os.close(token_fd)
    suite = read_suite(spec)
    if spec["library"]:
        sys.path.insert(0, str(spec["library"]))
    _keep_files(suite.texts)
    framework, collected = _Unchanged(), suite.results
    exec(code, namespace)  # ruff: ignore[exec-builtin] - running the program is what a box is for
    framework.check()
    _restore(suite.files)
    install(sys.modules["solution"], modules_of(str(spec["program"])))
    suite.run(told=lambda name: collected.tell(report_fd, name))
    framework.check()
    if getpid() == pid:  # a fork of the program that returns here too has no say
        collected.write(report_fd, unit_report.FINISHED, str(suite.broken or suite.skipped or ""), token)


class _Unchanged:
    """Functions and classes of the framework and of what it stands on, as they were before the program."""

    def __init__(self) -> None:
        import unittest.async_case
        import unittest.mock

        import pytest

        unittest.IsolatedAsyncioTestCase  # ruff: ignore[useless-expression] - the package binds it when it is first asked for

        loaded = dict(sys.modules, pytest=pytest, **{"unittest.mock": unittest.mock})
        self._modules = {name: module for name, module in loaded.items() if name.partition(".")[0] in _FRAMEWORK}
        self._builtin = set(vars(sys.modules["builtins"]))  # what a program adds to them stands for nothing
        self._known = self._seen()

    def check(self) -> None:
        """End the process where any of them is another now.

        Raises:
            SystemExit: one is.
        """
        same = all(sys.modules.get(name) is module for name, module in self._modules.items())
        if not same or self._seen() != self._known:
            sys.exit("the program changed the test framework")

    def _seen(self) -> list[tuple[str, str, object]]:
        """Every function and class by its place, functions by their code."""
        found: list[tuple[str, str, object]] = []
        for place, module in self._modules.items():
            for name, value in list(vars(module).items()):
                if isinstance(value, type) and value.__module__ in self._modules:
                    found.extend(
                        (f"{place}.{name}", key, _code(held))
                        for key, held in list(vars(value).items())
                        if callable(held) or hasattr(type(held), "__get__")
                    )
                if callable(value) and (place != "builtins" or name in self._builtin):
                    found.append((place, name, _code(value)))
        return found


def _code(value: object) -> object:
    """What a function does, by identity; of other values themselves."""
    if type(value) in _BOUND:
        value = value.__func__  # type: ignore[attr-defined]  # a class method, or a static one
    if type(value) is property:
        return tuple(map(_code, (value.fget, value.fset, value.fdel)))
    if type(value) is not _FUNCTION:
        return id(value)
    named = value.__kwdefaults__ or {}
    return id(value.__code__), tuple(map(id, value.__defaults__ or ())), tuple((key, id(named[key])) for key in named)


def _restore(files: Mapping[str, bytes]) -> None:
    """Lay the problem's files out anew, and leave none of the program's where pytest takes it for the problem's."""
    for folder, _, names in os.walk("."):
        if "conftest.py" in names:
            os.unlink(os.path.join(folder, "conftest.py"))
    for path, content in files.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, "wb") as file:
            file.write(content)


def _keep_files(texts: Mapping[str, str]) -> None:
    """Have pytest load the test files as they are now, whatever a program writes over them."""
    from _pytest.assertion import rewrite

    kept = {os.path.join(os.getcwd(), path): text.encode() for path, text in texts.items()}
    original = rewrite._rewrite_test

    def rewritten(fn: object, config: object) -> object:
        path = str(fn)
        if path not in kept:
            return original(fn, config)  # type: ignore[arg-type]  # as pytest calls it
        import ast

        tree = ast.parse(kept[path], filename=path)
        rewrite.rewrite_asserts(tree, kept[path], path, config)  # type: ignore[arg-type]  # as pytest does
        return os.stat(path), compile(tree, path, "exec", dont_inherit=True)

    rewrite._rewrite_test = rewritten  # type: ignore[assignment]  # before any file is loaded
    rewrite._read_pyc = lambda *_: None  # a program may have left one
