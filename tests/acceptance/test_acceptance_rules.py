"""The rules that the acceptance tests are built on: mutants, evalplus' types and tolerances, generators, contest flags. Runs no program."""

from __future__ import annotations

import ast

import pytest

from acceptance import evalplus_rule
from acceptance.case_items import generated, python_values
from acceptance.mutants import mutants
from acceptance.v1_body import value_body
from scalebox.packages.default_validator import checker_of

SOURCE = '''
def f(n: int = 3) -> int:
    """Adds 1."""
    if n < 2 and n:
        return n + 1
    return sum(range(n))
'''


def test_every_mutant_is_another_program_and_keeps_text_and_annotations() -> None:
    found = list(mutants(SOURCE))
    assert {mutant.change.split()[0] for mutant in found} == {
        "constant", "operator", "comparison", "connective", "bound", "condition", "return",
    }  # fmt: skip
    whole = ast.unparse(ast.parse(SOURCE))
    assert all(mutant.source != whole and '"""Adds 1."""' in mutant.source for mutant in found)
    assert [mutant.source for mutant in found] == [mutant.source for mutant in mutants(SOURCE)]


@pytest.mark.parametrize(
    ("assertion", "given", "real"),
    [
        ("assert f((1, 2)) == 3", [[4, 5]], [(4, 5)]),
        ("assert f([(1, 2)], 3) == 3", [[[4, 5], [6]], 7], [[(4, 5), (6,)], 7]),
        ("assert f([{1, 2}, {}]) == 3", [[[4, 5], []]], [[{4, 5}, {}]]),
        ("assert f(0, 1j) == 3", ["2", "2j"], [2.0, 2j]),
        ("assert set(f({'a': (1, 2)})) == 3", [{"b": [3]}], [{"b": (3,)}]),
        ("assert f('0') == 3", ["2"], ["2"]),
    ],
)
def test_types_are_learned_from_the_asserts(assertion: str, given: list[object], real: list[object]) -> None:
    assert evalplus_rule.readings([given], assertion, "f")[0] == [real]


@pytest.mark.parametrize(
    ("output", "answer", "declared", "same"),
    [
        (1.0000001, 1.0, 0.0, True),
        (1.001, 1.0, 0.0, False),
        (1.0001, 1, 0.0, False),
        (1.00001, 1.0, 1e-4, True),
        ((1, 2), [1, 2], 0.0, True),
        ([1.0, "a"], [1.0000001, "a"], 0.0, True),
        ({"a": 1}, {"a": 2}, 0.0, False),
        ("1", 1, 0.0, False),
    ],
)
def test_values_are_compared_by_the_published_rule(output: object, answer: object, declared: float, same: bool) -> None:
    assert evalplus_rule.same(output, answer, declared, "f") is same


def test_generators_are_read_without_evaluation() -> None:
    assert generated('"1\\n"*3') == "1\n1\n1\n"
    assert generated("str_of_pow(7,6000)[:12]") == str(7**6000 // 10 ** (5071 - 12))[:12]
    assert python_values('[float("inf"), [1]]') == [float("inf"), [1]]
    with pytest.raises(ValueError, match="unknown generator"):
        generated("open('x')")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("", ("tokens", 1e-6, 1e-6, "either")),
        ("float_tolerance 1e-4", ("floats", 1e-4, 1e-4, "either")),
        ("float_absolute_tolerance 1.001e-6", ("floats", 1.001e-6, 0.0, "abs")),
        ("float_relative_tolerance 1e-5", ("floats", 0.0, 1e-5, "rel")),
    ],
)
def test_contest_flags_choose_the_checker(flags: str, expected: tuple[str, float, float, str]) -> None:
    spec = checker_of(flags.split())
    assert (spec.name, spec.absolute, spec.relative, spec.mode) == expected
    assert not spec.case_sensitive


def test_values_have_their_documented_json() -> None:
    value = [(1, float("nan")), {2}, b"x", {1: None}, {"$a": 1}, {"a": 1}]
    assert value_body(value) == [
        {"$tuple": [1, {"$float": "nan"}]}, {"$set": [2]}, {"$bytes": "eA=="}, {"$dict": [[1, None]]}, {"$dict": [["$a", 1]]}, {"a": 1},
    ]  # fmt: skip
