"""Polygon-like directories: what is read, and what is refused with the file and the fix."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from scalebox.core.limits import MIB
from scalebox.core.problem import (
    CheckerProtocol,
    GroupRule,
    InteractiveCase,
    InteractorProtocol,
    ProgramChecker,
    StdioCase,
)
from scalebox.packages.load import load_package
from scalebox.packages.package import PackageError, PackageFormat

DATA: Final = Path(__file__).parent / "data" / "polygon"
LANGUAGES: Final = {"python": "python", "python3": "python", ".py": "python", ".cpp": "cpp"}
BOMB: Final = '<!DOCTYPE problem [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to be spoiled."""
    return Path(shutil.copytree(DATA, tmp_path / "polygon"))


def change(package: Path, old: str, new: str) -> None:
    """Replace text in `problem.xml`."""
    config = package / "problem.xml"
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new))


def test_a_directory_is_read_whole() -> None:
    package = load_package(DATA, LANGUAGES)
    problem = package.problem
    assert package.format is PackageFormat.POLYGON
    assert problem.tests == [
        StdioCase(name="1", group="0", weight=0.0, input=b"3 9 4\n", answer=b"9\n"),
        StdioCase(name="2", group="1", weight=10.0, input=b"-7 -3\n", answer=b"-3\n"),
    ]
    assert problem.groups == {"1": GroupRule.MIN}
    assert (problem.limits.cpu_seconds, problem.limits.memory_bytes) == (1.5, 256 * MIB)
    checker = problem.checker
    assert isinstance(checker, ProgramChecker)
    assert (checker.protocol, checker.program.language) == (CheckerProtocol.TESTLIB, "cpp")
    assert (checker.program.entry, set(checker.program.files)) == ("check.cpp", {"check.cpp", "read.h"})


def test_tags_say_which_verdict_is_due() -> None:
    found = [(jury.name, str(jury.due), jury.skip) for jury in load_package(DATA, LANGUAGES).submissions]
    assert found == [
        ("solutions/largest.py", "AC", None),
        ("solutions/first.py", "WA", None),
        ("solutions/crash.py", "not AC", None),
        ("solutions/old.py", "None", "no language here takes the type 'python.2'"),
        ("solutions/first.py", "None", "the tag 'do-not-run' promises no verdict"),
    ]


def test_an_interactor_makes_the_cases_conversations(package: Path) -> None:
    change(
        package, "</checker>", '</checker><interactor><source path="files/check.cpp" type="cpp.g++17"/></interactor>'
    )
    (package / "tests/02.a").unlink()
    problem = load_package(package, LANGUAGES).problem
    assert problem.interactor is not None
    assert problem.interactor.protocol is InteractorProtocol.TESTLIB
    assert problem.tests[1] == InteractiveCase(name="2", group="1", weight=10.0, input=b"-7 -3\n", answer=b"")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<problem revision", BOMB + "<problem revision", "document type declaration"),
        ("</names>", "", "is not XML: mismatched tag in line"),
        ("</names>", "</names>" + "<x>" * 70 + "</x>" * 70, "elements deep"),
        ('input-file=""', 'input-file="a.in"', "input-file is 'a.in'"),
        ("<time-limit>1500</time-limit>", "", "has no <time-limit>"),
        ("<time-limit>1500", "<time-limit>soon", "<time-limit> is 'soon'"),
        ("<memory-limit>268435456", "<memory-limit>0", "above zero"),
        ("tests/%02d<", "tests/%s<", "one %02d in it"),
        ("tests/%02d<", "tests/%99999d<", "one %02d in it"),
        ('points="10.0"', 'points="nan"', "points is 'nan'"),
        ("<testset name", "<testse name", "mismatched tag"),
        ('<source path="files/check.cpp" type="cpp.g++17"/></checker>', "</checker>", "<checker> has no <source path"),
    ],
)
def test_what_is_malformed_is_named(package: Path, old: str, new: str, words: str) -> None:
    change(package, old, new)
    with pytest.raises(PackageError) as raised:
        load_package(package, LANGUAGES)
    assert str(raised.value).startswith(f"{package / 'problem.xml'}: ")
    assert words in str(raised.value)


@pytest.mark.parametrize("path", ["../outside.cpp", "/etc/hostname", "files/absent.cpp"])
def test_a_source_is_inside_the_package_and_there(package: Path, path: str) -> None:
    (package.parent / "outside.cpp").write_text("")
    change(package, "files/check.cpp", path)
    with pytest.raises(PackageError, match=r"leads out of the package|there is no such file"):
        load_package(package, LANGUAGES)


def test_tests_that_are_not_generated_are_asked_for(package: Path) -> None:
    (package / "tests/02").unlink()
    with pytest.raises(PackageError, match=r"tests/02: is missing; generate the tests"):
        load_package(package, LANGUAGES)
