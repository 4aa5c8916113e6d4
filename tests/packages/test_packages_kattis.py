"""Kattis packages of three formats: what is read, and what is refused with the file and the fix."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from scalebox.core.limits import MIB
from scalebox.core.problem import (
    AskWhen,
    CheckerProtocol,
    CheckerSpec,
    GroupRule,
    InteractiveCase,
    InteractorProtocol,
    ProgramChecker,
    StdioCase,
)
from scalebox.core.submission import Submission
from scalebox.packages.load import load_package
from scalebox.packages.package import Package, PackageError, PackageFormat

DATA: Final = Path(__file__).parent / "data"
LANGUAGES: Final = {"python": "python", "python3": "python", ".py": "python", ".cpp": "cpp", ".cc": "cpp", "cpp": "cpp"}
MINIMAL: Final = {"problem.yaml": "name: x\n", "data/secret/1.in": "1\n", "data/secret/1.ans": "2\n"}


def write(root: Path, files: Mapping[str, str]) -> Path:
    """A package of these files."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def load(root: Path, **files: str) -> Package:
    """The minimal package with these files beside or instead of its own."""
    return load_package(write(root, MINIMAL | files), LANGUAGES)


def dues(package: Package) -> dict[str, str]:
    """Submission -> the verdict due, or why it is skipped."""
    return {jury.name: str(jury.due) if jury.skip is None else f"skipped: {jury.skip}" for jury in package.submissions}


def test_a_legacy_package_is_read_whole() -> None:
    package = load_package(DATA / "sum", LANGUAGES)
    problem = package.problem
    assert (package.name, package.format) == ("sum", PackageFormat.KATTIS_LEGACY)
    assert problem.checker == CheckerSpec(name="tokens", case_sensitive=True, exact_integers=False)
    assert (problem.limits.cpu_seconds, problem.limits.memory_bytes) == (1.0, 256 * MIB)
    assert (problem.limits.output_bytes, problem.limits.compile_seconds) == (MIB, 60.0)
    assert problem.tests == [
        StdioCase(name="sample/1", group="sample", input=b"1 2\n", answer=b"3\n"),
        StdioCase(name="secret/1-large", group="secret", input=b"1000000000 1000000000\n", answer=b"2000000000\n"),
        StdioCase(name="secret/2-negative", group="secret", input=b"-5 5\n", answer=b"0\n"),
    ]
    assert package.grading is None
    assert not package.notes


def test_folders_and_markers_say_which_verdict_is_due() -> None:
    package = load_package(DATA / "sum", LANGUAGES)
    assert dues(package) == {
        "accepted/Add.fortran": "skipped: no language here takes .fortran files",
        "accepted/add.py": "AC",
        "mixed/marked.py": "WA or TLE",
        "mixed/unmarked.py": "skipped: its folder names no verdict and it has no @EXPECTED_RESULTS@ marker",
        "run_time_error/raises.py": "MLE or OLE or RTE",
        "time_limit_exceeded/counts.py": "TLE",
        "wrong_answer/unsigned.py": "WA",
    }
    assert package.submissions[1].submission == Submission(
        source="print(sum(map(int, input().split())))\n", language="python"
    )


def test_groups_of_a_scoring_package_become_weights_and_rules() -> None:
    package = load_package(DATA / "shares", LANGUAGES)
    tests = package.problem.tests
    floats = CheckerSpec(name="floats", case_sensitive=False, absolute=1e-4, relative=1e-4, exact_integers=False)
    assert package.problem.checker == floats
    assert [(test.name, test.group, test.weight) for test in tests] == [
        ("sample/1", "sample", 0.0),
        ("secret/small/1", "secret/small", 15.0),
        ("secret/small/2", "secret/small", 15.0),
        ("secret/zero/1", "secret/zero", 70.0),
    ]
    assert package.problem.groups == {"secret/small": GroupRule.MIN, "secret/zero": GroupRule.MIN}
    assert [test.checker for test in tests] == [None, None, None, replace(floats, case_sensitive=True)]
    assert dues(package)["partially_accepted/small.py"] == "AC in part"


def test_a_package_of_2025_with_its_own_validator() -> None:
    package = load_package(DATA / "even", LANGUAGES)
    checker = package.problem.checker
    assert isinstance(checker, ProgramChecker)
    assert (package.format, checker.protocol, checker.when) == (
        PackageFormat.KATTIS_2025_09,
        CheckerProtocol.KATTIS,
        AskWhen.ALWAYS,
    )
    assert (checker.program.language, checker.program.entry) == ("python", "validator.py")
    assert package.problem.limits.judge_seconds == 20
    assert checker.limits is not None
    assert (checker.limits.cpu_seconds, checker.limits.memory_bytes) == (20, 512 * MIB)
    overrides = [test.checker for test in package.problem.tests]
    assert overrides == [None, None, replace(checker, flags=("nonzero",))]


def test_an_interactive_package() -> None:
    package = load_package(DATA / "guess", LANGUAGES)
    interactor = package.problem.interactor
    assert interactor is not None
    assert (interactor.protocol, interactor.flags) == (InteractorProtocol.KATTIS, ("8",))
    assert set(interactor.program.files) == {"talk.py"}
    assert package.problem.tests == [
        InteractiveCase(name="secret/1", group="secret", input=b"1\n"),
        InteractiveCase(name="secret/2", group="secret", input=b"77\n"),
    ]


@pytest.mark.parametrize(
    ("files", "seconds"),
    [
        ({".timelimit": "3\n"}, 3.0),
        ({"domjudge-problem.ini": "name='x'\ntimelimit='2.5'\n"}, 2.5),
        ({"problem.yaml": "limits: {time_limit: 4}", ".timelimit": "3"}, 4.0),
        ({}, None),
    ],
)
def test_the_time_limit_is_where_packages_put_it(tmp_path: Path, files: dict[str, str], seconds: float | None) -> None:
    assert load(tmp_path, **files).timing.stated_seconds == seconds


@pytest.mark.parametrize(
    ("config", "slowest", "seconds"),
    [
        ("", 0.01, 1.0),
        ("", 0.5, 3.0),
        ("limits: {time_multiplier: 2}", 0.6, 2.0),
        ("problem_format_version: 2023-07", 0.6, 2.0),
        (
            "{problem_format_version: 2025-09, limits: {time_resolution: 0.5, time_multipliers: {ac_to_time_limit: 3}}}",
            0.3,
            1.0,
        ),
    ],
)
def test_a_time_limit_that_is_not_stated_is_computed(
    tmp_path: Path, config: str, slowest: float, seconds: float
) -> None:
    assert load(tmp_path, **{"problem.yaml": config}).timing.limit_seconds(slowest) == seconds


@pytest.mark.parametrize(
    ("flags", "checker"),
    [
        ("", CheckerSpec(name="tokens", case_sensitive=False, exact_integers=False)),
        (
            "space_change_sensitive case_sensitive",
            CheckerSpec(name="tokens", case_sensitive=True, space_sensitive=True, exact_integers=False),
        ),
        (
            "float_relative_tolerance 1e-3",
            CheckerSpec(
                name="floats", case_sensitive=False, absolute=0, relative=1e-3, mode="rel", exact_integers=False
            ),
        ),
        (
            "float_absolute_tolerance 0.5 float_relative_tolerance 0.25",
            CheckerSpec(name="floats", case_sensitive=False, absolute=0.5, relative=0.25, exact_integers=False),
        ),
    ],
)
def test_flags_of_the_default_validator(tmp_path: Path, flags: str, checker: CheckerSpec) -> None:
    assert load(tmp_path, **{"problem.yaml": f"validator_flags: {flags}"}).problem.checker == checker


@pytest.mark.parametrize(
    ("files", "file", "words"),
    [
        ({"problem.yaml": "a: [1"}, "problem.yaml", "is not YAML in line 1"),
        ({"problem.yaml": "- 1"}, "problem.yaml", "is not a map"),
        ({"problem.yaml": "[" * 5000}, "problem.yaml", "is not YAML"),
        ({"problem.yaml": "problem_format_version: 1999"}, "problem.yaml", "write one of legacy"),
        ({"problem.yaml": "type: riddle"}, "problem.yaml", "`type` names 'riddle'"),
        ({"problem.yaml": "validation: strict"}, "problem.yaml", "`validation` is 'strict'"),
        ({"problem.yaml": "validation: custom multi-pass"}, "problem.yaml", "not offered"),
        ({"problem.yaml": "validation: custom"}, "output_validators", "there is none"),
        ({"problem.yaml": "limits: {memory: lots}"}, "problem.yaml", "`limits.memory` is 'lots'"),
        ({"problem.yaml": "limits: {memory: -1}"}, "problem.yaml", "above zero"),
        ({"problem.yaml": "limits: 3"}, "problem.yaml", "`limits` is not a map"),
        ({"problem.yaml": "validator_flags: float_tolerance"}, "problem.yaml", "is no tolerance"),
        ({"problem.yaml": "validator_flags: float_tolerance nan"}, "problem.yaml", "is no tolerance"),
        ({"problem.yaml": "validator_flags: fuzzy"}, "problem.yaml", "no flag 'fuzzy'"),
        ({"data/secret/testdata.yaml": "output_validator_flags: fuzzy"}, "data/secret/1", "no flag 'fuzzy'"),
        ({"data/secret/testdata.yaml": "on_reject: maybe"}, "data/secret/testdata.yaml", "break, continue"),
        ({"data/secret/2.in": ""}, "data/secret/2.in", "add 2.ans"),
        ({"data/secret/3.ans": ""}, "data/secret/3.ans", "add 3.in"),
        ({".timelimit": "soon"}, ".timelimit", "'soon'"),
        ({"submissions/mixed/a.py": "# @EXPECTED_RESULTS@: NICE"}, "submissions/mixed/a.py", "names 'NICE'"),
    ],
)
def test_what_is_malformed_is_named_with_its_file(tmp_path: Path, files: dict[str, str], file: str, words: str) -> None:
    with pytest.raises(PackageError) as raised:
        load(tmp_path, **files)
    assert str(raised.value).startswith(f"{tmp_path / file}:")
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a/validate.py": "", "b/validate.py": ""}, "2 output validators"),
        ({"a/validate.py": "", "a/run": "#!/bin/sh"}, "build or run script"),
        ({"a/Validate.pas": ""}, "no source in a language known here (Validate.pas)"),
        ({"a/one.py": "", "a/two.py": ""}, "which file is to be started"),
    ],
)
def test_a_validator_is_never_guessed(tmp_path: Path, files: dict[str, str], words: str) -> None:
    validators = {f"output_validators/{path}": text for path, text in files.items()}
    with pytest.raises(PackageError) as raised:
        load(tmp_path, **({"problem.yaml": "validation: custom"} | validators))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("files", "entry"),
    [
        ({"validate.cc": "int main() {}", "validate.h": ""}, "validate.cc"),
        ({"v/check.cpp": "int main(int, char**) {}", "v/rest.cpp": "int f();"}, "check.cpp"),
        ({"v/main.py": "import rest", "v/rest.py": ""}, "main.py"),
        ({"v/validate.py": "", "README.md": "about"}, "validate.py"),
    ],
)
def test_the_file_that_a_validator_starts_with(tmp_path: Path, files: dict[str, str], entry: str) -> None:
    validators = {f"output_validators/{path}": text for path, text in files.items()}
    checker = load(tmp_path, **({"problem.yaml": "validation: custom"} | validators)).problem.checker
    assert isinstance(checker, ProgramChecker)
    assert checker.program.entry == entry


@pytest.mark.parametrize(
    ("path", "source", "due"),
    [
        (
            "accepted/a.py",
            "#!/usr/bin/env python2\nprint 1",
            "skipped: no language here takes .py files that begin with ",
        ),
        ("accepted/b.py", "#!/usr/bin/env -S python3.11 -u\nprint(1)", "AC"),
        ("rejected/c.py", "", "not AC"),
        ("brute_force/d.py", "", "TLE or MLE or OLE or RTE"),
        ("accepted/e/only.py", "", "AC"),
        ("partially_accepted/f.py", "", "skipped: its points cannot be told here"),
        ("accepted/g.py", "# @EXPECTED_RESULTS@: CHECK_MANUALLY", "skipped: its verdict is to be checked by hand"),
    ],
)
def test_one_submission(tmp_path: Path, path: str, source: str, due: str) -> None:
    [found] = dues(load(tmp_path, **{f"submissions/{path}": source})).values()
    assert found.startswith(due)


def test_programs_of_several_files_are_skipped(tmp_path: Path) -> None:
    package = load(tmp_path, **{"submissions/accepted/a/x.py": "", "submissions/accepted/a/y.py": ""})
    assert dues(package) == {"accepted/a": "skipped: programs of 2 files are not offered"}


def test_a_source_that_is_not_utf8_is_read_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, MINIMAL | {"submissions/accepted/a.py": ""})
    (tmp_path / "submissions/accepted/a.py").write_bytes(b"# \xe5\n")
    [jury] = load_package(tmp_path, LANGUAGES).submissions
    assert jury.submission is not None
    assert jury.submission.source == "# \xe5\n"


@pytest.mark.parametrize("path", ["data/secret/2.in", "problem.yaml", "submissions/accepted/a.py", "data/secret/more"])
def test_a_link_out_of_the_package_is_refused(tmp_path: Path, path: str) -> None:
    package, outside = tmp_path / "package", tmp_path / "secret"
    beside = {"data/secret/2.ans": ""} if path.endswith("2.in") else {}
    write(package, MINIMAL | beside | {"submissions/accepted/b.py": ""})
    write(outside, {"3.in": "", "3.ans": ""})
    (package / path).unlink(missing_ok=True)
    (package / path).symlink_to(outside if path.endswith("more") else outside / "3.in")
    with pytest.raises(PackageError) as raised:
        load_package(package, LANGUAGES)
    assert str(raised.value).startswith(f"{package / path}: leads out of the package")


def test_a_link_inside_the_package_is_followed(tmp_path: Path) -> None:
    write(tmp_path, MINIMAL | {"data/secret/2.ans": "2\n"})
    (tmp_path / "data/secret/2.in").symlink_to("1.in")
    (tmp_path / "data/sample").symlink_to("secret")
    tests = load_package(tmp_path, LANGUAGES).problem.tests
    assert [test.name for test in tests] == ["sample/1", "sample/2", "secret/1", "secret/2"]


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    write(tmp_path, MINIMAL)
    (tmp_path / "data/secret/again").symlink_to(".")
    with pytest.raises(PackageError, match="this link leads to a folder that it lies in"):
        load_package(tmp_path, LANGUAGES)


def test_what_is_no_regular_file_is_never_read(tmp_path: Path) -> None:
    write(tmp_path, MINIMAL)
    os.mkfifo(tmp_path / "data/secret/2.in")
    (tmp_path / "data/secret/2.ans").touch()
    with pytest.raises(PackageError, match=r"2\.in: is no regular file; put the file itself there"):
        load_package(tmp_path, LANGUAGES)


def test_what_has_no_effect_is_said(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "naem: x\nlimits: {memroy: 3}\n",
        "output_validators/v/validate.py": "",
        "include/default/a.txt": "",
    }
    assert load(tmp_path, **files).notes == (
        f"{tmp_path}/problem.yaml: `naem` is not known and has no effect",
        f"{tmp_path}/problem.yaml: `limits.memroy` is not known and has no effect",
        f"{tmp_path}/include: included files are not added to submissions",
        f"{tmp_path}/problem.yaml: `validation` is default, so the package's own validator is not used",
    )


def test_files_and_arguments_of_a_case(tmp_path: Path) -> None:
    files = {"data/secret/1.yaml": "args: [-v, two words]", "data/secret/1.files/deep/x.txt": "x"}
    [test] = load(tmp_path, **files).problem.tests
    assert isinstance(test, StdioCase)
    assert (test.args, test.files) == (("-v", "two words"), {"deep/x.txt": b"x"})


@pytest.mark.parametrize("root", ["nowhere", "."])
def test_a_directory_that_is_no_package(tmp_path: Path, root: str) -> None:
    with pytest.raises(PackageError, match="name the"):
        load_package(tmp_path / root, LANGUAGES)
