"""One row of a data set: a problem and the program that is said to solve it. Pure values; has no opinion on either."""

from __future__ import annotations

from dataclasses import dataclass, field

from scalebox.core.limits import Limits
from scalebox.core.problem import Problem
from scalebox.core.submission import Completion, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row that could be read."""

    number: int
    """Its line in the file, from 1."""
    id: str
    shape: str
    """Which of the known shapes it has."""
    reference: Submission | Completion
    problem: Problem | None
    """None where the row has no cases."""
    declares_checker: bool
    """Whether the row says how outputs are compared; otherwise the problem's checker is our default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row that could not be read, and why."""

    number: int
    id: str | None
    field: str | None
    """The field at fault, as the row writes it."""
    message: str
    hint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What rows do not say, and where the reference is."""

    language: str = "python"
    """Of references whose row names none."""
    reference: str | None = None
    """Dotted path of the reference; None looks at the usual places."""
    limits: Limits = field(default_factory=Limits)
    """Of problems whose row states none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProblem:
    """The problem of a row, without its reference."""

    id: str | None
    shape: str
    problem: Problem | None
    """None where the row has no cases."""
    declares_checker: bool
