"""Judges in files: our own JSON lines, rows of data sets with a ``special_judge_program``, AetherCode's file of checkers. In and out.

What comes in was proved elsewhere, if at all, so it comes in as a draft; our own lines keep state, history and counts where that is
asked for. Reading is line by line, and a line at fault is told with its number while the others go on.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from scalebox.core.errors import RequestError
from scalebox.core.problem import CheckerProtocol, ProgramChecker, ProgramText, StdioCase
from scalebox.registry import bodies
from scalebox.registry.entry import NewJudge, Story, by_name, of_proved
from scalebox.registry.store import Registry
from scalebox.rows.fields import Tree, parse_line
from scalebox.rows.read import Line
from scalebox.rows.recognise import read_problem
from scalebox.synthesis.domain import Outcome, ProvedJudge, problem_id
from scalebox.wire.judges_v1 import FORMAT

_SUCCESS: Final = "success"
_AETHERCODE_LANGUAGE: Final = "cpp"


class Form(enum.StrEnum):
    """How a file writes judges."""

    SCALEBOX = "scalebox"
    """What `export` writes."""
    ROWS = "rows"
    """Problems with their cases and ``special_judge_program``."""
    PROVED = "proved"
    """What `synthesize` writes: judges with the proof that they passed."""
    AETHERCODE = "aethercode"
    """``id`` and ``checker``, a C++ program of the protocol `files`; no cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that could not be taken."""

    number: int
    message: str


@dataclass(slots=True, kw_only=True)
class Imported:
    """What became of a file."""

    added: int = 0
    known: int = 0
    """Judges that were there already."""
    without: int = 0
    """Rows that have no judge."""
    bad: list[BadLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProblem:
    """A problem to which judges are matched by its name."""

    id: str
    name: str


def form_of(tree: Tree) -> Form:
    """How a line writes its judge."""
    if tree.get("format") == FORMAT:
        return Form.SCALEBOX
    if {"problem_id", "draft", "proof"}.issubset(tree):
        return Form.PROVED
    return Form.AETHERCODE if "checker" in tree and "id" in tree and "problem" not in tree else Form.ROWS


def import_lines(
    registry: Registry,
    lines: Iterable[Line],
    *,
    keep_states: bool,
    source: str,
    problems: Mapping[str, KnownProblem],
    by: str = "",
) -> Imported:
    """Keep the judges of a file.

    Args:
        registry: takes them.
        lines: of the file.
        keep_states: our own lines come in as they were exported, not as drafts.
        source: the file's name, noted as where they come from.
        problems: by name: those to which judges without cases belong.
        by: who imports.

    Raises:
        RegistryError: the registry failed; what was taken before stays.
    """
    done = Imported(bad=[])
    for line in lines:
        try:
            made = _import(registry, parse_line(line.data), line.data, keep_states, source, problems, by)
        except RequestError as error:
            where = f"{error.field}: " if error.field else ""
            hint = f" ({error.hint})" if error.hint else ""
            done.bad.append(BadLine(number=line.number, message=f"{where}{error.message}{hint}"))
            continue
        if made is None:
            done.without += 1
        elif made:
            done.added += 1
        else:
            done.known += 1
    return done


def _import(
    registry: Registry,
    tree: Tree,
    line: bytes,
    keep_states: bool,
    source: str,
    problems: Mapping[str, KnownProblem],
    by: str,
) -> bool | None:
    """Whether a line's judge is new; None where it has none."""
    if keep_states and form_of(tree) is Form.SCALEBOX:
        return registry.restore_whole(bodies.story_from(line))
    new = judge_in(tree, line, source, problems)
    return None if new is None else registry.add(new, by)[1]


def judge_in(tree: Tree, line: bytes, source: str, problems: Mapping[str, KnownProblem]) -> NewJudge | None:
    """The judge in a line of any form; None where it has none.

    Raises:
        RequestError: the line is at fault.
    """
    match form_of(tree):
        case Form.SCALEBOX:
            return _as_draft(bodies.story_from(line), source)
        case Form.PROVED:
            return _proved(line, source)
        case Form.AETHERCODE:
            return _aethercode(tree, source, problems)
        case Form.ROWS:
            return _row(tree, source)


def _as_draft(story: Story, source: str) -> NewJudge:
    judge = story.judge
    return NewJudge(
        problem_id=judge.problem_id,
        problem_name=judge.problem_name,
        checker=judge.checker,
        category=judge.category,
        origin=judge.origin,
        provenance=dict(judge.provenance) | {"imported_from": source},
        evidence=judge.evidence,
        rates=judge.rates,
    )


def _proved(line: bytes, source: str) -> NewJudge:
    """A judge that the pipeline proved; validated, as the proof says."""
    try:
        proved = TypeAdapter(ProvedJudge).validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise RequestError(first["msg"], field=field, hint="take what `scalebox judges synthesize` wrote") from None
    if proved.proof.outcome is not Outcome.PROVED or proved.proof.convictions:
        message = f"this judge is not proved, but {proved.proof.outcome}"
        raise RequestError(message, field="proof.outcome", hint="only judges that passed are kept")
    if proved.proof.draft_digest != proved.draft.digest:
        hint = (
            "an edited judge is to be proved again: import it as a draft, or measure it with `scalebox judges evaluate`"
        )
        raise RequestError("the proof is of another program", field="proof.draft_digest", hint=hint)
    new = of_proved(proved)
    return replace(new, provenance=dict(new.provenance) | {"imported_from": source})


def _row(tree: Tree, source: str) -> NewJudge | None:
    """The judge that a row of a data set brings."""
    found = read_problem(tree)
    if found.problem is None or not isinstance(found.problem.checker, ProgramChecker):
        return None
    tests = [case for case in found.problem.tests if isinstance(case, StdioCase)]
    if len(tests) != len(found.problem.tests):
        raise RequestError("a judge of outputs, and cases that have none", hint="use cases of type stdin_stdout")
    identity = problem_id(tests)
    return NewJudge(
        problem_id=identity,
        problem_name=found.id or identity,
        checker=found.problem.checker,
        origin=f"rows:{found.shape}",
        provenance={"imported_from": source},
    )


def _aethercode(tree: Tree, source: str, problems: Mapping[str, KnownProblem]) -> NewJudge | None:
    """A row of AetherCode's checkers, bound to the problem with its id where that is known."""
    code, number = tree.get("checker"), tree.get("id")
    if not code:
        return None
    if not isinstance(code, str) or not isinstance(number, int | str):
        raise RequestError("this is no text of a program", field="checker", hint="a row has id and checker")
    known = problems.get(str(number))
    name = f"aethercode/{number}"
    text = ProgramText(language=_AETHERCODE_LANGUAGE, files={"checker.cpp": code}, entry="checker.cpp")
    evidence = {} if _SUCCESS not in tree else {"aethercode": {_SUCCESS: tree[_SUCCESS]}}
    return NewJudge(
        problem_id=by_name(name) if known is None else known.id,
        problem_name=name if known is None else known.name,
        checker=ProgramChecker(protocol=CheckerProtocol.FILES, program=text),
        origin="aethercode",
        provenance={"imported_from": source, "aethercode_id": number},
        evidence=evidence,
    )


def known_problems(lines: Iterable[Line]) -> dict[str, KnownProblem]:
    """The problems of a file of rows by their ids, without those that no judge of outputs is for."""
    found: dict[str, KnownProblem] = {}
    for line in lines:
        try:
            row = read_problem(parse_line(line.data))
        except RequestError:
            continue
        if row.id is None or row.problem is None:
            continue
        tests = [case for case in row.problem.tests if isinstance(case, StdioCase)]
        if len(tests) == len(row.problem.tests):
            found[row.id] = KnownProblem(id=problem_id(tests), name=row.id)
    return found


def export_lines(stories: Sequence[Story]) -> Iterator[bytes]:
    """Judges as our own lines."""
    for story in stories:
        yield to_json(bodies.exported(story)) + b"\n"


def aethercode_lines(stories: Sequence[Story]) -> Iterator[bytes]:
    """Judges as AetherCode writes them: the C++ programs of one file and the protocol `files`; others are left out."""
    for story in stories:
        judge = story.judge
        program = judge.checker.program
        told = (judge.checker.protocol, program.language, len(program.files))
        if told == (CheckerProtocol.FILES, _AETHERCODE_LANGUAGE, 1):
            number = judge.provenance.get("aethercode_id", judge.problem_name)
            yield to_json({"id": number, "checker": next(iter(program.files.values()))}) + b"\n"
