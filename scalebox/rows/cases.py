"""Cases as data sets write them, to test cases. Their meaning is that of the compatibility routes, so a row judges as it would there.

A data set declares no tolerance of its own: values are equal, or they are not, and what a tolerance would change is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import CallCase, CheckerSpec, Problem, ProgramChecker, TestCase
from scalebox.rows.fields import Tree, as_text, dig, kind_of
from scalebox.wire import legacy
from scalebox.wire.convert_legacy import batch_call, single_call
from scalebox.wire.parse import validate

FieldOf = Callable[[int, str], str]
"""The row's name of a case's ``input`` or ``output``, or of the case itself (an empty part)."""

SINGLE: Final = "config.provided_data.test_cases"
JUDGE: Final = ("special_judge_program", "special_judge_language", "force_special_judge")
"""What the compatibility routes have in ``extra``, and rows beside their cases."""
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})
_FUNCTIONS: Final = frozenset({"function_call", "functional", "call_based"})
_STDIO: Final = frozenset({"stdin_stdout", "stdin", "stdio", "standard_input"})


def problem_of(
    cases: Sequence[object],
    field_of: FieldOf,
    limits: Limits,
    *,
    function: str | None = None,
    judge: Mapping[str, object] = MappingProxyType({}),
) -> Problem:
    """The problem that a list of cases makes; there must be one.

    Args:
        cases: objects with input and output, and perhaps type (or testtype) and fn_name (or metadata.func_name).
        field_of: names the fields in errors.
        limits: of the problem.
        function: the function to call, where cases do not name it.
        judge: the special judge, as ``extra`` of that route has it.

    Raises:
        RequestError: a case has no one meaning.
    """
    shaped = [_shaped(case, field_of, number, function) for number, case in enumerate(cases)]
    config: Tree = {"language": "python", "provided_data": {"test_cases": shaped}, "extra": dict(judge)}
    try:
        problem = single_call(validate(legacy.SingleIn, {"completion": "", "config": config})).problem
    except RequestError as error:
        raise _renamed(error, lambda place: _single_field(place, field_of)) from None
    return _undeclared(problem, limits)


def judge_fields(*places: Mapping[str, object]) -> Tree:
    """The special judge that is given in any of these objects, the last one first."""
    return {name: place[name] for place in places for name in JUDGE if place.get(name) not in _EMPTY}


def batch_problem(columns: Tree, judge: Mapping[str, object], field: str, limits: Limits) -> Problem:
    """The problem of cases in columns, as ``/common_evaluate_batch`` takes them, with its special judge.

    Raises:
        RequestError: the columns have no one meaning.
    """
    config: Tree = {"language": "python", "provided_data": {"test_cases": columns}, "extra": dict(judge)}
    try:
        problem = batch_call(validate(legacy.BatchIn, {"completion": "", "config": config})).problem
    except RequestError as error:
        raise _renamed(error, lambda place: f"{field}{place}") from None
    return _undeclared(problem, limits)


def _shaped(case: object, field_of: FieldOf, number: int, function: str | None) -> Tree:
    """One case in the form of ``/common_evaluate``."""
    if not isinstance(case, dict):
        message = f"this is {kind_of(case)}, where a case is due"
        raise RequestError(message, field=field_of(number, ""), hint="a case is an object with input and output")
    for part in ("input", "output"):
        if part not in case:
            raise RequestError(f"the case has no {part}", field=field_of(number, part), code="missing")
    given, answer = _inside(case["input"], "stdin"), _inside(case["output"], "stdout")
    name = case.get("fn_name") or dig(case, "metadata.func_name") or function
    kind = case.get("type") or case.get("testtype")
    if kind is None:
        kind = "function_call" if name else "stdin_stdout"
    if kind in _STDIO:
        stdin, stdout = as_text(given, field_of(number, "input")), as_text(answer, field_of(number, "output"))
        return {"type": "stdin_stdout", "input": stdin, "output": stdout}
    if kind not in _FUNCTIONS:
        message = f"the case is of the kind {str(kind)[:40]!r}"
        raise RequestError(message, field=field_of(number, ""), hint="stdin_stdout and function_call are known")
    if isinstance(given, str):
        text = answer if isinstance(answer, str) else None
        if text is None:
            message = "the arguments are JSON text, the value is not"
            raise RequestError(message, field=field_of(number, "output"), hint="write both in one form")
        return {"type": "function_call", "fn_name": name, "input": given, "output": text, "json_input": True}
    return {"type": "function_call", "fn_name": name, "input": given, "output": answer}


def _inside(value: object, name: str) -> object:
    """What is in ``{"stdin": …}`` and ``{"stdout": …}``."""
    return value[name] if isinstance(value, dict) and set(value) == {name} else value


def _undeclared(problem: Problem, limits: Limits) -> Problem:
    """The problem with what the row declares, and nothing that the route adds."""
    checker = problem.checker if isinstance(problem.checker, ProgramChecker) else CheckerSpec()
    return Problem(tests=[_without_tolerance(test) for test in problem.tests], checker=checker, limits=limits)


def _without_tolerance(test: TestCase) -> TestCase:
    return replace(test, tolerance=None) if isinstance(test, CallCase) else test


def _single_field(place: str, field_of: FieldOf) -> str:
    """``.3.input`` -> the row's name of that input."""
    number, _, part = place.removeprefix(".").partition(".")
    return field_of(int(number), part) if number.isdecimal() else place


def _renamed(error: RequestError, field_of: Callable[[str], str]) -> RequestError:
    """The same error, about the row's own field and in its words: a row has no body, and no option json_input."""
    field = error.field
    if field is not None and field.startswith(SINGLE):
        field = field_of(field.removeprefix(SINGLE))
    message, hint = error.message.replace("the body", "the text"), error.hint
    if isinstance(hint, str) and "json_input" in hint:
        hint = "a call in text has one JSON value a line for its arguments, and one for its value"
    return RequestError(message, field=field, hint=hint, code=error.code)
