"""Verdicts and the rules that reduce them. Pure: no clock, no files, no awaits."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final


class Verdict(enum.StrEnum):
    """What was found out about a case or a judgement."""

    AC = "AC"
    WA = "WA"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    RTE = "RTE"
    CE = "CE"
    JE = "JE"
    """The judge (checker, test code, interactor) is at fault, not the program."""
    IE = "IE"
    """ScaleBox is at fault, not the program."""
    SK = "SK"
    """Not run."""


AGAINST: Final = frozenset({Verdict.WA, Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.RTE, Verdict.CE})
"""Evidence against the program."""

EVIDENCE: Final = AGAINST | {Verdict.AC}
"""Verdicts that say something about the program; only these have a reward."""


def reward(verdict: Verdict) -> float | None:
    """The reward of a verdict: 1.0, 0.0, or None where it says nothing about the program."""
    match verdict:
        case Verdict.AC:
            return 1.0
        case Verdict.JE | Verdict.IE | Verdict.SK:
            return None
        case Verdict.WA | Verdict.TLE | Verdict.MLE | Verdict.OLE | Verdict.RTE | Verdict.CE:
            return 0.0


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of a judgement from the verdicts of its cases, in case order.

    AC only if every case is AC; else the first that is evidence against the program; else IE if
    any case is IE or SK; else JE.

    Raises:
        ValueError: there are no cases; such a request is invalid, never a pass.
    """
    if not verdicts:
        msg = "a judgement needs at least one case"
        raise ValueError(msg)
    if all(verdict is Verdict.AC for verdict in verdicts):
        return Verdict.AC
    for verdict in verdicts:
        if verdict in AGAINST:
            return verdict
    if any(verdict in {Verdict.IE, Verdict.SK} for verdict in verdicts):
        return Verdict.IE
    return Verdict.JE
