"""Rows of LiveCodeBench: ``public_test_cases`` and ``private_test_cases``, the latter perhaps packed; ``metadata.func_name``."""

from __future__ import annotations

from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import Problem
from scalebox.rows.cases import problem_of
from scalebox.rows.fields import Tree, as_list, dig
from scalebox.rows.packed import unpack

NAME: Final = "livecodebench"
FIELDS: Final = ("public_test_cases", "private_test_cases")


def is_one(tree: Tree) -> bool:
    """Whether a row has this shape."""
    return any(tree.get(field) is not None for field in FIELDS)


def problem(tree: Tree, limits: Limits) -> Problem | None:
    """The problem of a row, public cases first; None where it has no cases.

    Raises:
        RequestError: the cases cannot be read, or one has no one meaning.
    """
    cases: list[object] = []
    names: list[str] = []
    for field in FIELDS:
        found = _cases(tree.get(field), field)
        names += [f"{field}.{number}" for number in range(len(found))]
        cases += found
    if not cases:
        return None
    function = dig(tree, "metadata.func_name")
    if function is not None and not isinstance(function, str):
        raise RequestError("the function's name is text", field="metadata.func_name")
    return problem_of(cases, lambda number, part: f"{names[number]}{part and '.'}{part}", limits, function=function)


def _cases(value: object, field: str) -> list[object]:
    if value is None or value == "":
        return []
    if isinstance(value, str) and not value.lstrip().startswith(("[", "{")):
        value = unpack(value, field)
    return as_list(value, field)
