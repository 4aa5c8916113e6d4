"""Mutants differ from their program in one small thing, in any language; changed answers differ from the answer."""

from __future__ import annotations

import ast
import re

import pytest

from scalebox.core.submission import Submission
from scalebox.synthesis.mutation.answers import answer_mutants
from scalebox.synthesis.mutation.programs import program_mutants

PYTHON = "n = int(input())\nfor i in range(n):\n    if i % 2 == 0 and i > 1:\n        print(max(i, 3) + 1)\n"
CPP = '#include <cstdio>\nint main() { // 1 + 1\n  int n; scanf("%d < 3", &n);\n  for (int i = 0; i < n; i++) if (i >= 2 && i != 5) printf("%d\\n", i + 1);\n}\n'


def changed_lines(before: str, after: str) -> int:
    """How many lines differ."""
    return sum(old != new for old, new in zip(before.splitlines(), after.splitlines(), strict=True))


@pytest.mark.parametrize(
    ("language", "source"), [("python", ast.unparse(ast.parse(PYTHON))), ("cpp", CPP), ("java", CPP)]
)
def test_a_mutant_differs_in_one_line_and_is_told_apart(language: str, source: str) -> None:
    mutants = program_mutants(Submission(source=source, language=language), 100)
    assert len(mutants) >= 8
    assert len({mutant.source for mutant, _ in mutants}) == len(mutants)
    for mutant, words in mutants:
        assert mutant.language == language
        assert changed_lines(source, mutant.source) == 1
        assert re.match(r"line \d+: ", words)


def test_texts_comments_and_includes_are_left_alone() -> None:
    for mutant, _ in program_mutants(Submission(source=CPP, language="cpp"), 100):
        assert '"%d < 3"' in mutant.source
        assert "// 1 + 1" in mutant.source
        assert "#include <cstdio>" in mutant.source


def test_as_many_as_are_wanted_are_spread_over_the_program() -> None:
    source = "\n".join(f"x{number} = {number} + {number}" for number in range(300))
    mutants = program_mutants(Submission(source=source, language="python"), 10)
    lines = [int(words.split(":")[0].removeprefix("line ")) for _, words in mutants]
    assert len(lines) == 10
    assert len({line // 60 for line in lines}) == 5 or len(set(lines)) >= 5


@pytest.mark.parametrize("source", ["def f(:\n", "\0", "(" * 10000, "", "x = 1\n" * 20000])
def test_what_cannot_be_changed_has_no_mutants(source: str) -> None:
    assert program_mutants(Submission(source=source, language="python"), 5) == []


@pytest.mark.parametrize(
    "answer", [b"1 2\n", b"YES\n2 3 1\n", b"3.25\n", b"impossible\n", b"Case #1: 4\n1 2\n3 4\nCase #2: 0\n", b"abc"]
)
def test_changed_answers_differ_from_the_answer_and_each_other(answer: bytes) -> None:
    outputs = [change.output for change in answer_mutants(answer)]
    assert outputs
    assert answer not in outputs
    assert len(set(outputs)) == len(outputs)
    assert outputs == [change.output for change in answer_mutants(answer)]


def test_an_empty_answer_has_no_changes() -> None:
    assert list(answer_mutants(b" \n")) == []
