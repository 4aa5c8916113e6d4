"""Judges into the rows that trainers read: a row in, the same row with its judge. Pure; changes nothing that is given to it.

What reward functions pass on already (``special_judge_program`` and its language beside the cases) is what a judge is written as, so
that they need no change. Judges of the protocol `function` get a few lines around them that make them programs of the protocol
`files`. Beside that a row is told which judge it has, of which class, and what is known of it.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic_core import to_json

from scalebox.core.problem import AskWhen, CheckerProtocol, ProgramChecker, StdioCase
from scalebox.registry.entry import JudgeVersion
from scalebox.rows import livecodebench, prime, v1_rows, verl
from scalebox.rows.cases import JUDGE
from scalebox.rows.fields import Tree, dig, unpacked
from scalebox.rows.recognise import read_problem
from scalebox.synthesis.domain import problem_id
from scalebox.synthesis.rates import Rate
from scalebox.wire.judge_text import judge_tree

NOTE: Final = "special_judge"
"""What a row is told of its judge."""
_WRAPPED: Final = """\
# Judge {id}, as a program of the protocol `files`: stdin.txt, stdout.txt (the jury's answer), answer.txt (the output).
import sys
import types

SOURCE = (
{lines}
)
judge = sys.modules["judge"] = types.ModuleType("judge")
exec(compile(SOURCE, "judge.py", "exec"), judge.__dict__)
said = judge.validate_solution("stdin.txt", "stdout.txt", "answer.txt")
sys.exit(1 if not said else 0 if said == 1 else 3)
"""
"""Exit code 3 is no word of a judge: one that says neither True nor False broke over the output."""


class Fate(enum.StrEnum):
    """What became of a row."""

    ATTACHED = "attached"
    KEPT = "has a comparison of its own"
    NONE = "no judge for it"
    NO_OUTPUTS = "its cases have no outputs"
    NO_ROOM = "its form has no room for a judge"
    PROTOCOL = "its judge cannot be written into rows of this form"
    NO_CASES = "no cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What a row is known by."""

    id: str
    """Of its problem, by content."""
    name: str | None


def sought(tree: Tree, *, replace: bool) -> Sought | Fate:
    """What to look for in the registry; or why there is no need.

    Args:
        tree: the row.
        replace: look also where the row has a comparison of its own.

    Raises:
        RequestError: the row cannot be read.
    """
    row = read_problem(tree)
    if row.problem is None:
        return Fate.NO_CASES
    if row.declares_checker and not replace:
        return Fate.KEPT
    tests = [case for case in row.problem.tests if isinstance(case, StdioCase)]
    if len(tests) != len(row.problem.tests):
        return Fate.NO_OUTPUTS
    return Sought(id=problem_id(tests), name=row.id)


def attached(tree: Tree, judge: JudgeVersion) -> Tree | Fate:
    """A row with its judge; or why it cannot have it.

    Raises:
        RequestError: the row cannot be read.
    """
    if v1_rows.is_one(tree):
        problem = tree["problem"]
        assert isinstance(problem, dict)  # ruff: ignore[assert] - `is_one` says so
        return tree | {"problem": problem | {"checker": judge_tree(judge.checker)}, NOTE: note_of(judge)}
    if livecodebench.is_one(tree):
        return Fate.NO_ROOM
    fields = judge_fields(judge)
    if fields is None:
        return Fate.PROTOCOL
    if prime.is_one(tree):
        return _with_fields(tree, prime.NAME, fields, judge)
    path = verl.path_of(tree)
    return Fate.NO_ROOM if path is None else _with_fields(tree, path, fields, judge)


def _with_fields(tree: Tree, path: str, fields: Tree, judge: JudgeVersion) -> Tree | Fate:
    """The row with more fields in the object at a path, which stays text where it is text."""
    value = dig(tree, path)
    inner = unpacked(value, path)
    if not isinstance(inner, dict):
        return Fate.NO_ROOM
    whole = {name: one for name, one in inner.items() if name not in JUDGE} | fields
    changed = _replaced(tree, path.split("."), to_json(whole).decode() if isinstance(value, str) else whole)
    extra = changed.get("extra_info")
    if isinstance(extra, dict):
        return changed | {"extra_info": extra | {NOTE: note_of(judge)}}
    return changed | {NOTE: note_of(judge)}


def _replaced(tree: Tree, names: list[str], value: object) -> Tree:
    """A tree with another value at a path; what lies on the way may be text, and stays so."""
    name, *rest = names
    if not rest:
        return tree | {name: value}
    inner = tree[name]
    below = unpacked(inner, name)
    assert isinstance(below, dict)  # ruff: ignore[assert] - something was found below it
    made = _replaced(below, rest, value)
    return tree | {name: to_json(made).decode() if isinstance(inner, str) else made}


def judge_fields(judge: JudgeVersion) -> Tree | None:
    """A judge as rows have it beside their cases; None where they cannot."""
    checker = judge.checker
    source = _as_files(judge.id, checker)
    if source is None or checker.flags:
        return None
    fields: Tree = {"special_judge_program": source, "special_judge_language": checker.program.language}
    return fields | {"force_special_judge": True} if checker.when is AskWhen.ALWAYS else fields


def _as_files(judge_id: str, checker: ProgramChecker) -> str | None:
    """The one text of a judge's program of the protocol `files`; None where it has none."""
    if len(checker.program.files) != 1:
        return None
    source = next(iter(checker.program.files.values()))
    if checker.protocol is CheckerProtocol.FILES:
        return source
    if checker.protocol is not CheckerProtocol.FUNCTION:  # which is Python's alone
        return None
    lines = "\n".join(f"    {line!r}" for line in source.splitlines(keepends=True)) or "    ''"
    return _WRAPPED.format(id=judge_id, lines=lines)


def note_of(judge: JudgeVersion) -> Tree:
    """What a row is told of its judge. Flat, and with the same fields in every row, as tables want it."""
    rates = judge.rates
    return {
        "id": judge.id,
        "version": judge.version,
        "state": judge.state.value,
        "class": judge.category,
        "origin": judge.origin,
        "tpr": None if rates is None else rates.right.share,
        "tpr_low": _low(None if rates is None else rates.right),
        "tnr": None if rates is None else rates.wrong.share,
        "tnr_low": _low(None if rates is None else rates.wrong),
        "measured_on": None if rates is None else rates.measured_on,
        "evidence": to_json(_brief(judge.evidence)).decode(),
    }


def _low(rate: Rate | None) -> float | None:
    return None if rate is None or rate.interval is None else rate.interval[0]


def _brief(evidence: Mapping[str, object]) -> Mapping[str, object]:
    """Evidence as counts: how often it was tried with what. Not the outputs, which may quote answers."""
    proof = evidence.get("proof")
    if not isinstance(proof, dict):
        return {name: value for name, value in evidence.items() if name == "measured"}
    return {name: proof[name] for name in ("outcome", "tallies") if name in proof}
