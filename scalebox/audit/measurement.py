"""What was measured of one problem: how its reference ended on each case, what it spent, what the comparisons say. Pure values.

A measurement is what ``--results`` keeps; everything that is reported follows from it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field

from scalebox.audit.comparisons import Difference
from scalebox.core.verdict import Verdict


class Kind(enum.StrEnum):
    """The kinds of cases, as far as an audit tells them apart."""

    OUTPUT = "output"
    """Compared by what the program prints."""
    VALUE = "value"
    """Compared by what a function returns."""
    OTHER = "other"
    """Decided by test code or an interactor."""


class Variation(enum.StrEnum):
    """What differed between runs of one case."""

    NONE = "none"
    OUTPUT = "output"
    """Only what it printed; every comparison says the same of it."""
    VERDICT = "verdict"
    """What a comparison, or the end of the run, says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case over all runs; where runs differ, the first that went worst."""

    name: str
    kind: Kind
    end: Verdict | None
    """How it ended where that was no normal end: TLE, MLE, OLE or RTE."""
    own: Verdict
    """Under the problem's own checker; our default where the row declares none."""
    reason: str
    """Of the end, or of the checker; empty where the case passed."""
    accepts: frozenset[str]
    """The comparisons that accept every run; all or none for a case that is not compared."""
    differences: dict[str, Difference] = field(default_factory=dict)
    cpu_seconds: float
    """The most of any run."""
    memory_bytes: int
    """The most of any run."""
    variation: Variation = Variation.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A case with the same input as an earlier one."""

    case: str
    earlier: str
    same_answer: bool


class Fault(enum.StrEnum):
    """Why there are no cases in a measurement of a problem that has some."""

    COMPILE = "compile"
    """The reference does not compile, or there is no code in it."""
    REFUSED = "refused"
    """The judge refuses the problem or the language."""
    UNJUDGED = "unjudged"
    """It was not judged, through our fault; another run may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One problem."""

    row: int
    id: str
    shape: str
    declared: str | None
    """How the row says that outputs are compared, in a few words."""
    cpu_limit_seconds: float
    memory_limit_bytes: int
    runs: int
    """Of every case."""
    total: int
    """Cases of the problem."""
    cases: Sequence[Case]
    """All of them, or none where there is a fault."""
    repetitions: Sequence[Repetition] = ()
    fault: Fault | None = None
    message: str = ""
    """Of the fault."""
