"""Rows of SYNTHETIC-1, SYNTHETIC-2 and verifiable-coding-problems: ``verification_info`` with ``test_cases`` or ``ground_truth``.

The object is often kept as text, of JSON or of Python's ``repr``. A ``special_judge_program`` in it is used.
"""

from __future__ import annotations

from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import Problem
from scalebox.rows.cases import judge_fields, problem_of
from scalebox.rows.fields import Tree, as_list, as_object

NAME: Final = "verification_info"
_LISTS: Final = ("test_cases", "ground_truth")


def is_one(tree: Tree) -> bool:
    """Whether a row has this shape."""
    return tree.get(NAME) is not None


def problem(tree: Tree, limits: Limits) -> Problem | None:
    """The problem of a row; None where it has no cases.

    Raises:
        RequestError: there is no list of cases, or a case has no one meaning.
    """
    info = as_object(tree[NAME], NAME)
    name = next((name for name in _LISTS if name in info), None)
    if name is None:
        known = ", ".join(sorted(info)[:8]) or "none"
        raise RequestError(f"it has no test_cases; its fields are {known}", field=NAME, code="missing")
    path = f"{NAME}.{name}"
    cases = as_list(info[name], path)
    if not cases:
        return None
    judge = judge_fields(info)
    return problem_of(cases, lambda number, part: f"{path}.{number}{part and '.'}{part}", limits, judge=judge)
