"""Tell the shape of a row by its fields and read it. Names the field at fault; never fills in what a row leaves out."""

from __future__ import annotations

from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import Problem, ProgramChecker
from scalebox.core.submission import Completion, Submission
from scalebox.rows import livecodebench, prime, v1_rows, verl
from scalebox.rows.fields import Tree, dig, parse_line
from scalebox.rows.limits import stated_limits
from scalebox.rows.reference import find_reference
from scalebox.rows.row import BadRow, FoundProblem, ReadOptions, Row

IDS: Final = ("id", "problem_id", "question_id", "task_id", "name", "extra_info.id", "extra_info.index")
_SHAPES: Final = (livecodebench, prime, verl)
_HINT: Final = (
    "known are: problem (an object, as /v1/judge takes it); reward_model.ground_truth, ground_truth or input_output (verl, "
    "ScaleBox, APPS); verification_info (PrimeIntellect); public_test_cases and private_test_cases (LiveCodeBench)"
)


def read_row(number: int, line: bytes, options: ReadOptions) -> Row | BadRow:
    """The row in a line; what cannot be read says why.

    Args:
        number: of the line, from 1.
        line: one JSON object.
        options: what rows do not say.
    """
    name: str | None = None
    try:
        tree = parse_line(line)
        name = _id(tree)
        return _row(number, name or f"row {number}", tree, options)
    except RequestError as error:
        return BadRow(number=number, id=name, field=error.field, message=error.message, hint=error.hint)


def _id(tree: Tree) -> str | None:
    for path in IDS:
        value = dig(tree, path)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return None


def read_problem(tree: Tree, limits: Limits | None = None) -> FoundProblem:
    """The problem in a row, whatever it has for a reference.

    Raises:
        RequestError: it cannot be read.
    """
    name = _id(tree)
    if v1_rows.is_one(tree):
        declared = v1_rows.declares_checker(tree)
        return FoundProblem(id=name, shape=v1_rows.NAME, problem=v1_rows.problem(tree), declares_checker=declared)
    shape = next((shape for shape in _SHAPES if shape.is_one(tree)), None)
    if shape is None:
        fields = ", ".join(sorted(tree)[:12]) or "none"
        raise RequestError(f"the row has none of the known shapes; its fields are {fields}", hint=_HINT)
    problem = shape.problem(tree, stated_limits(tree, limits or Limits()))
    return FoundProblem(id=name, shape=shape.NAME, problem=problem, declares_checker=_has_judge(problem))


def _row(number: int, name: str, tree: Tree, options: ReadOptions) -> Row:
    found = read_problem(tree, options.limits)
    reference = _v1_reference(tree, options) if found.shape == v1_rows.NAME else find_reference(tree, options)
    return Row(
        number=number,
        id=name,
        shape=found.shape,
        reference=reference,
        problem=found.problem,
        declares_checker=found.declares_checker,
    )


def _has_judge(problem: Problem | None) -> bool:
    return problem is not None and isinstance(problem.checker, ProgramChecker)


def _v1_reference(tree: Tree, options: ReadOptions) -> Submission | Completion:
    """``reference``, or the program of a judge request."""
    if options.reference is None and "reference" not in tree:
        language = tree.get("language")
        named = language if isinstance(language, str) else options.language
        source, completion = tree.get("source"), tree.get("completion")
        if isinstance(source, str):
            return Submission(source=source, language=named)
        if isinstance(completion, str):
            return Completion(text=completion, language=named)
    return find_reference(tree, options)
