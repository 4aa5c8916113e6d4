"""Our own rows: ``problem`` as ``POST /v1/judge`` takes it, and ``reference``; a judge request with ``source`` is one, too."""

from __future__ import annotations

from typing import Final

from scalebox.core.problem import Problem
from scalebox.rows.fields import Tree, dig
from scalebox.wire import v1
from scalebox.wire.convert_v1 import judge_call
from scalebox.wire.parse import validate

NAME: Final = "v1"


def is_one(tree: Tree) -> bool:
    """Whether a row has this shape. Elsewhere ``problem`` is the text of the statement."""
    return isinstance(tree.get("problem"), dict)


def problem(tree: Tree) -> Problem | None:
    """The problem of a row; None where it has no tests.

    Raises:
        RequestError: it is no problem of v1.
    """
    given = tree["problem"]
    if isinstance(given, dict) and given.get("tests") == []:
        return None
    body = {"source": "", "language": "python", "problem": given}
    return judge_call(validate(v1.JudgeV1, body)).problem


def declares_checker(tree: Tree) -> bool:
    """Whether a row says how outputs are compared."""
    tests = dig(tree, "problem.tests")
    each = tests if isinstance(tests, list) else []
    whole = dig(tree, "problem.checker") is not None or dig(tree, "problem.interactor") is not None
    return whole or any(isinstance(test, dict) and test.get("checker") is not None for test in each)
