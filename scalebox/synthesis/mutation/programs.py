"""Mutants of a submission, whatever its language: as many as are wanted, spread over the whole program. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scalebox.core.submission import Submission
from scalebox.synthesis.mutation.python import python_mutants
from scalebox.synthesis.mutation.tokens import token_mutants

_LONGEST: Final = 60_000
_BY_TREE: Final[Mapping[str, Callable[[str, int], list[tuple[str, str]]]]] = {
    "python": python_mutants,
    "pypy": python_mutants,
}
"""Languages whose syntax tree is known; all others are changed by their tokens."""


def program_mutants(submission: Submission, most: int) -> list[tuple[Submission, str]]:
    """Mutants, each with what was changed."""
    if len(submission.source) > _LONGEST:
        return []
    mutate = _BY_TREE.get(submission.language, token_mutants)
    mutants = mutate(submission.source, most)
    return [(Submission(source=source, language=submission.language), words) for source, words in mutants]
