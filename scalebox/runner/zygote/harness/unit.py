"""Run pytest over test files against a program in another box, and report test by test. Never holds the program's code.

The work is divided as for an assert case (``driver``): pytest and the test files live here, where the program cannot reach the
report, the files or the framework; what the files import of the program is asked for over the socket.
"""

from __future__ import annotations

import sys

from scalebox.runner.zygote.harness import testcode, unit_report, unittext
from scalebox.runner.zygote.harness.channel import Channel
from scalebox.runner.zygote.harness.given import ProgramDied, Unsupported
from scalebox.runner.zygote.harness.ownership import Ownership
from scalebox.runner.zygote.harness.prelude import MODULES, lookup
from scalebox.runner.zygote.harness.proxies import Handle
from scalebox.runner.zygote.harness.pytest_run import USAGE_ERROR, Suite
from scalebox.runner.zygote.harness.session import Session
from scalebox.runner.zygote.harness.testcode import BrokenTest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType


def run(spec: Mapping[str, object], channel_fd: int, report_fd: int) -> None:
    """Run the tests and write one report.

    Args:
        spec: ``library``, the folder of pytest; ``program``, the path that the tests know the program by; ``paths``, those of the
            files that hold tests; ``files``, all of them, by path.
        channel_fd: a stream socket to the program's box.
        report_fd: receives the report.
    """
    session = Session(Channel(channel_fd))
    end, message, results = _report(spec, session)
    session.close()
    results.write(report_fd, end, message)


def read_suite(spec: Mapping[str, object]) -> Suite:
    """The test files, read.

    Raises:
        BrokenTest: one does not compile.
    """
    files: Mapping[str, bytes] = spec["files"]  # type: ignore[assignment]  # the service wrote it
    texts = {path: data.decode("utf-8", "replace") for path, data in files.items() if path.endswith(".py")}
    modules = modules_of(str(spec["program"]))
    for code in texts.values():
        testcode.compiled(code)
    paths: list[str] = list(spec["paths"])  # type: ignore[call-overload]  # the service wrote it
    return Suite(paths, files, texts, {path: unittext.FileTests(path, texts[path], modules) for path in paths})


def modules_of(program: str) -> frozenset[str]:
    """What a program's module is called by tests: as its path says, and as its file's name alone."""
    stem = program.removesuffix(".py")
    return frozenset({stem.replace("/", "."), stem.rpartition("/")[2]})


def install(module: object, names: frozenset[str]) -> None:
    """Let the program's module be imported by those names."""
    for name in names:
        sys.modules[name] = module  # type: ignore[assignment]  # the program's, or what stands for it
        package, _, last = name.rpartition(".")
        while package:
            parent = sys.modules.setdefault(package, type(sys)(package))
            parent.__dict__.setdefault("__path__", [package.replace(".", "/")])
            parent.__dict__[last] = sys.modules[f"{package}.{last}"]
            package, _, last = package.rpartition(".")


def _report(spec: Mapping[str, object], session: Session) -> tuple[str, str, unit_report.Tests]:
    nothing = unit_report.Tests()
    try:
        suite = read_suite(spec)
    except BrokenTest as error:
        return unit_report.BROKEN, str(error), nothing
    modules = modules_of(str(spec["program"]))
    for code in suite.texts.values():
        reason = unittext.unsupported(code, modules)
        if reason is not None:
            return unit_report.UNSUPPORTED, reason, _by_text(suite)
    try:
        session.wait_until_ready()
        status = _World(suite, modules, session).run(str(spec["library"]))
    except (ProgramDied, Unsupported):
        status = 0
    return _of_end(session, suite, status)


def _of_end(session: Session, suite: Suite, status: int) -> tuple[str, str, unit_report.Tests]:
    results = suite.results
    if isinstance(session.end, Unsupported):
        return unit_report.UNSUPPORTED, str(session.end), _by_text(suite)
    if isinstance(session.end, ProgramDied):
        if not results.outcomes:
            results = _by_text(suite)
        return unit_report.PROGRAM_DIED, str(session.end), results
    broken = suite.broken
    if isinstance(broken, ModuleNotFoundError) and _names_module(suite, broken.name):
        return unit_report.BROKEN, f"{broken}", results  # the problem's, which asks for what is not here
    if not session.used:
        why = "a file of tests skips itself" if suite.skipped else "the test files never used the program"
        return unit_report.BROKEN, str(broken or why), results
    if not results.outcomes or status == USAGE_ERROR:
        results = _by_text(suite)  # pytest itself gave up over what the program returned
    return unit_report.FINISHED, "", results


def _by_text(suite: Suite) -> unit_report.Tests:
    """The tests that the files' text tells of, none of them run."""
    found = unit_report.Tests()
    for path in suite.paths:
        tests = suite.tests[path]
        for name in tests.names:
            found.note(name, unit_report.NOT_RUN)
        found.uncounted |= tests.excused
    return found


def _names_module(suite: Suite, name: str | None) -> bool:
    return bool(name) and any(str(name).partition(".")[0] in code for code in suite.texts.values())


class _World:
    """What the test files find around them."""

    def __init__(self, suite: Suite, modules: frozenset[str], session: Session) -> None:
        self._suite = suite
        self._session = session
        self._modules = modules
        self._names = {path: testcode.Names(code, modules) for path, code in suite.texts.items()}

    def run(self, library: str) -> int:
        """Run pytest; returns its exit status."""
        session, suite = self._session, self._suite
        if library:
            sys.path.insert(0, library)
        session.given.modules |= unittext.module_names(suite.texts)
        session.given.classes_cross = any(testcode.uses_own_class(names) for names in self._names.values())
        for path, names in self._names.items():
            session.raised_lines[_absolute(path)] = testcode.raised_lines(names)
        install(_Program(self, session), self._modules)
        self._take_type()
        session.used = False  # what was asked so far is our question, not the tests'
        return suite.run(check=self._swallowed)

    def built(self) -> set[str]:
        """Classes of the program whose objects the test files apply ``in`` to."""
        return {name for names in self._names.values() for name in testcode.built_classes(names)}

    def stars(self, public: list[str]) -> list[str]:
        """The names that a star import takes of the program's."""
        taken: dict[str, None] = {}
        for code in self._suite.texts.values():
            if "import *" in code:
                taken.update(dict.fromkeys(Ownership(code, None, has_entry=True).stars(public)))
        return list(taken)

    def _swallowed(self) -> BaseException | None:
        """A failed assertion of a callback that did not come back through the program."""
        swallowed = list(self._session.given.swallowed.values())
        self._session.given.swallowed.clear()
        return swallowed[0] if swallowed else None

    def _take_type(self) -> None:
        """Let ``type(x)``, where a file only ever asks it of one value, be the program's class of the program's object."""
        wanted = {_absolute(path) for path, names in self._names.items() if testcode.only_asks_type(names)}
        if not wanted:
            return
        from _pytest.assertion.rewrite import AssertionRewritingHook

        original = AssertionRewritingHook.exec_module

        def exec_module(hook: AssertionRewritingHook, module: ModuleType) -> None:
            if module.__spec__ is not None and module.__spec__.origin in wanted:
                module.__dict__["type"] = self._type_of
            original(hook, module)

        AssertionRewritingHook.exec_module = exec_module  # type: ignore[method-assign, assignment]  # before any file is loaded

    def _type_of(self, value: object) -> object:
        return self._session.class_of(value) if issubclass(type(value), Handle) else type(value)  # type: ignore[arg-type]


class _Program(type(sys)):  # type: ignore[misc]  # types.ModuleType, without importing types
    """The program as a module."""

    def __init__(self, world: _World, session: Session) -> None:
        super().__init__(testcode.PROGRAM_MODULE)
        self.__dict__.update(_world=world, _session=session, _built=world.built())

    def __getattr__(self, name: str) -> object:
        session: Session = self.__dict__["_session"]
        if name == "__all__":
            return self.__dict__["_world"].stars(session.names("public"))
        if name.startswith("__"):
            raise AttributeError(name)
        if name in MODULES:
            return lookup(name)
        try:
            value = session.name(name)
        except KeyError:
            raise AttributeError(name) from None
        if name in self.__dict__["_built"]:
            session.builds(value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            self.__dict__[name] = value
        else:
            self.__dict__["_session"].bind(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(name)  # what a test sets and takes back is set back


def _absolute(path: str) -> str:
    import os

    return os.path.join(os.getcwd(), path)
