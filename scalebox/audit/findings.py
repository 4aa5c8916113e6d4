"""What is wrong with a problem, from its measurement: named, with the cases and the first difference. Pure; suggests nothing."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.audit.comparisons import EXACT, FLOATS, MAIN, ORDERLESS, RUNGS, TOKENS, Difference
from scalebox.audit.measurement import Case, Fault, Kind, Measurement, Variation
from scalebox.core.limits import MIB
from scalebox.core.verdict import Verdict

OWN: Final = "own"
"""Beside the names of ``MAIN``: the checker that the problem will be judged by."""
ONLY: Final = "its only case"
FEW: Final = 5
"""Where no more than one case in so many differs, its answer is suspected before the comparison is."""


class Flaw(enum.StrEnum):
    """What can be wrong with a problem, worst first."""

    COMPILE = "reference does not compile"
    FAILS = "reference fails"
    NO_CASES = "no cases"
    JUDGE = "its own checker fails"
    OWN = "its own checker rejects the reference"
    SPECIAL = "no comparison accepts the reference"
    CONFLICT = "same input, different answers"
    FLAKY = "verdict differs from run to run"
    LAXER = "a laxer comparison is needed"
    FLOATS = "floats are needed"
    EXACT = "only exact comparison rejects"
    NEAR = "near a limit"
    VARYING = "output differs from run to run"
    REPEATED = "repeated inputs"
    REFUSED = "refused by the judge"
    UNJUDGED = "not judged"


ORDER: Final = tuple(Flaw)
NOT_AUDITED: Final = frozenset({Flaw.REFUSED, Flaw.UNJUDGED})
_OF_FAULT: Final = {Fault.COMPILE: Flaw.COMPILE, Fault.REFUSED: Flaw.REFUSED, Fault.UNJUDGED: Flaw.UNJUDGED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a problem."""

    flaw: Flaw
    cases: Sequence[str]
    """Names of the cases it is about; empty where it is about the problem."""
    words: str
    """The whole of it in one sentence, without the answer's content."""
    answer: str | None = None
    """What the answer has at the first difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The strictest comparison that accepts every case of one kind."""

    name: str | None
    """None where there is none."""
    orderless: str | None
    """What would accept them all if order did not count, where there is no name."""
    strict: bool
    """Whether exact comparison accepts them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that an audit says of one problem."""

    row: int
    id: str
    shape: str
    cases: int
    declared: str | None
    audited: bool
    """Whether the reference was run, or there was nothing to run it on."""
    compared: bool
    """Whether it has cases that are decided by comparing."""
    fails: bool
    """Whether the reference does not end normally on some case, or does not compile."""
    rejected: frozenset[str]
    """The names of ``MAIN``, and ``OWN``, under which the reference is not accepted."""
    findings: Sequence[Finding]
    """Worst first."""

    @property
    def worst(self) -> Finding | None:
        """The worst finding."""
        return self.findings[0] if self.findings else None

    def has(self, flaw: Flaw) -> bool:
        """Whether a finding is of this kind."""
        return any(finding.flaw is flaw for finding in self.findings)


def report(measurement: Measurement, near: float) -> Report:
    """All that is found in a measurement.

    Args:
        measurement: of one problem.
        near: share of a limit from which on a case is near it.
    """
    cases = measurement.cases
    unaccepted = measurement.fault is Fault.COMPILE or any(case.end for case in cases)
    compared = [case for case in cases if case.kind is not Kind.OTHER]
    rejected = {name for name in MAIN if any(name not in case.accepts for case in compared)}
    if any(case.own is not Verdict.AC for case in cases):
        rejected.add(OWN)
    if measurement.fault is Fault.COMPILE:
        rejected |= {*MAIN, OWN}
    return Report(
        row=measurement.row,
        id=measurement.id,
        shape=measurement.shape,
        cases=measurement.total,
        declared=measurement.declared,
        audited=measurement.fault in {None, Fault.COMPILE},
        compared=bool(compared) or measurement.fault is Fault.COMPILE,
        fails=unaccepted,
        rejected=frozenset(rejected),
        findings=sorted(_findings(measurement, near), key=lambda finding: ORDER.index(finding.flaw)),
    )


def best(cases: Sequence[Case], kind: Kind) -> Comparison:
    """The strictest comparison for the cases of one kind that ended normally."""
    ended = [case for case in cases if case.kind is kind and case.end is None]
    name = next((name for name in RUNGS if all(name in case.accepts for case in ended)), None)
    if name in ORDERLESS:
        return Comparison(name=None, orderless=name, strict=False)
    return Comparison(name=name, orderless=None, strict=name == EXACT)


def settled(measurement: Measurement) -> bool:
    """Whether the checker that the row declares accepts every case that ended, so that no other is needed."""
    ended = [case for case in measurement.cases if case.end is None]
    return measurement.declared is not None and all(case.own is Verdict.AC for case in ended)


def _findings(measurement: Measurement, near: float) -> list[Finding]:
    if measurement.fault is not None:
        return [Finding(flaw=_OF_FAULT[measurement.fault], cases=(), words=measurement.message)]
    if not measurement.cases:
        return [Finding(flaw=Flaw.NO_CASES, cases=(), words="the row has no test cases, so nothing can be accepted")]
    found = [
        _failing(measurement),
        _variation(measurement, Variation.VERDICT),
        _variation(measurement, Variation.OUTPUT),
    ]
    found += [_by_own(measurement, Verdict.JE), _by_own(measurement, Verdict.WA)]
    found += [_near(measurement, near), _repeated(measurement, same=False), _repeated(measurement, same=True)]
    if not settled(measurement):
        found += [_comparison(measurement, Kind.OUTPUT), _comparison(measurement, Kind.VALUE)]
    return [finding for finding in found if finding is not None]


def _failing(measurement: Measurement) -> Finding | None:
    failing = [case for case in measurement.cases if case.end is not None]
    if not failing:
        return None
    first = failing[0]
    words = f"{_count(failing, measurement)}; case {first.name}: {first.end}{first.reason and ', '}{first.reason}"
    return Finding(flaw=Flaw.FAILS, cases=_names(failing), words=words)


def _by_own(measurement: Measurement, verdict: Verdict) -> Finding | None:
    """What a checker that the row declares, or test code, says against the reference."""
    against = [
        case
        for case in measurement.cases
        if case.own is verdict and (measurement.declared is not None or case.kind is Kind.OTHER)
    ]
    if not against:
        return None
    first = against[0]
    by = measurement.declared or "its test code"
    words = f"{by}: {_count(against, measurement)}; case {first.name}: {first.reason or verdict}"
    return Finding(flaw=Flaw.JUDGE if verdict is Verdict.JE else Flaw.OWN, cases=_names(against), words=words)


def _comparison(measurement: Measurement, kind: Kind) -> Finding | None:
    """What comparing costs, for the cases of one kind."""
    found = best(measurement.cases, kind)
    if found.strict:
        return None
    by = EXACT if found.name in {"lines", TOKENS} else FLOATS
    if found.name == FLOATS:
        by = TOKENS
    ended = [case for case in measurement.cases if case.kind is kind and case.end is None]
    differing = [case for case in ended if by not in case.accepts]
    if not differing:  # each case has a comparison of its own, but none has all of them
        differing = [case for case in ended if EXACT not in case.accepts]
    first = differing[0]
    difference = first.differences.get(by) or Difference(words="it differs")
    some = _number(len(differing), len(measurement.cases))
    words = f"{_against(found, by, kind, some)}; case {first.name}: {difference.words}"
    finding = Finding(flaw=Flaw.SPECIAL, cases=_names(differing), words=words, answer=difference.answer)
    match found.name:
        case None:
            return finding
        case "lines" | "tokens":
            return replace(finding, flaw=Flaw.EXACT)
        case "floats":
            return replace(finding, flaw=Flaw.FLOATS)
        case _:
            return replace(finding, flaw=Flaw.LAXER)


def _against(found: Comparison, by: str, kind: Kind, some: str) -> str:
    """Which comparison rejects how many cases, and which accepts all."""
    if found.orderless is not None:
        return f"{some} with another output, which is the same with {found.orderless}"
    if found.name is None:
        return f"{some} with another {kind}"
    if kind is Kind.VALUE:
        return f"{some} with a value that is within 1e-6, but not equal"
    them = "it" if some == ONLY else "them all"
    return f"{by} rejects {some}, {found.name} accepts {them}"


def _variation(measurement: Measurement, variation: Variation) -> Finding | None:
    varying = [case for case in measurement.cases if case.variation is variation]
    if not varying:
        return None
    counted = _count(varying, measurement)
    if variation is Variation.OUTPUT:
        words = f"{counted} in {measurement.runs} runs; every comparison says the same of all of them"
        return Finding(flaw=Flaw.VARYING, cases=_names(varying), words=words)
    first = varying[0]
    why = first.reason or next((difference.words for difference in first.differences.values()), "it differs")
    words = f"{counted} in {measurement.runs} runs; case {first.name}, at its worst: {first.own}, {why}"
    return Finding(flaw=Flaw.FLAKY, cases=_names(varying), words=words)


def _near(measurement: Measurement, near: float) -> Finding | None:
    cpu, memory = measurement.cpu_limit_seconds, measurement.memory_limit_bytes
    close = [
        case
        for case in measurement.cases
        if case.end is None and (case.cpu_seconds >= near * cpu or case.memory_bytes >= near * memory)
    ]
    if not close:
        return None
    slowest, largest = max(case.cpu_seconds for case in close), max(case.memory_bytes for case in close)
    words = f"{_count(close, measurement)}: up to {slowest:.2f} of {cpu:g} s CPU, {largest / MIB:.0f} of {memory / MIB:g} MiB"
    return Finding(flaw=Flaw.NEAR, cases=_names(close), words=words)


def _repeated(measurement: Measurement, *, same: bool) -> Finding | None:
    found = [one for one in measurement.repetitions if one.same_answer is same]
    if not found:
        return None
    first = found[0]
    answers = "the same answer" if same else "another answer"
    words = f"{_number(len(found), len(measurement.cases))}; case {first.case} has the input of case {first.earlier}, and {answers}"
    return Finding(flaw=Flaw.REPEATED if same else Flaw.CONFLICT, cases=[one.case for one in found], words=words)


def _count(cases: Sequence[Case], measurement: Measurement) -> str:
    return _number(len(cases), len(measurement.cases))


def _number(some: int, total: int) -> str:
    return f"{some} of {total} cases" if total != 1 else ONLY


def _names(cases: Sequence[Case]) -> list[str]:
    return [case.name for case in cases]
