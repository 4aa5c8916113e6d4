"""Run pytest in this process over files of the work folder, and note what becomes of every test it finds."""

from __future__ import annotations

import os
import sys

from scalebox.runner.zygote.harness import unit_report
from scalebox.runner.zygote.harness.given import ProgramDied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    import pytest

    from scalebox.runner.zygote.harness.unittext import FileTests

_INI_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_NO_SETTINGS = ".pytest-none.ini"
_UNUSED = ("cacheprovider", "faulthandler", "junitxml", "pastebin", "doctest", "unraisableexception", "threadexception")
"""Plugins that nobody would see anything of."""
USAGE_ERROR = 4


class Suite:
    """The test files of a case, with what their text says.

    Args:
        paths: of the files that hold tests.
        files: all files.
        texts: of those that are Python.
        tests: by path of a file that holds tests.
    """

    def __init__(
        self,
        paths: Sequence[str],
        files: Mapping[str, bytes],
        texts: Mapping[str, str],
        tests: Mapping[str, FileTests],
    ) -> None:
        self.paths = paths
        self.files = files
        self.texts = texts
        self.tests = tests
        self.results = unit_report.Tests()
        self.broken: BaseException | None = None
        """Why a file could not be loaded, where the first that could not is at fault."""
        self.skipped = ""
        """The first file that skipped itself whole."""
        self._excused = {name for found in tests.values() for name in found.excused}

    def run(
        self, told: Callable[[str], None] | None = None, check: Callable[[], BaseException | None] | None = None
    ) -> int:
        """Run all tests; returns pytest's exit status.

        Args:
            told: called with the name of every test that has ended.
            check: called after every test; what it returns fails the test.
        """
        sys.dont_write_bytecode = True
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        os.environ.pop("PYTEST_ADDOPTS", None)
        sys.path.insert(0, os.getcwd())
        import pytest

        ini = next((name for name in _INI_FILES if name in self.files), _NO_SETTINGS)
        if ini == _NO_SETTINGS:  # else it would look for some in the folders above
            with open(ini, "wb"):
                pass
        options = ["-q", "-s", "--continue-on-collection-errors", "--rootdir=.", "--confcutdir=.", "-c", ini]
        for name in _UNUSED:
            options += ["-p", f"no:{name}"]
        pytest.hookimpl(wrapper=True)(_Recorder.pytest_runtest_call)
        pytest.hookimpl(tryfirst=True)(_Recorder.pytest_pyfunc_call)
        return int(pytest.main([*options, *self.paths], plugins=[_Recorder(self, told, check)]))

    def note_unloaded(self, path: str, outcome: str, message: str) -> None:
        """Note the tests of a file that was not loaded, as its text tells them."""
        names = self.tests[path].names if path in self.tests else []
        for name in names or [path]:
            self.results.note(name, outcome, message)
            if name in self._excused and outcome == unit_report.SKIPPED:
                self.results.uncounted.add(name)

    def note(self, report: pytest.TestReport) -> None:
        """Note what became of a test, in one of its three phases: the first bad word stays."""
        name, results = unit_report.short(report.nodeid), self.results
        if report.outcome == "passed" and report.when != "call":
            return
        if results.outcomes.get(name) in {unit_report.FAILED, unit_report.ERROR, unit_report.SKIPPED}:
            return
        outcome = {"passed": unit_report.PASSED, "skipped": unit_report.SKIPPED}.get(report.outcome, unit_report.FAILED)
        if outcome == unit_report.FAILED and report.when != "call":
            outcome = unit_report.ERROR
        own = outcome == unit_report.SKIPPED or (outcome == unit_report.PASSED and hasattr(report, "wasxfail"))
        if own and name.partition("[")[0] in self._excused:
            results.uncounted.add(name)
        results.note(name, outcome, "" if outcome == unit_report.PASSED else _message(report))


class _Recorder:
    """Pytest's hooks.

    Args:
        suite: told of everything.
        told: called with the name of every test that has ended.
        check: called after every test; what it returns fails the test.
    """

    def __init__(
        self, suite: Suite, told: Callable[[str], None] | None, check: Callable[[], BaseException | None] | None
    ) -> None:
        self._suite = suite
        self._told = told
        self._check = check

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what was found."""
        for item in session.items:
            self._suite.results.note(unit_report.short(item.nodeid), unit_report.NOT_RUN)

    def pytest_exception_interact(
        self, call: pytest.CallInfo[object], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Note a file that could not be loaded."""
        if report.when != "collect":
            return
        error = call.excinfo.value  # type: ignore[union-attr]  # there is one, or nobody would ask
        self._suite.broken = self._suite.broken or error.__cause__ or error
        self._suite.note_unloaded(report.nodeid, unit_report.ERROR, _message(report))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that skips itself."""
        if report.skipped:
            self._suite.skipped = self._suite.skipped or report.nodeid
            self._suite.note_unloaded(report.nodeid, unit_report.SKIPPED, _message(report))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what became of a test."""
        self._suite.note(report)
        if report.when == "teardown" and self._told is not None:
            self._told(unit_report.short(report.nodeid))

    def pytest_runtest_call(self) -> Generator[None, object, object]:
        """Fail a test that passed although something failed in it."""
        result = yield
        error = None if self._check is None else self._check()
        if error is not None:
            raise error
        return result  # ruff: ignore[return-in-generator] - what a wrapper of pytest does

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a test that is a coroutine function: no plugin does it here."""
        return _run_coroutine(pyfuncitem)


def _run_coroutine(item: pytest.Function) -> bool | None:
    code = getattr(getattr(item.obj, "__func__", item.obj), "__code__", None)
    if code is None or not code.co_flags & 0x80:  # inspect.CO_COROUTINE
        return None
    import asyncio

    asyncio.run(item.obj(**{name: item.funcargs[name] for name in item._fixtureinfo.argnames}))
    return True


def _message(report: pytest.CollectReport | pytest.TestReport) -> str:
    """The line that says most: of an error its last words, else why it was skipped."""
    told = report.longrepr
    crash = getattr(told, "reprcrash", None)
    if crash is not None and ProgramDied.__name__ in crash.message:
        return "the program had ended"
    if crash is not None:
        return str(crash.message)
    return str(told[2] if isinstance(told, tuple) and len(told) == 3 else told)[-_MOST_MESSAGE:]


_MOST_MESSAGE = 800
