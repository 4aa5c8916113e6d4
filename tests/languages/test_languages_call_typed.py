"""Calls in languages that say what a value is before it comes: every plain type crosses, and no name of the program's is in the harness's way."""

from __future__ import annotations

from typing import Final

import pytest
from languages import typed_c, typed_csharp, typed_d, typed_haskell, typed_kotlin, typed_ocaml, typed_rust, typed_scala
from languages.language_runs import call
from languages.typed_rows import Programs, Row

from scalebox.checkers.values import compare_values
from scalebox.core import plain
from scalebox.core.verdict import Verdict

PROGRAMS: Final[list[Programs]] = [
    typed_c.PROGRAMS,
    typed_rust.PROGRAMS,
    typed_csharp.PROGRAMS,
    typed_csharp.MONO,
    typed_kotlin.PROGRAMS,
    typed_scala.PROGRAMS,
    typed_haskell.PROGRAMS,
    typed_d.PROGRAMS,
    typed_ocaml.PROGRAMS,
]


def params(kind: str) -> list[object]:
    rows = [row for programs in PROGRAMS for row in getattr(programs, kind)]
    return [pytest.param(row, marks=pytest.mark.languages, id=f"{row.language}-{n}") for n, row in enumerate(rows)]


def verdict(row: Row) -> Verdict | str:
    ran = call(row.source, row.function, row.args, mutated=row.mutated, name=row.language)
    if ran.exit_code != 0 or not ran.value.endswith(b"\n"):
        return f"exit {ran.exit_code}, {ran.value!r}, {ran.stderr[-2000:]}"
    found = compare_values(plain.loads(ran.value[:-1]), plain.from_json(row.answer), None)
    return found.verdict if found.verdict is Verdict.AC else f"{found.verdict}: {found.detail}: {ran.value!r}"


@pytest.mark.languages
@pytest.mark.parametrize("programs", PROGRAMS, ids=lambda programs: programs.everything.language)
def test_every_plain_type_crosses_both_ways(programs: Programs) -> None:
    assert verdict(programs.everything) is Verdict.AC


@pytest.mark.parametrize("row", params("functions"))
def test_the_function_named_is_called(row: Row) -> None:
    assert verdict(row) is Verdict.AC


@pytest.mark.parametrize("row", params("names"))
def test_names_of_the_program_never_reach_the_harness(row: Row) -> None:
    assert verdict(row) is Verdict.AC


@pytest.mark.parametrize("row", params("failures"))
def test_no_value_comes_where_the_call_does_not_end(row: Row) -> None:
    assert call(row.source, row.function, row.args, name=row.language).value == b""


@pytest.mark.parametrize("row", params("wrong"))
def test_what_a_program_says_is_equal_does_not_count(row: Row) -> None:
    found = verdict(row)
    assert isinstance(found, str)
    assert found.startswith("WA")


@pytest.mark.languages
@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        (
            "ocaml",
            "type t = T of int\nlet f (T y) = y",
            "its parameter 1 is of type t, and no plain data becomes t, a type of the program's own",
        ),
        (
            "ocaml",
            "let f ~by:(g : int -> int) = 1",
            "its parameter 1 (~by) is of type int -> int, and no plain data becomes a function",
        ),
        ("ocaml", "let f x = [ `A ]", "its value is of type a polymorphic variant list"),
        ("ocaml", "let f x y = x + y", "it takes 2 arguments (int -> int -> int), and the case has 1"),
        ("ocaml", "let g x = x", "the program defines no function f"),
        ("ocaml", "let g x = x\nlet f x = x ^ 1", 'File "main.ml", line 2'),
    ],
)
def test_what_cannot_be_called_does_not_compile_and_says_why(name: str, source: str, message: str) -> None:
    ran = call(source, "f", [1], name=name)
    assert ran.exit_code is None
    assert message in ran.stderr
