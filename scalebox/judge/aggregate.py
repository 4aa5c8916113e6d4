"""Reduce case results to a judgement. Pure: no clock, no files, no awaits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scalebox.core.limits import Usage
from scalebox.core.problem import GroupRule, Problem
from scalebox.core.result import CaseResult, CompileResult, ExtractionResult, Isolation, Judgement, Origin
from scalebox.core.verdict import AGAINST, EVIDENCE, Verdict, overall, reward


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a judgement says beside its verdict."""

    id: str
    extraction: ExtractionResult | None
    compiled: CompileResult | None
    queue_seconds: float
    isolation: Isolation
    versions: Mapping[str, str]
    node: str
    origin: Origin = Origin.RUN
    learned_cpu_seconds: float | None = None


def unrun(problem: Problem) -> list[CaseResult]:
    """One result a case, none of them run."""
    return [CaseResult(name=case.name, verdict=Verdict.SK) for case in problem.tests]


def judgement_of(
    cases: Sequence[CaseResult], problem: Problem, stop_on_failure: bool, around: Circumstances
) -> Judgement:
    """The judgement that follows from the cases."""
    return _judgement(overall([case.verdict for case in cases]), None, cases, problem, stop_on_failure, around)


def refused(verdict: Verdict, reason: str, problem: Problem, around: Circumstances) -> Judgement:
    """A judgement without a run: nothing to compile, or it did not compile."""
    return _judgement(verdict, reason, unrun(problem), problem, False, around)


def interrupted(
    cases: Sequence[CaseResult], reason: str, problem: Problem, stop_on_failure: bool, around: Circumstances
) -> Judgement:
    """A judgement that could not be finished: IE, unless a case that ran is evidence against the program.

    A failure that was found stays one: else a program could escape it by sleeping until the deadline.
    """
    left = sum(case.verdict is Verdict.SK for case in cases)
    if not left:
        return judgement_of(cases, problem, stop_on_failure, around)
    verdict = overall([case.verdict for case in cases])
    words = f"{reason}: {left} of {len(cases)} cases were not run" if verdict in AGAINST else reason
    return _judgement(verdict, words, cases, problem, stop_on_failure, around)


def _judgement(
    verdict: Verdict,
    reason: str | None,
    cases: Sequence[CaseResult],
    problem: Problem,
    stop_on_failure: bool,
    around: Circumstances,
) -> Judgement:
    earned = reward(verdict)
    ran = [case for case in cases if case.verdict is not Verdict.SK]
    return Judgement(
        id=around.id,
        verdict=verdict,
        reason=reason,
        reward=earned,
        score=earned if stop_on_failure or earned is None else _share(cases, problem),
        passed=sum(case.verdict is Verdict.AC for case in cases),
        ran=len(ran),
        total=len(cases),
        hardened=all(case.hardened for case in ran),
        cases=cases,
        extraction=around.extraction,
        compile=around.compiled,
        usage=Usage(
            cpu_seconds=sum(case.usage.cpu_seconds for case in ran),
            wall_seconds=sum(case.usage.wall_seconds for case in ran),
            memory_bytes=max((case.usage.memory_bytes for case in ran), default=0),
        ),
        queue_seconds=around.queue_seconds,
        isolation=around.isolation,
        versions=around.versions,
        node=around.node,
        origin=around.origin,
        learned_cpu_seconds=around.learned_cpu_seconds,
    )


def _share(cases: Sequence[CaseResult], problem: Problem) -> float:
    """What was earned of all that could be: a case its weight times its share, a group as its rule says."""
    total = sum(case.weight for case in problem.tests)
    if not total:
        return float(all(case.verdict is Verdict.AC for case in cases))
    groups: dict[str | None, list[tuple[float, float]]] = {}
    for test, case in zip(problem.tests, cases, strict=True):
        groups.setdefault(test.group, []).append((test.weight, earned_share(case)))
    return sum(_earned(members, _rule(problem, name)) for name, members in groups.items()) / total


def _rule(problem: Problem, group: str | None) -> GroupRule:
    return GroupRule.SUM if group is None else problem.groups.get(group, GroupRule.SUM)


def _earned(members: Sequence[tuple[float, float]], rule: GroupRule) -> float:
    """The points of a group, from weight and share of each of its cases."""
    match rule:
        case GroupRule.SUM:
            return sum(weight * share for weight, share in members)
        case GroupRule.MIN:
            return sum(weight for weight, _ in members) * min(share for _, share in members)


def earned_share(case: CaseResult) -> float:
    """The share of its weight that a case earned: the checker's points where it gives them, else all or nothing."""
    if case.verdict not in EVIDENCE:
        return 0.0
    if case.check is not None and case.check.points is not None:
        return case.check.points
    return float(case.verdict is Verdict.AC)
