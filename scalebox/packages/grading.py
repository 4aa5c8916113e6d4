"""Grade a submission from its cases, as the default grader of Kattis packages does. Pure; knows no files.

The rules are those of the legacy format (test data groups, ``grader_flags``): a group's verdict and score are reduced from
those of its members, in order; after a rejected member the rest is left out where the group says ``on_reject: break``.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.problem import GroupRule
from scalebox.core.result import CaseResult
from scalebox.core.verdict import Verdict

_WORST_FIRST: Final = (
    Verdict.JE,
    Verdict.IE,
    Verdict.SK,
    Verdict.CE,
    Verdict.RTE,
    Verdict.MLE,
    Verdict.TLE,
    Verdict.OLE,
    Verdict.WA,
    Verdict.AC,
)


class Aggregation(enum.StrEnum):
    """How the scores of a group's members become the group's."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"
    AVERAGE = "avg"


class VerdictRule(enum.StrEnum):
    """How the verdicts of a group's members become the group's."""

    WORST_ERROR = "worst_error"
    FIRST_ERROR = "first_error"
    ALWAYS_ACCEPT = "always_accept"


_AGGREGATIONS: Final = frozenset(Aggregation)
_VERDICT_RULES: Final = {rule.value: rule for rule in VerdictRule} | {"no_errors": VerdictRule.WORST_ERROR}
"""With an older name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of test data: cases and groups in judging order."""

    name: str
    """Path below the test data; empty for the root."""
    members: Sequence[Group | int]
    """Groups, and cases as indexes into the problem's tests."""
    aggregation: Aggregation = Aggregation.SUM
    verdict_rule: VerdictRule = VerdictRule.WORST_ERROR
    accept_if_any_accepted: bool = False
    stop_on_reject: bool = True
    accept_score: float = 1.0
    """Score of an accepted case; where its checker gave points, that share of it."""
    reject_score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """Verdict and score of a group."""

    verdict: Verdict
    score: float


def grade(group: Group, cases: Sequence[CaseResult]) -> Grade:
    """The grade of a group from all case results of the problem; an empty group is accepted with score 0."""
    grades: list[Grade] = []
    for member in group.members:
        result = grade(member, cases) if isinstance(member, Group) else _case_grade(group, cases[member])
        grades.append(result)
        if group.stop_on_reject and result.verdict is not Verdict.AC:
            break
    if not grades:
        return Grade(verdict=Verdict.AC, score=0.0)
    verdict = _verdict(group, [result.verdict for result in grades])
    return Grade(verdict=verdict, score=_score(group.aggregation, [result.score for result in grades]))


def best_score(group: Group, cases: int) -> float:
    """The score of a submission that passes every case and is given no points by a checker.

    Args:
        group: the root.
        cases: how many cases the problem has.
    """
    return grade(group, [CaseResult(name="", verdict=Verdict.AC)] * cases).score


def weights(root: Group, cases: int) -> tuple[list[float], dict[str, GroupRule]] | None:
    """The same grading as weights of cases and rules of groups, where those can say it: sums of sums and of worst cases.

    Args:
        root: the root.
        cases: how many cases the problem has.
    """
    found = [0.0] * cases
    rules: dict[str, GroupRule] = {}
    return (found, rules) if _weigh(root, found, rules) and sum(found) > 0 else None


def _weigh(group: Group, found: list[float], rules: dict[str, GroupRule]) -> bool:
    """Fill in the weights below a group; False where they cannot say it."""
    inner = [member for member in group.members if isinstance(member, Group)]
    indexes = [member for member in group.members if isinstance(member, int)]
    worst = group.aggregation is Aggregation.MIN and not inner
    if not (worst or group.aggregation is Aggregation.SUM) or group.reject_score or group.accept_score < 0:
        return False
    for index in indexes:
        found[index] = group.accept_score / len(indexes) if worst else group.accept_score
    if worst:
        rules[group.name] = GroupRule.MIN
    return all([_weigh(member, found, rules) for member in inner])


def _case_grade(group: Group, case: CaseResult) -> Grade:
    if case.verdict is not Verdict.AC:
        return Grade(verdict=case.verdict, score=group.reject_score)
    points = None if case.check is None else case.check.points
    return Grade(verdict=Verdict.AC, score=group.accept_score * (1.0 if points is None else points))


def _verdict(group: Group, verdicts: Sequence[Verdict]) -> Verdict:
    if group.accept_if_any_accepted and Verdict.AC in verdicts:
        return Verdict.AC
    match group.verdict_rule:
        case VerdictRule.WORST_ERROR:
            return min(verdicts, key=_WORST_FIRST.index)
        case VerdictRule.FIRST_ERROR:
            return next((verdict for verdict in verdicts if verdict is not Verdict.AC), Verdict.AC)
        case VerdictRule.ALWAYS_ACCEPT:
            return Verdict.AC


def _score(aggregation: Aggregation, scores: Sequence[float]) -> float:
    match aggregation:
        case Aggregation.SUM:
            return sum(scores)
        case Aggregation.MIN:
            return min(scores)
        case Aggregation.MAX:
            return max(scores)
        case Aggregation.AVERAGE:
            return sum(scores) / len(scores)


def flagged(group: Group, flags: Sequence[str]) -> Group:
    """The group with the default grader's flags applied; the last of a kind wins, and what is no flag has no effect."""
    for flag in flags:
        if flag in _AGGREGATIONS:
            group = replace(group, aggregation=Aggregation(flag))
        elif flag in _VERDICT_RULES:
            group = replace(group, verdict_rule=_VERDICT_RULES[flag])
        elif flag == "accept_if_any_accepted":
            group = replace(group, accept_if_any_accepted=True)
        elif flag == "ignore_sample":
            secret = [member for member in group.members if not isinstance(member, Group) or member.name != "sample"]
            group = replace(group, members=secret)
    return group


def unknown_flags(flags: Sequence[str]) -> list[str]:
    """The flags that the default grader does not know."""
    known = {*_AGGREGATIONS, *_VERDICT_RULES, "accept_if_any_accepted", "ignore_sample"}
    return [flag for flag in flags if flag not in known]
