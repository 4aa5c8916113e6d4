"""Run the test code of an assert case against a program in another box, and report. Never holds the program's code.

Theory of operation: this box has the test code and a socket; the program's box has the program and the socket's other end.
Test code runs as ``__main__`` with a builtins mapping that, where a name is unknown, asks the program for it; what comes
back is a copy of plain data or a stand-in (``proxies``). The report counts only if the test code ran to its normal end, it
used the program at all, and the program was alive and sane throughout.
"""

from __future__ import annotations

import builtins
import sys

from scalebox.runner.zygote.harness import prelude, promptcode, reporting, testcode
from scalebox.runner.zygote.harness.channel import Channel
from scalebox.runner.zygote.harness.given import TEST_MODULE, ProgramDied, Unsupported
from scalebox.runner.zygote.harness.names import referred
from scalebox.runner.zygote.harness.ownership import Ownership
from scalebox.runner.zygote.harness.proxies import ClassHandle, FunctionHandle, Handle
from scalebox.runner.zygote.harness.reporting import Report, of_exception
from scalebox.runner.zygote.harness.session import Session
from scalebox.runner.zygote.harness.testcode import FILENAME, PROGRAM_MODULE, BrokenTest
from scalebox.runner.zygote.harness.unittests import Unittests, is_normal_exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType

_NO_CHECK = "the test code defines no function check"
_CACHED = (FunctionHandle, ClassHandle, type)


def run(spec: Mapping[str, object], channel_fd: int, report_fd: int) -> None:
    """Run the test code and write one report.

    Args:
        spec: ``code``; ``style`` (``check``, ``bare`` or ``append``); ``entry_point``; ``setup``, statements that run first;
            ``prompt``, which begins the program.
        channel_fd: a stream socket to the program's box.
        report_fd: receives the report.
    """
    session = Session(Channel(channel_fd))
    report = _report(_Case(spec), session)
    session.close()
    report.write(report_fd)


class _Case:
    """The spec, with its types."""

    def __init__(self, spec: Mapping[str, object]) -> None:
        setup = spec.get("setup")
        self.code = f"{setup}\n{spec['code']}" if setup else str(spec["code"])
        self.style = str(spec["style"])
        entry_point = spec.get("entry_point")
        self.entry_point = None if entry_point is None else str(entry_point)
        self.prompt = str(spec.get("prompt") or "")


def _report(case: _Case, session: Session) -> Report:
    try:
        code = testcode.compiled(case.code)
        if case.style == "check" and not case.entry_point:
            raise BrokenTest("a check needs an entry point")
    except BrokenTest as error:
        return Report(reporting.BROKEN_TEST, str(error))
    reason = testcode.unsupported(case.code)
    if reason is not None and case.style == "check" and "check" not in testcode.Names(case.code).bound:
        return Report(reporting.BROKEN_TEST, _NO_CHECK)
    if reason is not None:
        return Report(reporting.UNSUPPORTED, reason)
    run = _TestRun(case, code, session)
    try:
        session.wait_until_ready()
        run.execute()
    except BaseException as error:  # ruff: ignore[blind-except] - every end of test code is an outcome
        return _of_end(session, None if _is_normal_exit(session, error, run, case) else error, run)
    return _of_end(session, None, run)


def _is_normal_exit(session: Session, error: BaseException, run: _TestRun, case: _Case) -> bool:
    """Whether an exit says what a normal end says."""
    if session.errors.is_program_s(error):
        return False
    return is_normal_exit(error, case.code, case.style, run.unittests)


def _of_end(session: Session, error: BaseException | None, run: _TestRun) -> Report:
    if isinstance(session.end, Unsupported):
        return Report(reporting.UNSUPPORTED, str(session.end))
    if isinstance(session.end, ProgramDied):
        return Report(reporting.PROGRAM_DIED, str(session.end))
    return _of_normal_end(session, run) if error is None else _of_error(session, error, run)


def _of_error(session: Session, error: BaseException, run: _TestRun) -> Report:
    if isinstance(error, BrokenTest):
        return Report(reporting.BROKEN_TEST, str(error))
    if session.errors.is_program_s(error):
        return of_exception(reporting.RAISED, error, FILENAME)
    if isinstance(error, ModuleNotFoundError) and run.wants_module(error.name):
        return of_exception(reporting.BROKEN_TEST, error, FILENAME)
    return of_exception(reporting.FAILED, error, FILENAME)


def _of_normal_end(session: Session, run: _TestRun) -> Report:
    if run.unittests.failures:
        return Report(reporting.FAILED, run.unittests.failures[0])
    for swallowed in session.given.swallowed.values():
        return of_exception(reporting.FAILED, swallowed, FILENAME)
    if session.used:
        return Report(reporting.PASSED)
    if run.missed:
        return Report(reporting.FAILED, f"the program does not define {run.missed[0]}")
    return Report(reporting.BROKEN_TEST, "the test code never used the program")


class _TestRun:
    """The test code's world."""

    def __init__(self, case: _Case, code: CodeType, session: Session) -> None:
        self._case = case
        self._code = code
        self._session = session
        self._ownership: Ownership | None = None
        self._closed = False
        """Whether the program's names are not to be had any more, but for one that shadows a builtin."""
        self._built: set[str] = set()
        """Classes of the program whose objects the test code applies ``in`` to."""
        self.unittests = Unittests()
        self.missed: list[str] = []
        """Names that were asked of the program, which does not define them, and that Python's prelude has."""
        self.namespace: dict[str, object] = {
            "__name__": TEST_MODULE,
            "__doc__": None,
            "__builtins__": _Builtins(self),
        }

    def execute(self) -> None:
        """Run the test code to its end.

        Raises:
            BaseException: whatever ends it earlier.
        """
        self._install_modules()
        self._take_builtin_name()
        self._take_from_prompt()
        self._read_text()
        self._session.used = False  # what was asked so far is our question, not the test code's
        if "unittest" in self._case.code:
            self.unittests.watch()
        exec(self._code, self.namespace)  # ruff: ignore[exec-builtin] - the test code is trusted; it came with the problem
        if self._case.style == "check":
            check = self.namespace.get("check")
            if not callable(check):
                raise BrokenTest(_NO_CHECK)
            check(self._session.entry(self._case.entry_point or ""))
        else:
            self.unittests.run_left(self._case.code, self.namespace)

    def wants_module(self, name: str | None) -> bool:
        """Whether the text of the test code names a module: else the program could have had it looked for."""
        return bool(name) and str(name).partition(".")[0] in self._case.code

    def find(self, name: str) -> object:
        """A name that neither the test code nor Python defines: the program's, else the prelude's.

        Raises:
            KeyError: nobody's.
        """
        if name.startswith("__"):
            raise KeyError(name)
        in_prelude = name in prelude.ORIGIN or name in prelude.MODULES or name in prelude.ALIASES
        if in_prelude and (self._closed or self.ownership.is_prelude_s(name)):
            return self._keep(name, prelude.lookup(name))
        used = self._session.used
        try:
            if self._closed:
                raise KeyError(name)
            value = self._session.name(name)
        except KeyError:
            if not in_prelude or self.ownership.is_program_s(name):
                raise
            self._session.used = used  # the program was asked for nothing it has
            value = prelude.lookup(name)
            self.missed.append(name)
            return self._keep(name, value)
        if name in self._built:
            self._session.builds(value)
        return self._keep(name, value) if isinstance(value, _CACHED) else value

    @property
    def ownership(self) -> Ownership:
        """Whose the names are that the test code does not define."""
        if self._ownership is None:
            has_entry = self._case.style == "check" or self._case.entry_point is not None
            self._ownership = Ownership(self._case.code, self._case.entry_point, has_entry=has_entry)
        return self._ownership

    def _keep(self, name: str, value: object) -> object:
        self.namespace[name] = value
        return value

    def _read_text(self) -> None:
        """What the text of the test code lets the program answer; most texts have none of it."""
        code = self._case.code
        if code.count(" in ") > code.count("for ") or "assertIn" in code or "assertNotIn" in code:
            self._built = testcode.built_classes(self.ownership.names)
        if "class " in code or "namedtuple" in code:
            self._session.given.classes_cross = testcode.uses_own_class(self.ownership.names)
        if "with " in code and "raise" in code:
            self._session.raised_lines[FILENAME] = testcode.raised_lines(self.ownership.names)
        if "type(" in code and testcode.only_asks_type(self.ownership.names):
            self.namespace["type"] = self._type_of

    def _type_of(self, value: object) -> object:
        return self._session.class_of(value) if issubclass(type(value), Handle) else type(value)  # type: ignore[arg-type]

    def _take_from_prompt(self) -> None:
        if not self._case.prompt:
            return
        wanted = {name for name in referred(self._code) if not name.startswith("__")}
        outer = {name: self.namespace[name] for name in ("__name__", "__builtins__")}
        self._session.used = False
        try:
            found = promptcode.definitions(self._case.prompt, self._case.entry_point, wanted, outer)
        except BrokenTest as error:
            if self._session.used and error.__cause__ is not None:  # it met the program, which is to answer for it
                raise error.__cause__ from None
            raise
        self.namespace.update(found)

    def _take_builtin_name(self) -> None:
        """Take one name that shadows a builtin from the program, where the test code can mean no other."""
        if self._case.style == "check":
            return
        entry_point = self._case.entry_point
        if entry_point is not None:
            if hasattr(builtins, entry_point):
                self.namespace[entry_point] = self._session.entry(entry_point)
            return
        names = [name for name in referred(self._code) if not name.startswith("__")]
        shadowing = [name for name in names if hasattr(builtins, name)]
        if not shadowing or not self._session.names("defined", self._session.text(shadowing)):
            return
        name = testcode.builtin_in_question(self._case.code, self._session.names("defined", self._session.text(names)))
        if name is not None:
            self.namespace[name] = self._session.name(name)
            self._closed = True

    def _install_modules(self) -> None:
        main = _TestModule(TEST_MODULE)
        main.__dict__["_run"] = self
        sys.modules[TEST_MODULE] = main
        sys.modules[PROGRAM_MODULE] = _ProgramModule(self, self._session)
        import io

        sys.stdin = io.StringIO("")
        sys.argv = ["main.py"]


class _Builtins(dict[str, object]):
    """Python's builtins, then the program's names. The interpreter asks a subclass for what it lacks.

    Where a class body looks for a name, CPython skips ``__missing__`` of the globals but not of the builtins.
    """

    def __init__(self, run: _TestRun) -> None:
        super().__init__(vars(builtins))
        self._run = run

    def __missing__(self, name: str) -> object:
        return self._run.find(name)


class _TestModule(type(sys)):  # type: ignore[misc]  # types.ModuleType, without importing types
    """The test code as ``__main__``, for test frameworks that look themselves up there."""

    def __getattr__(self, name: str) -> object:
        try:
            return self.__dict__["_run"].namespace[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return list(self.__dict__["_run"].namespace)


class _ProgramModule(type(sys)):  # type: ignore[misc]  # types.ModuleType, without importing types
    """The program as the module ``solution``, for test code that imports it."""

    def __init__(self, run: _TestRun, session: Session) -> None:
        super().__init__(PROGRAM_MODULE)
        self.__dict__["_run"] = run
        self.__dict__["_session"] = session

    def __getattr__(self, name: str) -> object:
        session: Session = self.__dict__["_session"]
        if name == "__all__":
            return self.__dict__["_run"].ownership.stars(session.names("public"))
        if name.startswith("__"):
            raise AttributeError(name)
        if name in prelude.MODULES:
            return prelude.lookup(name)
        try:
            return session.name(name)
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            self.__dict__[name] = value
        else:
            self.__dict__["_session"].bind(name, value)
