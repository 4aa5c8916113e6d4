"""Groups of test data: the default grader's rules, and when weights can say the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scalebox.core.problem import GroupRule
from scalebox.core.result import CaseResult, CheckResult
from scalebox.core.verdict import Verdict
from scalebox.packages.grading import Aggregation, Grade, Group, best_score, flagged, grade, unknown_flags, weights

AC, WA, TLE = Verdict.AC, Verdict.WA, Verdict.TLE


def cases(verdicts: Sequence[Verdict]) -> list[CaseResult]:
    """One result a verdict."""
    return [CaseResult(name=str(index), verdict=verdict) for index, verdict in enumerate(verdicts)]


@pytest.mark.parametrize(
    ("flags", "stop", "verdicts", "verdict", "score"),
    [
        ("", True, [AC, AC, AC], AC, 30),
        ("", True, [AC, WA, TLE], WA, 11),
        ("", False, [AC, WA, TLE], TLE, 12),
        ("first_error", False, [AC, WA, TLE], WA, 12),
        ("always_accept max", False, [WA, AC, TLE], AC, 10),
        ("accept_if_any_accepted min", False, [WA, AC, TLE], AC, 1),
        ("sum avg", False, [AC, AC, WA], WA, 7),
        ("accept_if_any_accepted", True, [WA, AC, AC], WA, 1),
    ],
)
def test_a_group_is_reduced_as_its_flags_say(
    flags: str, stop: bool, verdicts: list[Verdict], verdict: Verdict, score: float
) -> None:
    group = Group(name="g", members=[0, 1, 2], stop_on_reject=stop, accept_score=10, reject_score=1)
    assert grade(flagged(group, flags.split()), cases(verdicts)) == Grade(verdict=verdict, score=score)


def test_samples_can_be_left_out() -> None:
    root = Group(name="", members=[Group(name="sample", members=[0]), Group(name="secret", members=[1])])
    assert grade(root, cases([WA, AC])).verdict is WA
    assert grade(flagged(root, ["ignore_sample"]), cases([WA, AC])) == Grade(verdict=AC, score=1)
    assert unknown_flags(["ignore_sample", "sum", "nice"]) == ["nice"]


def test_points_of_a_checker_are_a_share_of_the_score() -> None:
    check = CheckResult(verdict=AC, name="kattis", points=0.25)
    result = CaseResult(name="0", verdict=AC, check=check)
    assert grade(Group(name="", members=[0], accept_score=40), [result]).score == 10


def test_sums_and_worst_cases_are_weights() -> None:
    worst = Group(name="secret/a", members=[1, 2], aggregation=Aggregation.MIN, accept_score=30)
    each = Group(name="secret/b", members=[3, 4], accept_score=5)
    root = flagged(Group(name="", members=[Group(name="sample", members=[0]), worst, each]), ["ignore_sample"])
    assert weights(root, 5) == ([0, 15, 15, 5, 5], {"secret/a": GroupRule.MIN})
    assert best_score(root, 5) == 40


@pytest.mark.parametrize(
    "group",
    [
        Group(name="", members=[0], aggregation=Aggregation.MAX),
        Group(name="", members=[0], reject_score=1),
        Group(name="", members=[0], accept_score=0),
        Group(name="", members=[Group(name="a", members=[0])], aggregation=Aggregation.MIN),
    ],
)
def test_other_gradings_are_no_weights(group: Group) -> None:
    assert weights(group, 1) is None
