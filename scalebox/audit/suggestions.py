"""What to change in a problem, each with its reason. Pure; a suggestion is made of one reference, so it is to be looked at, not applied blindly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic_core import to_json

from scalebox.audit.comparisons import FLOATS, RUNGS, VALUE_TOLERANCE
from scalebox.audit.findings import FEW, Finding, Flaw, Report, best, settled
from scalebox.audit.measurement import Kind, Measurement, Repetition
from scalebox.core.limits import MIB
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

Body = dict[str, object]

_DEFAULT: Final = CheckerSpec()
_OPTIONS: Final = {
    "case_sensitive": "case_sensitive",
    "exact_integers": "exact_integers",
    "unit": "unit",
    "tokens_any_order": "tokens_any_order",
}
_MEMORY_STEP_MB: Final = 16
_ROOM: Final = 2
"""How much more than the reference needed a limit should give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One change."""

    action: str
    """``checker``, ``tolerance``, ``special_judge``, ``drop``, ``look``, ``cpu_s``, ``memory_mb``, ``reference`` or ``cases``."""
    value: object
    """In the words of v1, or the names of the cases."""
    reason: str


def advice(measurement: Measurement, found: Report) -> list[Advice]:
    """What to change in a problem; empty where nothing is to be changed."""
    changes = [*_of_comparison(measurement, found), *_of_cases(measurement, found), *_of_limits(measurement, found)]
    for finding in found.findings:
        if finding.flaw is Flaw.COMPILE:
            changes.append(Advice(action="reference", value=None, reason=f"it does not compile: {finding.words}"))
        if finding.flaw is Flaw.NO_CASES:
            changes.append(Advice(action="cases", value=None, reason=finding.words))
    return changes


def body(found: Report, changes: Sequence[Advice]) -> Body:
    """The line for one problem."""
    return {
        "row": found.row,
        "id": found.id,
        "suggestions": [{"action": one.action, "value": one.value, "reason": one.reason} for one in changes],
    }


def checker_body(spec: CheckerSpec) -> Body:
    """A checker as ``POST /v1/judge`` takes it, without what is the default there."""
    shown: Body = {"name": spec.name}
    shown |= {
        name: getattr(spec, field)
        for name, field in _OPTIONS.items()
        if getattr(spec, field) != getattr(_DEFAULT, field)
    }
    if spec.name == FLOATS:
        shown |= {"abs": spec.absolute, "rel": spec.relative}
    return shown


def _of_comparison(measurement: Measurement, found: Report) -> list[Advice]:
    if measurement.fault is not None or settled(measurement):
        return []
    changes = []
    output = best(measurement.cases, Kind.OUTPUT)
    finding = _finding(found, Flaw.LAXER, Flaw.FLOATS, Flaw.EXACT)
    if output.name is not None and not output.strict and finding is not None:
        careful = "; see whether the statement allows it" if finding.flaw is Flaw.LAXER else ""
        value = checker_body(RUNGS[output.name])
        changes.append(Advice(action="checker", value=value, reason=f"{finding.words}{careful}"))
    value_name = best(measurement.cases, Kind.VALUE).name
    if value_name == FLOATS and finding is not None:
        tolerance = {"abs": VALUE_TOLERANCE.absolute, "rel": VALUE_TOLERANCE.relative}
        changes.append(Advice(action="tolerance", value=tolerance, reason=finding.words))
    special = _finding(found, Flaw.SPECIAL)
    if special is not None:
        changes.append(_special(special, found, output.orderless))
    return changes


def _special(finding: Finding, found: Report, orderless: str | None) -> Advice:
    if orderless is not None:
        value = to_json(checker_body(RUNGS[orderless])).decode()
        reason = f"{finding.words}; it needs a judge of its own, or, only if the statement takes every order, the checker {value}"
        return Advice(action="special_judge", value=None, reason=reason)
    if len(finding.cases) * FEW <= found.cases:
        reason = f"{finding.words}; so few cases differ that their answers may be wrong"
        return Advice(action="look", value=list(finding.cases), reason=reason)
    reason = f"{finding.words}; if the problem has several right answers it needs a judge of its own, else the reference or the answers are wrong"
    return Advice(action="special_judge", value=None, reason=reason)


def _of_cases(measurement: Measurement, found: Report) -> list[Advice]:
    changes = []
    again = [one.case for one in measurement.repetitions if one.same_answer]
    repeated = _finding(found, Flaw.REPEATED)
    if repeated is not None:
        changes.append(Advice(action="drop", value=again, reason=repeated.words))
    if not settled(measurement):
        changes += _of_conflicts(measurement)
    crashed = [case for case in measurement.cases if case.end in {Verdict.RTE, Verdict.OLE}]
    if crashed:
        whole = len(crashed) == len(measurement.cases)
        first = crashed[0]
        reason = f"{len(crashed)} of {len(measurement.cases)} cases; case {first.name}: {first.end}, {first.reason}"
        if whole:
            changes.append(Advice(action="reference", value=None, reason=f"it fails everywhere: {reason}"))
        else:
            names = [case.name for case in crashed]
            changes.append(
                Advice(action="drop", value=names, reason=f"the reference fails: {reason}; or mend the reference")
            )
    return changes


def _of_conflicts(measurement: Measurement) -> list[Advice]:
    """Of two cases with one input and two answers, the one that the reference does not agree with goes."""
    by_name = {case.name: case for case in measurement.cases}
    wrong: list[str] = []
    undecided: Repetition | None = None
    for one in measurement.repetitions:
        if one.same_answer:
            continue
        disagreeing = [name for name in (one.earlier, one.case) if FLOATS not in by_name[name].accepts]
        if len(disagreeing) == 1:
            wrong += [name for name in disagreeing if name not in wrong]
        else:
            undecided = undecided or one
    changes = []
    if wrong:
        reason = "another case has the same input and another answer, and the reference agrees with that one"
        changes.append(Advice(action="drop", value=wrong, reason=reason))
    if undecided is not None:
        reason = f"case {undecided.case} has the input of case {undecided.earlier} and another answer; no comparison can accept both"
        changes.append(Advice(action="special_judge", value=None, reason=reason))
    return changes


def _of_limits(measurement: Measurement, found: Report) -> list[Advice]:
    if measurement.fault is not None:
        return []
    near = _finding(found, Flaw.NEAR)
    changes = []
    cpu, memory = measurement.cpu_limit_seconds, measurement.memory_limit_bytes
    late = [case for case in measurement.cases if case.end is Verdict.TLE]
    slowest = max((case.cpu_seconds for case in measurement.cases if case.end is None), default=0.0)
    if late:
        reason = f"the reference needs more than {cpu:g} s CPU on {len(late)} of {len(measurement.cases)} cases; how much is not known"
        changes.append(Advice(action="cpu_s", value=_ROOM * cpu, reason=reason))
    elif near is not None and _ROOM * slowest > cpu:
        value = math.ceil(_ROOM * slowest * 10) / 10
        changes.append(
            Advice(action="cpu_s", value=value, reason=f"the reference needs {slowest:.2f} of {cpu:g} s CPU")
        )
    large = [case for case in measurement.cases if case.end is Verdict.MLE]
    largest = max((case.memory_bytes for case in measurement.cases if case.end is None), default=0)
    if large:
        reason = f"the reference needs more than {memory / MIB:g} MiB on {len(large)} of {len(measurement.cases)} cases; how much is not known"
        changes.append(Advice(action="memory_mb", value=_ROOM * memory / MIB, reason=reason))
    elif near is not None and _ROOM * largest > memory:
        value = math.ceil(_ROOM * largest / MIB / _MEMORY_STEP_MB) * _MEMORY_STEP_MB
        reason = f"the reference needs {largest / MIB:.0f} of {memory / MIB:g} MiB"
        changes.append(Advice(action="memory_mb", value=value, reason=reason))
    return changes


def _finding(found: Report, *flaws: Flaw) -> Finding | None:
    return next((finding for finding in found.findings if finding.flaw in flaws), None)
