"""Rows of verl, and of ScaleBox's data: ``reward_model.ground_truth``, ``ground_truth``, ``test``, or columns in ``extra_info``.

A ground truth is an object, or the text of one, in one of these forms:

* ``inputs`` and ``outputs`` in columns, with ``fn_name`` for calls (verl's prime_code and sandbox_fusion, APPS, TACO);
* ``assert_case``: a list of assert statements (verl's sandbox_fusion);
* ``input`` and ``output`` in columns, or ``test``, with ``type`` (ScaleBox, beside it ``special_judge_program``);
* a list of cases, each with its input and output (SandboxFusion has ``stdin`` and ``stdout`` in them).
"""

from __future__ import annotations

from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import AssertCase, AssertStyle, Problem
from scalebox.rows.cases import JUDGE, batch_problem, judge_fields, problem_of
from scalebox.rows.fields import Tree, as_list, dig, kind_of, unpacked

NAME: Final = "verl"
PATHS: Final = ("reward_model.ground_truth", "ground_truth", "input_output")
TESTS: Final = "test"
"""Where ScaleBox's and SandboxFusion's benchmark rows keep cases; elsewhere it is the text of test code."""
_HINT: Final = (
    "a ground truth has inputs and outputs, input and output with type, assert_case, test_cases, or is a list of cases"
)


def is_one(tree: Tree) -> bool:
    """Whether a row has this shape."""
    return path_of(tree) is not None


def path_of(tree: Tree) -> str | None:
    """Where the cases of a row are; None where it has not this shape."""
    path = next((path for path in PATHS if dig(tree, path) is not None), None)
    if path is None and dig(tree, "extra_info.inputs") is not None:
        return "extra_info"
    if path is None and isinstance(dig(tree, TESTS), list | dict):
        return TESTS
    if path is None and str(tree.get(TESTS)).lstrip().startswith(("[{", '{"')):
        return TESTS
    return path


def problem(tree: Tree, limits: Limits) -> Problem | None:
    """The problem of a row; None where it has no cases.

    Raises:
        RequestError: the ground truth is in none of the forms, or a case has no one meaning.
    """
    path = path_of(tree)
    assert path is not None  # ruff: ignore[assert] - `is_one` came first
    truth = unpacked(dig(tree, path), path)
    judge: Tree = {}
    if isinstance(truth, dict):
        extra = truth.get("extra")
        places = (extra if isinstance(extra, dict) else {}, truth)
        judge = judge_fields(*places)
        if "test_cases" in truth:
            path = f"{path}.test_cases"
            truth = unpacked(truth["test_cases"], path)
    if isinstance(truth, list):
        return _of_list(truth, judge, path, limits)
    if not isinstance(truth, dict):
        raise RequestError(f"this is {kind_of(truth)}", field=path, hint=_HINT)
    if "inputs" in truth:
        return _of_columns(truth, judge, path, limits)
    if "assert_case" in truth:
        return _of_asserts(truth, path, limits)
    if "input" in truth or "test" in truth or "tests" in truth:
        return _of_batch(truth, judge, path, limits)
    names = ", ".join(sorted(truth)[:8]) or "none"
    raise RequestError(f"none of the known forms; its fields are {names}", field=path, hint=_HINT)


def _of_list(cases: list[object], judge: Tree, path: str, limits: Limits) -> Problem | None:
    if not cases:
        return None
    return problem_of(cases, lambda number, part: f"{path}.{number}{part and '.'}{part}", limits, judge=judge)


def _of_columns(truth: Tree, judge: Tree, path: str, limits: Limits) -> Problem | None:
    inputs, outputs = (as_list(truth.get(name), f"{path}.{name}") for name in ("inputs", "outputs"))
    if len(inputs) != len(outputs):
        message = f"there are {len(inputs)} inputs and {len(outputs)} outputs"
        raise RequestError(message, field=f"{path}.outputs", hint="give every input its output")
    if not inputs:
        return None
    function = truth.get("fn_name")
    if function and not isinstance(inputs[0], str):
        outputs = _wrapped(outputs)
    kind = "function_call" if function else "stdin_stdout"
    cases = [
        {"type": kind, "fn_name": function, "input": given, "output": answer}
        for given, answer in zip(inputs, outputs, strict=True)
    ]

    def field_of(number: int, part: str) -> str:
        return f"{path}.{part}s.{number}" if part in {"input", "output"} else f"{path}.{part or 'inputs'}"

    return problem_of(cases, field_of, limits, judge=judge)


def _wrapped(outputs: list[object]) -> list[object]:
    """Each value in a list of one. APPS writes them so already: then every output is such a list."""
    if all(isinstance(output, list) and len(output) == 1 for output in outputs):
        return outputs
    return [[output] for output in outputs]


def _of_asserts(truth: Tree, path: str, limits: Limits) -> Problem | None:
    statements = as_list(truth["assert_case"], f"{path}.assert_case")
    for number, statement in enumerate(statements):
        if not isinstance(statement, str) or not statement.strip():
            message = f"this is {kind_of(statement)}, where an assert statement is due"
            raise RequestError(message, field=f"{path}.assert_case.{number}")
    tests = [
        AssertCase(name=str(number), code=str(statement), style=AssertStyle.BARE)
        for number, statement in enumerate(statements)
    ]
    return Problem(tests=tests, limits=limits) if tests else None


def _of_batch(truth: Tree, judge: Tree, path: str, limits: Limits) -> Problem | None:
    if truth.get("input") == [] and not truth.get("test") and not truth.get("tests"):
        return None
    columns = {name: value for name, value in truth.items() if name not in {"extra", *JUDGE} and value is not None}
    return batch_problem(columns, judge, path, limits)
