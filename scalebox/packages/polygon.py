"""Polygon-like testlib directories (`problem.xml`) as a `Package`. Reads files and runs nothing, so tests must be generated already."""

from __future__ import annotations

import math
import re
from pathlib import PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element  # noqa: S405 - a type; xml_tree does the reading, safely

from scalebox.core.limits import Limits
from scalebox.core.problem import (
    AskWhen,
    CheckerProtocol,
    GroupRule,
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
)
from scalebox.packages import xml_tree
from scalebox.packages.folder import Folder
from scalebox.packages.package import JurySubmission, Languages, Package, PackageError, PackageFormat, Timing
from scalebox.packages.programs import language_of
from scalebox.packages.submissions import jury_submission, skipped
from scalebox.packages.verdicts import TAGS

CONFIG: Final = "problem.xml"
_HEADERS: Final = "files"
_PATTERN: Final = re.compile(r"[^%]*%0?(\d*)d[^%]*")
_STANDARD_STREAMS: Final = frozenset({"", "stdin", "stdout"})
_OTHER_VERSIONS: Final = ("python.2", "python.pypy2", "python.ipy")
"""Types whose suffix says a language that they are not."""
_MAX_TESTS: Final = 100_000


def load_polygon(folder: Folder, languages: Languages) -> Package:
    """Read a directory.

    Raises:
        PackageError: something is malformed or missing.
    """
    try:
        root = xml_tree.parse(folder.text(CONFIG))
    except ValueError as error:
        raise PackageError(folder.where(CONFIG), str(error), "export the package again") from None
    testset = _testset(folder, root)
    seconds = _number(folder, testset, "time-limit") / 1000
    interactor = _program(folder, root, "assets/interactor", languages)
    problem = Problem(
        tests=_tests(folder, testset, conversing=interactor is not None),
        limits=Limits(
            cpu_seconds=seconds,
            memory_bytes=int(_number(folder, testset, "memory-limit")),
            compile_seconds=60.0,
        ),
        interactor=None if interactor is None else Interactor(protocol=InteractorProtocol.TESTLIB, program=interactor),
        checker=_checker(folder, root, languages),
        groups={
            group.get("name", ""): GroupRule.MIN
            for group in testset.iterfind("groups/group")
            if group.get("points-policy") == "complete-group"
        },
    )
    return Package(
        name=folder.name,
        format=PackageFormat.POLYGON,
        problem=problem,
        timing=Timing(stated_seconds=seconds),
        submissions=[_solution(folder, element, languages) for element in root.iterfind("assets/solutions/solution")],
    )


def _testset(folder: Folder, root: Element) -> Element:
    judging = root.find("judging")
    testsets = [] if judging is None else judging.findall("testset")
    named = [testset for testset in testsets if testset.get("name") == "tests"] or testsets
    if judging is None or not named:
        raise PackageError(folder.where(CONFIG), "has no <judging> with a <testset>", "export the package again")
    for attribute in ("input-file", "output-file"):
        name = judging.get(attribute, "").strip()
        if name not in _STANDARD_STREAMS:
            fix = "programs here read standard input and write standard output; leave this package out"
            raise PackageError(folder.where(CONFIG), f"{attribute} is {name[:40]!r}", fix)
    return named[0]


def _tests(folder: Folder, testset: Element, *, conversing: bool) -> list[TestCase]:
    listed = testset.findall("tests/test")
    count = len(listed) or int(_number(folder, testset, "test-count"))
    if count > _MAX_TESTS:
        raise PackageError(folder.where(CONFIG), f"has more than {_MAX_TESTS} tests", "correct <test-count>")
    inputs = _pattern(folder, testset, "input-path-pattern")
    answers = _pattern(folder, testset, "answer-path-pattern")
    tests: list[TestCase] = []
    for number in range(1, count + 1):
        element = listed[number - 1] if listed else Element("test")
        name, group, weight = str(number), element.get("group") or None, _points(folder, element)
        data = _test_file(folder, inputs % number)
        answer = b"" if conversing and not folder.is_file(answers % number) else _test_file(folder, answers % number)
        if conversing:
            tests.append(InteractiveCase(name=name, group=group, weight=weight, input=data, answer=answer))
        else:
            tests.append(StdioCase(name=name, group=group, weight=weight, input=data, answer=answer))
    return tests


def _test_file(folder: Folder, path: str) -> bytes:
    if not folder.is_file(path):
        raise PackageError(folder.where(path), "is missing", "generate the tests (doall), or export the full package")
    return folder.read(path)


def _pattern(folder: Folder, testset: Element, name: str) -> str:
    """A path with one ``%d`` or ``%02d``, checked so that formatting it can do nothing else."""
    text = _text(folder, testset, name)
    found = _PATTERN.fullmatch(text)
    if found is None or len(found[1]) > 2:
        raise PackageError(folder.where(CONFIG), f"<{name}> is {text[:60]!r}", "write a path with one %02d in it")
    return text


def _points(folder: Folder, element: Element) -> float:
    """The weight of a test: its points; 1 where there are none."""
    text = element.get("points")
    return 1.0 if text is None else _finite(folder, text, "points")


def _number(folder: Folder, element: Element, name: str) -> float:
    value = _finite(folder, _text(folder, element, name), f"<{name}>")
    if value <= 0:
        raise PackageError(folder.where(CONFIG), f"<{name}> is {value:g}", "write a number above zero")
    return value


def _finite(folder: Folder, text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise PackageError(folder.where(CONFIG), f"{name} is {text[:40]!r}", "write a finite number, zero or more")
    return value


def _text(folder: Folder, element: Element, name: str) -> str:
    text = (element.findtext(name) or "").strip()
    if not text:
        raise PackageError(folder.where(CONFIG), f"<testset> has no <{name}>", "export the package again")
    return text


def _checker(folder: Folder, root: Element, languages: Languages) -> ProgramChecker:
    program = _program(folder, root, "assets/checker", languages)
    if program is None:
        raise PackageError(folder.where(CONFIG), "names no <checker>", "give the problem a checker, as wcmp.cpp")
    return ProgramChecker(protocol=CheckerProtocol.TESTLIB, program=program, when=AskWhen.ALWAYS)


def _program(folder: Folder, root: Element, where: str, languages: Languages) -> ProgramText | None:
    """A program of the jury with the headers beside it; None where the package has none."""
    element = root.find(where)
    if element is None:
        return None
    path, kind = _source(folder, element)
    text = folder.source(path)
    language = _language(path, text, kind, languages)
    if language is None:
        fix = "see `scalebox languages`"
        raise PackageError(folder.where(path), f"is of type {kind[:40]!r}, which no language here takes", fix)
    name = PurePosixPath(path).name
    headers = [header for header in folder.names(_HEADERS) if PurePosixPath(header).suffix in {".h", ".hpp"}]
    files = {header: folder.source(f"{_HEADERS}/{header}") for header in headers} | {name: text}
    return ProgramText(language=language, files=files, entry=name)


def _solution(folder: Folder, element: Element, languages: Languages) -> JurySubmission:
    path, kind = _source(folder, element)
    tag = element.get("tag", "")
    if kind.startswith(_OTHER_VERSIONS):
        return skipped(path, kind, f"no language here takes the type {kind[:40]!r}")
    if tag not in TAGS:
        return skipped(path, kind, f"the tag {tag[:40]!r} promises no verdict")
    return jury_submission(folder, path, path, TAGS[tag], languages)


def _source(folder: Folder, element: Element) -> tuple[str, str]:
    """Path and type of an asset's source."""
    source = element.find("source")
    path = "" if source is None else source.get("path", "")
    if source is None or not path:
        raise PackageError(folder.where(CONFIG), f"<{element.tag}> has no <source path=…>", "export the package again")
    return path, source.get("type", "")


def _language(path: str, text: str, kind: str, languages: Languages) -> str | None:
    return None if kind.startswith(_OTHER_VERSIONS) else language_of(path, text, languages)
