"""Ids of problems that are sent by id, remembered while the problem is the same. Never trusts that what may change did not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.problem import CheckerSpec, Problem, ProgramChecker, StdioCase, TestCase

MOST_BYTES: Final = 256 << 20
"""Of the problems remembered, which are kept alive by that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    problem: Problem
    state: Sequence[object]
    id: str
    size: int


class KnownIds:
    """Problem objects to ids; the longest unused go first.

    Args:
        most_bytes: of problems held.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held = 0
        self._known: OrderedDict[int, _Known] = OrderedDict()

    def get(self, problem: Problem) -> str | None:
        """The id put for this very object, if nothing in it was replaced since."""
        known = self._known.get(id(problem))
        if known is None:
            return None
        if known.state != _state(problem):
            self._held -= self._known.pop(id(problem)).size
            return None
        self._known.move_to_end(id(problem))
        return known.id

    def put(self, problem: Problem, problem_id: str, size: int) -> None:
        """Remember an id; one of a problem that could change unnoticed is not."""
        state = _state(problem)
        if state is None or size > self._most_bytes:
            return
        there = self._known.pop(id(problem), None)
        self._held += size - (0 if there is None else there.size)
        self._known[id(problem)] = _Known(problem=problem, state=state, id=problem_id, size=size)
        while self._held > self._most_bytes:
            self._held -= self._known.popitem(last=False)[1].size


def _state(problem: Problem) -> Sequence[object] | None:
    """All of a problem that a list or dict of the caller's holds, to be compared; None where that is deep inside.

    Equal objects are first compared by identity, so this costs little beside the content.
    """
    if problem.interactor is not None or not all(map(_is_settled, problem.tests)):
        return None
    state: list[object] = [tuple(problem.tests), dict(problem.groups)]
    if isinstance(problem.checker, ProgramChecker):
        checker = problem.checker
        state += [dict(checker.program.files), tuple(checker.flags), tuple(checker.order)]
    return state


def _is_settled(test: TestCase) -> bool:
    """Whether nothing in a case can change without another object taking its place."""
    if not isinstance(test, StdioCase) or test.args or test.files:
        return False
    return test.checker is None or isinstance(test.checker, CheckerSpec)
