"""Outputs and submissions whose worth is known, read from files. Runs nothing; a line at fault ends the reading, with its number.

Problems are rows of any shape that `scalebox.rows` knows, or bare ones: ``name`` (or ``id``) and ``tests``, each with ``input``,
``answer`` (or ``output``) and perhaps ``name``. ``submissions`` beside them are labelled programs: ``source`` (or ``code``),
``language``, ``expected`` (``AC`` or ``WA``; others say nothing about a judge) and perhaps ``label``: only ``verified`` ones are taken
then. What `scalebox judges synthesize` reads is taken, too: ``references`` and ``wrong`` as submissions, ``good_outputs`` and
``bad_outputs``. An output in a file of outputs has ``output`` and ``expected`` (``OK``, ``AC`` or true; ``WA`` or false), and
``problem`` and ``test`` that name its case, or the case itself in ``input`` and ``answer``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import CheckerSpec, ProgramChecker, StdioCase
from scalebox.core.submission import Submission
from scalebox.rows.fields import Tree, as_list, as_object, as_text, parse_line
from scalebox.rows.read import Line
from scalebox.rows.recognise import read_problem
from scalebox.synthesis.domain import problem_id
from scalebox.wire.fields import decode_base64

VERIFIED: Final = "verified"
_RIGHT: Final = frozenset({"OK", "AC", "RIGHT"})
_WRONG: Final = frozenset({"WA", "WRONG"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledOutput:
    """An output of a case."""

    case: StdioCase
    output: bytes
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSubmission:
    """A program for a problem."""

    name: str
    submission: Submission
    right: bool


@dataclass(slots=True, kw_only=True)
class Labelled:
    """A problem with what is known of its outputs."""

    name: str
    tests: Sequence[StdioCase]
    limits: Limits = field(default_factory=Limits)
    own: CheckerSpec | ProgramChecker | None = None
    """The comparison that the row declares."""
    outputs: list[LabelledOutput] = field(default_factory=list)
    submissions: list[LabelledSubmission] = field(default_factory=list)

    @property
    def id(self) -> str:
        """By content; the name, where there are no cases."""
        return problem_id(self.tests) if self.tests else f"name:{self.name}"


def read_problems(lines: Iterable[Line], limits: Limits) -> dict[str, Labelled]:
    """The problems of a file, by name; those without cases that have an output are left out.

    Raises:
        RequestError: a line is at fault.
    """
    found: dict[str, Labelled] = {}
    for line in lines:
        with _Numbered(line):
            tree = parse_line(line.data)
            problem = _bare(tree, limits) if _is_bare(tree) else _row(tree, limits)
            if problem is None:
                continue
            problem.submissions.extend(_submissions(tree))
            problem.outputs.extend(_known_outputs(tree, problem))
            found[problem.name] = problem
    return found


def read_outputs(lines: Iterable[Line], problems: Mapping[str, Labelled]) -> tuple[dict[str, Labelled], int]:
    """The problems with the outputs of a file, and how many outputs have no case here.

    Raises:
        RequestError: a line is at fault.
    """
    found = dict(problems)
    tests = {name: {case.name: case for case in problem.tests} for name, problem in problems.items()}
    lost = 0
    for line in lines:
        with _Numbered(line):
            tree = parse_line(line.data)
            right = _is_right(tree)
            output = _bytes(tree, "output")
            name = str(tree.get("problem", ""))
            if "input" in tree:
                case = _case(tree, str(tree.get("test", "")))
                problem = found.setdefault(name, Labelled(name=name, tests=()))
            else:
                known = tests.get(name, {}).get(str(tree.get("test", "")))
                if known is None:
                    lost += 1
                    continue
                case, problem = known, found[name]
            problem.outputs.append(LabelledOutput(case=case, output=output, right=right))
    return found, lost


class _Numbered:
    """Names the line in an error about it."""

    def __init__(self, line: Line) -> None:
        self._number = line.number

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, RequestError):
            message = f"line {self._number}: {error.message}"
            raise RequestError(message, field=error.field, hint=error.hint, code=error.code) from None


def _is_bare(tree: Tree) -> bool:
    return isinstance(tree.get("tests"), list) and "problem" not in tree


def _bare(tree: Tree, limits: Limits) -> Labelled:
    items = [as_object(item, f"tests.{number}") for number, item in enumerate(as_list(tree["tests"], "tests"))]
    tests = [_case(item, str(item.get("name", number))) for number, item in enumerate(items)]
    return Labelled(name=str(tree.get("name") or tree.get("id") or ""), tests=tests, limits=limits)


def _row(tree: Tree, limits: Limits) -> Labelled | None:
    row = read_problem(tree, limits)
    if row.problem is None:
        return None
    tests = [case for case in row.problem.tests if isinstance(case, StdioCase)]
    if len(tests) != len(row.problem.tests):
        return None
    own = row.problem.checker if row.declares_checker else None
    name = row.id or problem_id(tests)
    return Labelled(name=name, tests=tests, limits=row.problem.limits, own=own)


def _case(tree: Tree, name: str) -> StdioCase:
    answer = "answer" if "expected" in tree or not {"output", "output_base64"}.intersection(tree) else "output"
    return StdioCase(name=name, input=_bytes(tree, "input"), answer=_bytes(tree, answer))


def _bytes(tree: Tree, name: str) -> bytes:
    """The bytes of a field that is text, or base64 in its namesake."""
    encoded = tree.get(f"{name}_base64")
    if encoded is not None:
        return decode_base64(as_text(encoded, f"{name}_base64"), f"{name}_base64")
    return as_text(tree.get(name), name).encode()


def _submissions(tree: Tree) -> Iterable[LabelledSubmission]:
    for place, due in (("submissions", None), ("references", "AC"), ("wrong", "WA")):
        for number, item in enumerate(as_list(tree.get(place) or [], place)):
            one = as_object(item, f"{place}.{number}")
            verdict, label = due or one.get("expected"), one.get("label", VERIFIED)
            source, language = one.get("source", one.get("code")), one.get("language", "python")
            if label != VERIFIED or verdict not in {"AC", "WA"}:
                continue
            if not isinstance(source, str) or not isinstance(language, str):
                raise RequestError("a submission has source and language", field=f"{place}.{number}")
            name = str(one.get("name", f"{place} {number}"))
            submission = Submission(source=source, language=language)
            yield LabelledSubmission(name=name, submission=submission, right=verdict == "AC")


def _known_outputs(tree: Tree, problem: Labelled) -> Iterable[LabelledOutput]:
    cases = {case.name: case for case in problem.tests}
    for place, right in (("good_outputs", True), ("bad_outputs", False)):
        for number, item in enumerate(as_list(tree.get(place) or [], place)):
            one = as_object(item, f"{place}.{number}")
            case = cases.get(str(one.get("case")))
            if case is None:
                raise RequestError(
                    "there is no such test", field=f"{place}.{number}.case", hint="name one of the tests"
                )
            yield LabelledOutput(case=case, output=_bytes(one, "output"), right=right)


def _is_right(tree: Tree) -> bool:
    value = tree.get("expected")
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.upper() in _RIGHT | _WRONG:
        return value.upper() in _RIGHT
    hint = "write OK, AC or true for a right output, WA or false for a wrong one"
    raise RequestError("nobody knows what this output is worth", field="expected", hint=hint)
