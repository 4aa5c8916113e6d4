"""What a problem package holds once it is read. Pure values and rules; reads no file and runs nothing."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from scalebox.core.errors import ScaleBoxError
from scalebox.core.problem import Problem
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict
from scalebox.packages.grading import Group

Languages = Mapping[str, str]
"""Every name of a language, and every suffix of its sources (with the dot), in lower case -> the language's id."""

AGAINST_A_RUN: Final = frozenset({Verdict.WA, Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.RTE})
"""Evidence against a program that compiles."""


class PackageError(ScaleBoxError):
    """A package cannot be read as a problem; the message names the file, the fault and the fix."""

    def __init__(self, file: str, fault: str, fix: str) -> None:
        super().__init__(f"{file}: {fault}; {fix}")


class PackageFormat(enum.StrEnum):
    """The formats that are read."""

    KATTIS_LEGACY = "Kattis legacy"
    KATTIS_2023_07 = "Kattis 2023-07"
    KATTIS_2025_09 = "Kattis 2025-09"
    POLYGON = "Polygon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What a jury says of a submission: any of these verdicts of the whole submission."""

    verdicts: frozenset[Verdict]
    partial: bool = False
    """AC with less than the best score, in a scoring package."""

    def __str__(self) -> str:
        if self.partial:
            return "AC in part"
        if self.verdicts == AGAINST_A_RUN:
            return "not AC"
        return " or ".join(verdict.value for verdict in Verdict if verdict in self.verdicts)


@dataclass(frozen=True, slots=True, kw_only=True)
class JurySubmission:
    """A submission that the jury put beside the problem."""

    name: str
    """Its path in the package."""
    language: str
    """Id where it is known, else what the file says (a suffix, a type)."""
    due: Due | None
    submission: Submission | None
    skip: str | None = None
    """Why it cannot be judged; None exactly when ``due`` and ``submission`` are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Where the time limit comes from."""

    stated_seconds: float | None
    """CPU seconds; None where the package wants it computed from its accepted submissions."""
    multiplier: float = 5.0
    """Time limit over the slowest accepted submission."""
    resolution_seconds: float = 1.0
    """The computed limit is a multiple of this."""

    def limit_seconds(self, slowest_seconds: float) -> float:
        """The limit stated, else the one that follows from the slowest case of the accepted submissions."""
        if self.stated_seconds is not None:
            return self.stated_seconds
        steps = math.ceil(slowest_seconds * self.multiplier / self.resolution_seconds)
        return max(1, steps) * self.resolution_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A problem, the submissions its jury wrote, and how the jury grades."""

    name: str
    """The directory's name."""
    format: PackageFormat
    problem: Problem
    timing: Timing
    grading: Group | None = None
    """The root of the test data of a scoring package; None where every case counts alike."""
    submissions: Sequence[JurySubmission]
    notes: Sequence[str] = field(default_factory=tuple)
    """What the package says that has no effect here."""
