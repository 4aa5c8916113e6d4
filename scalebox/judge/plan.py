"""From a submission and a problem to the steps of a judgement. Pure text and values; runs nothing."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from scalebox.checkers.catalogue import validate
from scalebox.core.errors import RequestError
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerSpec,
    InteractiveCase,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
    UnitCase,
)
from scalebox.judge.assemble import asked_for, assemble
from scalebox.judge.calls import prepare_call
from scalebox.judge.quotes import without_quotes
from scalebox.judge.special import PATHS
from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import Kind, Language
from scalebox.languages.harness import render_append, render_call

_MAX_PATH: Final = 4096
_PROGRAM_BYTES: Final = 64 * MIB
_MAX_NAME: Final = 255
_MAX_DEPTH: Final = 64
"""Folders; the box makes them one inside the other."""
MOST_TEST_NAME: Final = 300
"""As pytest's harness cuts them; a longer name would never be found among those that were run."""


class Mode(enum.StrEnum):
    """How a case is run."""

    STDIO = "stdio"
    CALL = "call"
    CONVERSE = "converse"
    """Program and test code in two boxes."""
    ONE_BOX = "one_box"
    """Program and test code share a box."""
    INTERACT = "interact"
    """Program and interactor in two boxes."""
    UNIT = "unit"
    """Program and test files in two boxes."""
    UNIT_ONE_BOX = "unit_one_box"
    """Program and test files share a box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One case and the text that must be compiled for it."""

    index: int
    case: TestCase
    mode: Mode
    source: bytes
    language: Language
    """What the text is compiled as: the submission's, or a unit-test framework's."""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Further files that it is compiled with."""
    framework: Language | None = None
    """Of a unit case."""
    own: str | None = None
    """What of the source is the program's, where test code stands behind it."""

    @property
    def text(self) -> tuple[object, ...]:
        """What steps share where they share a program."""
        return self.language.id, self.language.source_name, self.source, tuple(sorted(self.beside.items()))

    def shown(self, message: str) -> str:
        """A compiler's message without what it quotes of test code."""
        if self.own is None and not self.beside:
            return message
        source = self.source.decode(errors="replace")
        compiled = "\n".join([source, *(text.decode(errors="replace") for text in self.beside.values())])
        return without_quotes(message, compiled, source if self.own is None else self.own)


def validate_problem(problem: Problem) -> None:
    """Refuse what cannot be judged, before anything runs.

    Raises:
        RequestError: names the field at fault.
    """
    if not problem.tests:
        msg = "a problem needs at least one test case"
        raise RequestError(msg, field="problem.tests", hint="add a test case", code="no_tests")
    _check_checker(problem.checker, "problem.checker")
    _check_groups(problem)
    _check_interactor(problem)
    for index, case in enumerate(problem.tests):
        if case.checker is not None:
            _check_checker(case.checker, f"problem.tests.{index}.checker")
        _check_kind(case, case.checker or problem.checker, f"problem.tests.{index}.checker")
        if isinstance(case, StdioCase):
            check_files(case.files, problem.limits.disk_bytes, f"problem.tests.{index}.files")
            check_args(case.args, f"problem.tests.{index}.args")
        if isinstance(case, InteractiveCase):
            check_args(case.args, f"problem.tests.{index}.args")
        if isinstance(case, UnitCase):
            check_unit(case, problem.limits, f"problem.tests.{index}")


def _check_interactor(problem: Problem) -> None:
    interactive = any(isinstance(case, InteractiveCase) for case in problem.tests)
    if problem.interactor is None and interactive:
        msg = "an interactive case needs the problem's interactor"
        raise RequestError(msg, field="problem.interactor", hint="add one", code="missing")
    if problem.interactor is not None and not interactive:
        msg = "the interactor would never be asked: no case is interactive"
        raise RequestError(msg, field="problem.interactor", hint="remove it, or make cases interactive", code="unused")
    if problem.interactor is not None:
        check_program(problem.interactor.program, "problem.interactor.files")
        check_args(problem.interactor.flags, "problem.interactor.flags")


def _check_checker(checker: CheckerSpec | ProgramChecker, field: str) -> None:
    if isinstance(checker, CheckerSpec):
        validate(checker)
        return
    check_program(checker.program, f"{field}.files")
    check_args(checker.flags, f"{field}.flags")
    if not checker.order or len(set(checker.order)) < len(checker.order) or not set(checker.order) <= set(PATHS):
        msg = "the order of a judge's arguments names each of input, answer and output at most once"
        raise RequestError(msg, field=f"{field}.order", hint='write ["input", "answer", "output"]', code="bad_order")


def check_program(text: ProgramText, field: str) -> None:
    """Refuse a judge's program whose files cannot be laid out.

    Raises:
        RequestError: the entry is not among them, a path is bad, or one file is to lie below another.
    """
    if text.entry not in text.files:
        msg = f"the entry {text.entry[:80]!r} is none of the judge's files"
        hint = "name one of: " + ", ".join(sorted(text.files))[:200]
        raise RequestError(msg, field=field.rpartition(".")[0] + ".entry", hint=hint, code="missing")
    sizes = {path: content.encode("utf-8", "surrogatepass") for path, content in text.files.items()}
    check_files(sizes, _PROGRAM_BYTES, field)


def _check_kind(case: TestCase, checker: CheckerSpec | ProgramChecker, field: str) -> None:
    """Refuse a judge that would never be asked."""
    if isinstance(checker, ProgramChecker) and isinstance(case, CallCase | AssertCase | UnitCase | InteractiveCase):
        msg = "a checker that is a program judges what a program printed, and this case has no output"
        raise RequestError(msg, field=field, hint="use stdio cases, or a built-in checker", code="unsupported")


def _check_groups(problem: Problem) -> None:
    known = {case.group for case in problem.tests}
    for name in problem.groups:
        if name not in known:
            msg = f"no test case is of the group {name[:80]!r}"
            raise RequestError(msg, field=f"problem.groups.{name[:80]}", hint="name it in a case", code="no_such_group")


def check_files(files: Mapping[str, bytes], disk_bytes: int, field: str) -> None:
    """Refuse files that cannot all be laid into the work folder of a box.

    Raises:
        RequestError: a path is bad, one file is to lie below or upon another, or they are larger than the disk limit.
    """
    for path in files:
        check_path(path, field)
    places = [PurePosixPath(path).parts for path in files]
    taken = set(places)
    if len(taken) < len(places) or any(place[:end] in taken for place in places for end in range(1, len(place))):
        msg = "two of the files are to lie in the same place"
        raise RequestError(msg, field=field, hint="give every file a path of its own", code="bad_path")
    size = sum(map(len, files.values()))
    if size > disk_bytes:
        msg = f"the files have {size} bytes, the limit is {disk_bytes}"
        raise RequestError(msg, field=field, hint="raise limits.disk_mb", code="files_too_large")


def check_names(files: Mapping[str, bytes], language: Language, field: str) -> None:
    """Refuse files that are to lie where the program lies.

    Raises:
        RequestError: a file has the program's own name.
    """
    own = {language.source_name} if language.compile is None else {language.source_name, language.compile.artifact}
    for path in files:
        name = PurePosixPath(path).parts[0]
        if name in own:
            msg = f"{name} is the program's own file"
            raise RequestError(msg, field=field, hint="give the file another name", code="bad_path")


def check_args(args: Sequence[str], field: str) -> None:
    """Refuse arguments that no program can be started with.

    Raises:
        RequestError: one holds a NUL character or a lone surrogate.
    """
    for number, text in enumerate(args):
        if "\0" in text or not _is_text(text):
            msg = "an argument holds a NUL character or a lone surrogate"
            raise RequestError(msg, field=f"{field}.{number}", hint="use plain text", code="bad_argument")


def check_path(path: str, field: str) -> None:
    """Refuse a path that is not plainly inside the work folder.

    Raises:
        RequestError: it is absolute, climbs, is no text, is empty, too deep or too long.
    """
    parts = PurePosixPath(path).parts
    sound = (
        _is_text(path)
        and 0 < len(parts) <= _MAX_DEPTH
        and "\0" not in path
        and not path.startswith("/")
        and not path.endswith("/")
        and ".." not in parts
        and len(path.encode()) < _MAX_PATH
        and all(len(part.encode()) <= _MAX_NAME for part in parts)
    )
    if not sound:
        msg = f"{path[:80]!r} is no relative path inside the working directory"
        raise RequestError(msg, field=field, hint="use a relative path without '..'", code="bad_path")


def _is_text(text: str) -> bool:
    """Whether it can be written as UTF-8: it holds no lone surrogate."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def make_steps(language: Language, source: str, problem: Problem, catalogue: Catalogue | None = None) -> list[Step]:
    """The steps of a judgement, in case order.

    Args:
        catalogue: where the frameworks of unit cases are found.

    Raises:
        RequestError: a case's kind is not to be had in the language.
    """
    encoded = encode_source(source)  # once: a copy for each of many cases fills the memory
    return [_step(language, source, encoded, index, case, catalogue) for index, case in enumerate(problem.tests)]


def _step(
    language: Language, source: str, encoded: bytes, index: int, case: TestCase, catalogue: Catalogue | None
) -> Step:
    match case:
        case StdioCase():
            check_names(case.files, language, f"problem.tests.{index}.files")
            return Step(index=index, case=case, mode=Mode.STDIO, source=encoded, language=language)
        case CallCase():
            case = prepare_call(case, language, f"problem.tests.{index}")
            if language.kind is Kind.EXEC:
                encoded = encode_source(render_call(language, source, case.function, len(case.args)))
            return Step(index=index, case=case, mode=Mode.CALL, source=encoded, language=language.rendered)
        case AssertCase():
            return _assert_step(language, source, index, case)
        case UnitCase():
            framework = framework_of(case, catalogue, f"problem.tests.{index}.framework")
            return _unit_step(language, framework, encoded, index, case)
        case InteractiveCase():
            return Step(index=index, case=case, mode=Mode.INTERACT, source=encoded, language=language)
        case _:
            msg = f"cases of type {type(case).__name__} are not judged"
            raise RequestError(msg, field=f"problem.tests.{index}.kind")


def _assert_step(language: Language, source: str, index: int, case: AssertCase) -> Step:
    head = None if language.append is None else language.append.head
    text = assemble(source, case.prompt, case.entry_point, case.stop_tokens, head)
    if language.kind is Kind.ZYGOTE:
        return Step(index=index, case=case, mode=Mode.CONVERSE, source=encode_source(text), language=language)
    if case.style is not AssertStyle.APPEND:
        msg = f"assert cases in {language.name} are text that follows the program"
        raise RequestError(msg, field=f"problem.tests.{index}.style", hint="use style 'append'")
    whole = render_append(language, text, case.code, asked_for(case.prompt, case.entry_point))
    return Step(
        index=index, case=case, mode=Mode.ONE_BOX, source=encode_source(whole), language=language.rendered, own=text
    )


def framework_of(case: UnitCase, catalogue: Catalogue | None, field: str) -> Language:
    """The definition of a case's framework.

    Raises:
        RequestError: there is no such framework.
    """
    found = None if catalogue is None else catalogue.get(case.framework)
    if found is not None and found.unit is not None:
        return found
    known = [] if catalogue is None else [language.id for language in catalogue if language.unit is not None]
    msg = f"{case.framework[:80]!r} is no unit-test framework"
    raise RequestError(msg, field=field, hint="one of: " + ", ".join(known), code="unknown_framework")


def _unit_step(language: Language, framework: Language, encoded: bytes, index: int, case: UnitCase) -> Step:
    """How a framework is run: over a warm interpreter's program from another box, else compiled together with it."""
    path, unit = f"problem.tests.{index}", framework.unit
    assert unit is not None  # ruff: ignore[assert] - `framework_of` looks
    if language.family not in unit.languages:
        msg = f"{framework.name} tests programs in {', '.join(unit.languages)}, not in {language.name}"
        raise RequestError(msg, field=f"{path}.framework", hint="use the language's own framework", code="unsupported")
    program = case.program or unit.programs.get(language.family, unit.program)
    if not any(unit.tests.search(name) for name in case.files):
        msg = f"none of the files is called as {framework.name} wants test files to be called"
        raise RequestError(msg, field=f"{path}.files", hint=f"they match {unit.tests.pattern}", code="no_tests")
    if program in case.files:
        msg = f"{program[:80]} is where the program's file goes"
        raise RequestError(msg, field=f"{path}.files", hint="give the file another name", code="bad_path")
    if language.kind is Kind.ZYGOTE:
        return Step(index=index, case=case, mode=Mode.UNIT, source=encoded, language=language, framework=framework)
    if "/" in program:
        msg = f"{framework.name} takes a program that lies beside its tests"
        raise RequestError(msg, field=f"{path}.program", hint="give a name without folders", code="unsupported")
    check_names({name: b"" for name in case.files}, replace(framework, source_name=program), f"{path}.files")
    return Step(
        index=index,
        case=case,
        mode=Mode.UNIT_ONE_BOX,
        source=encoded,
        language=replace(framework, source_name=program),
        beside={name: encode_source(text) for name, text in case.files.items()},
        framework=framework,
    )


def check_unit(case: UnitCase, limits: Limits, field: str) -> None:
    """Refuse test files that cannot be laid out, and tests that cannot be told apart.

    Raises:
        RequestError: a path is bad, or the name of a test is there twice or longer than one that is reported.
    """
    check_files({name: encode_source(text) for name, text in case.files.items()}, limits.disk_bytes, f"{field}.files")
    if case.program is not None:
        check_path(case.program, f"{field}.program")
    if len(set(case.tests)) < len(case.tests):
        msg = "a test is named twice"
        raise RequestError(msg, field=f"{field}.tests", hint="name each once", code="invalid")
    if any(len(name) > MOST_TEST_NAME for name in case.tests):
        msg = f"the name of a test has more than {MOST_TEST_NAME} characters, and is reported cut"
        raise RequestError(msg, field=f"{field}.tests", hint="give the test a shorter name", code="invalid")


def encode_source(source: str) -> bytes:
    """Source as the compiler reads it; lone surrogates stay and are the compiler's to refuse."""
    return source.encode("utf-8", "surrogatepass")
