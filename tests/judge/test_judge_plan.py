"""What is refused before anything runs, and which steps a judgement has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import AssertCase, AssertStyle, CallCase, CheckerSpec, Problem, StdioCase, TestCase
from scalebox.judge.plan import Mode, check_args, check_files, check_path, encode_source, make_steps, validate_problem
from scalebox.languages.catalogue import load_languages
from scalebox.languages.definition import Language

CATALOGUE = load_languages()
STDIO = StdioCase(name="0", input=b"", answer=b"")
CALL = CallCase(name="0", function="f", args=[1, 2], answer=3)
BARE = AssertCase(name="0", code="assert f(1) == 2", style=AssertStyle.BARE)
APPEND = AssertCase(name="0", code="int main() {}", style=AssertStyle.APPEND)


def language(name: str) -> Language:
    """A shipped language."""
    found = CATALOGUE.get(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "path", ["a", "a/b", "a.b/c d", "./a", "a//b", "..a", "a..", "\u00e9", "x" * 255, "/".join("a" * 64)]
)
def test_path_inside_the_work_folder(path: str) -> None:
    check_path(path, "files")


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "/",
        "/etc/passwd",
        "//a",
        "..",
        "../a",
        "a/../b",
        "a/..",
        "a/",
        "a\0b",
        "x" * 256,
        "\u00e9" * 128,
        "/".join("a" * 65),  # deeper than the box makes folders
        "/".join(["x" * 200] * 30),
        "\ud800",
    ],
)
def test_path_refused(path: str) -> None:
    with pytest.raises(RequestError) as refused:
        check_path(path, "problem.tests.3.files")
    assert (refused.value.field, refused.value.code) == ("problem.tests.3.files", "bad_path")
    assert refused.value.hint


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({}, None),
        ({"a": b"x", "b/c": b"y", "b/d": b"z"}, None),
        ({"a": b"1234567890"}, None),
        ({"a": b"12345678901"}, "files_too_large"),
        ({"a": b"123456", "b": b"123456"}, "files_too_large"),
        ({"a": b"", "a/b": b""}, "bad_path"),
        ({"a/b/c": b"", "a": b""}, "bad_path"),
        ({"a": b"", "./a": b""}, "bad_path"),
        ({"a/b": b"", "a//b": b""}, "bad_path"),
        ({"../a": b""}, "bad_path"),
    ],
)
def test_files_that_cannot_be_laid_out_are_refused(files: Mapping[str, bytes], code: str | None) -> None:
    if code is None:
        check_files(files, 10, "files")
        return
    with pytest.raises(RequestError) as refused:
        check_files(files, 10, "files")
    assert (refused.value.field, refused.value.code) == ("files", code)


@pytest.mark.parametrize("text", ["a\0", "\ud800"])
def test_arguments_that_no_program_can_have_are_refused(text: str) -> None:
    check_args(["", "a b", "\u00e9", "\U0001f600"], "args")
    with pytest.raises(RequestError) as refused:
        check_args(["fine", text], "args")
    assert refused.value.field == "args.1"


@pytest.mark.parametrize(
    ("name", "path"), [("python", "main.py"), ("cpp", "main.cpp"), ("python", "main.py/x"), ("python", "./main.py")]
)
def test_program_is_not_to_be_overwritten(name: str, path: str) -> None:
    case = replace(STDIO, files={"other": b"", path: b""})
    with pytest.raises(RequestError) as refused:
        make_steps(language(name), "", Problem(tests=[STDIO, case]))
    assert refused.value.field == "problem.tests.1.files"


def test_compiled_program_is_not_to_be_overwritten() -> None:
    cpp = language("cpp")
    assert cpp.compile is not None
    with pytest.raises(RequestError, match="the program's own file"):
        make_steps(cpp, "", Problem(tests=[replace(STDIO, files={cpp.compile.artifact: b""})]))


@pytest.mark.parametrize(
    ("problem", "field"),
    [
        (Problem(tests=[]), "problem.tests"),
        (Problem(tests=[STDIO, replace(STDIO, files={"/a": b""})]), "problem.tests.1.files"),
        (Problem(tests=[replace(STDIO, files={"a": b"xx"})], limits=Limits(disk_bytes=1)), "problem.tests.0.files"),
        (Problem(tests=[replace(STDIO, args=["\0"])]), "problem.tests.0.args.0"),
    ],
)
def test_problem_refused(problem: Problem, field: str) -> None:
    with pytest.raises(RequestError) as refused:
        validate_problem(problem)
    assert refused.value.field == field
    assert refused.value.hint


@pytest.mark.parametrize(
    "problem",
    [
        Problem(tests=[STDIO], checker=CheckerSpec(name="no such checker")),
        Problem(tests=[replace(STDIO, checker=CheckerSpec(name="no such checker"))]),
    ],
)
def test_unknown_checker_refused(problem: Problem) -> None:
    with pytest.raises(RequestError, match="no such checker"):
        validate_problem(problem)


@pytest.mark.parametrize(
    ("name", "case", "mode"),
    [
        ("python", STDIO, Mode.STDIO),
        ("python", CALL, Mode.CALL),
        ("python", BARE, Mode.CONVERSE),
        ("cpp", STDIO, Mode.STDIO),
        ("cpp", CALL, Mode.CALL),
        ("cpp", APPEND, Mode.ONE_BOX),
    ],
)
def test_mode_of_a_case(name: str, case: TestCase, mode: Mode) -> None:
    [step] = make_steps(language(name), "source", Problem(tests=[case]))
    assert (step.mode, step.index, step.case) == (mode, 0, case)


def test_steps_of_one_text_share_it() -> None:
    steps = make_steps(language("python"), "x = 1", Problem(tests=[STDIO, CALL, STDIO]))
    assert {step.source for step in steps} == {b"x = 1"}
    assert [step.index for step in steps] == [0, 1, 2]


def test_test_code_is_never_in_a_python_source() -> None:
    [step] = make_steps(language("python"), "def f(x): return x", Problem(tests=[BARE]))
    assert b"assert" not in step.source


@pytest.mark.parametrize(
    ("name", "case", "field"),
    [
        ("cpp", BARE, "problem.tests.1.style"),
        ("cpp", replace(BARE, style=AssertStyle.CHECK), "problem.tests.1.style"),
        ("python", TestCase(name="0"), "problem.tests.1.kind"),
    ],
)
def test_kind_not_to_be_had_in_the_language(name: str, case: TestCase, field: str) -> None:
    with pytest.raises(RequestError) as refused:
        make_steps(language(name), "", Problem(tests=[STDIO, case]))
    assert refused.value.field == field


def test_lone_surrogates_of_a_source_are_the_compilers_to_refuse() -> None:
    assert encode_source("\ud800") == b"\xed\xa0\x80"
