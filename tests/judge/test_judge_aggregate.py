"""From case results to a judgement: verdict, reward, score, counts, and whether program and judge were apart."""

from __future__ import annotations

import pytest

from scalebox.core.limits import Usage
from scalebox.core.problem import GroupRule, Problem, StdioCase
from scalebox.core.result import CaseResult, CheckResult, Isolation, Judgement
from scalebox.core.verdict import Verdict
from scalebox.judge.aggregate import Circumstances, interrupted, judgement_of, refused, unrun

AROUND = Circumstances(
    id="id",
    extraction=None,
    compiled=None,
    queue_seconds=0.5,
    isolation=Isolation(level="strict", walls=("pid",)),
    versions={"scalebox": "1"},
    node="here",
)


def problem_of(*weights: float) -> Problem:
    """A problem with cases of these weights."""
    tests = [StdioCase(name=str(n), input=b"", answer=b"", weight=weight) for n, weight in enumerate(weights)]
    return Problem(tests=tests)


def judged(verdicts: str, *, stop: bool = False) -> Judgement:
    """The judgement of cases with these verdicts."""
    names = verdicts.split()
    cases = [CaseResult(name=str(n), verdict=Verdict(name)) for n, name in enumerate(names)]
    return judgement_of(cases, problem_of(*[1.0] * len(names)), stop, AROUND)


@pytest.mark.parametrize(
    ("verdicts", "verdict", "reward", "score"),
    [
        ("AC", "AC", 1.0, 1.0),
        ("AC AC AC", "AC", 1.0, 1.0),
        ("AC WA AC AC", "WA", 0.0, 0.75),
        ("AC TLE WA", "TLE", 0.0, 1 / 3),  # the first in order
        ("WA SK SK", "WA", 0.0, 0.0),
        ("IE WA", "WA", 0.0, 0.0),  # evidence counts whatever else failed
        ("JE OLE", "OLE", 0.0, 0.0),
        ("AC IE", "IE", None, None),
        ("IE JE", "IE", None, None),
        ("JE IE", "IE", None, None),
        ("AC SK", "IE", None, None),  # a lost case is never AC
        ("SK", "IE", None, None),
        ("AC JE", "JE", None, None),
        ("MLE RTE", "MLE", 0.0, 0.0),
        ("CE", "CE", 0.0, 0.0),
    ],
)
def test_verdict_reward_and_score(verdicts: str, verdict: str, reward: float | None, score: float | None) -> None:
    judgement = judged(verdicts)
    assert (judgement.verdict, judgement.reward) == (verdict, reward)
    assert judgement.score == (None if score is None else pytest.approx(score))


@pytest.mark.parametrize(
    ("verdicts", "score"), [("AC AC", 1.0), ("AC WA", 0.0), ("WA AC AC", 0.0), ("AC IE", None), ("AC JE", None)]
)
def test_score_is_the_reward_under_stop_on_failure(verdicts: str, score: float | None) -> None:
    judgement = judged(verdicts, stop=True)
    assert judgement.score == judgement.reward == score


@pytest.mark.parametrize(
    ("weights", "verdicts", "score"),
    [((1, 3), "AC WA", 0.25), ((0, 1), "AC WA", 0.0), ((0, 1), "WA AC", 1.0), ((0, 0), "AC WA", 0.0)],
)
def test_score_is_weighted(weights: tuple[float, ...], verdicts: str, score: float) -> None:
    cases = [CaseResult(name="", verdict=Verdict(name)) for name in verdicts.split()]
    assert judgement_of(cases, problem_of(*weights), False, AROUND).score == score


def test_counts() -> None:
    judgement = judged("AC WA SK AC IE SK")
    assert (judgement.passed, judgement.ran, judgement.total) == (2, 4, 6)


@pytest.mark.parametrize(
    ("rows", "hardened"),
    [
        ([("AC", True), ("AC", True)], True),
        ([("AC", True), ("AC", False)], False),
        ([("WA", True), ("SK", False)], True),  # what did not run shared nothing
    ],
)
def test_hardened_only_if_every_case_that_ran_was(rows: list[tuple[str, bool]], hardened: bool) -> None:
    cases = [CaseResult(name="", verdict=Verdict(name), hardened=apart) for name, apart in rows]
    assert judgement_of(cases, problem_of(1, 1), False, AROUND).hardened is hardened


def test_usage_adds_time_and_takes_the_largest_memory() -> None:
    usages = [
        Usage(cpu_seconds=1, wall_seconds=2, memory_bytes=7),
        Usage(cpu_seconds=2, wall_seconds=3, memory_bytes=5),
    ]
    cases = [CaseResult(name="", verdict=Verdict.AC, usage=usage) for usage in usages]
    usage = judgement_of(cases, problem_of(1, 1), False, AROUND).usage
    assert usage == Usage(cpu_seconds=3, wall_seconds=5, memory_bytes=7)


def test_no_cases_is_never_accepted() -> None:
    with pytest.raises(ValueError, match="at least one case"):
        judgement_of([], problem_of(), False, AROUND)


def test_refused_ran_nothing() -> None:
    judgement = refused(Verdict.CE, "no_code", problem_of(1, 1), AROUND)
    assert (judgement.verdict, judgement.reason, judgement.reward, judgement.score) == ("CE", "no_code", 0.0, 0.0)
    assert (judgement.passed, judgement.ran, judgement.total) == (0, 0, 2)
    assert {case.verdict for case in judgement.cases} == {Verdict.SK}


@pytest.mark.parametrize("verdict", [Verdict.AC, Verdict.JE, Verdict.IE, Verdict.SK])
def test_interrupted_says_nothing_of_a_program_that_did_not_fail(verdict: Verdict) -> None:
    cases = [CaseResult(name="0", verdict=verdict), *unrun(problem_of(1))]
    judgement = interrupted(cases, "deadline", problem_of(1, 1), False, AROUND)
    assert (judgement.verdict, judgement.reason, judgement.reward, judgement.score) == ("IE", "deadline", None, None)
    assert judgement.cases == cases


@pytest.mark.parametrize(
    ("verdicts", "stop", "verdict", "score", "left"),
    [
        ("WA SK SK SK", False, "WA", 0.0, 3),
        ("AC TLE SK SK", False, "TLE", 0.25, 2),
        ("AC TLE SK SK", True, "TLE", 0.0, 2),
        ("JE SK OLE WA", False, "OLE", 0.0, 1),  # later ones ran beside an earlier one
        ("AC AC AC AC", False, "AC", 1.0, None),  # nothing was left to run
        ("AC WA AC AC", False, "WA", 0.75, None),
        ("AC JE AC AC", False, "JE", None, None),
    ],
)
def test_interrupted_keeps_what_was_found(
    verdicts: str, stop: bool, verdict: str, score: float | None, left: int | None
) -> None:
    cases = [CaseResult(name="", verdict=Verdict(name)) for name in verdicts.split()]
    judgement = interrupted(cases, "deadline", problem_of(1, 1, 1, 1), stop, AROUND)
    reason = None if left is None else f"deadline: {left} of 4 cases were not run"
    assert (judgement.verdict, judgement.score, judgement.reason) == (verdict, score, reason)


@pytest.mark.parametrize(
    ("rules", "earned", "score"),
    [
        ({}, "1 1 1 1", 1.0),
        ({}, "1 0 1 0.5", 0.75),
        ({"a": GroupRule.SUM, "b": GroupRule.SUM}, "1 0 1 0.5", 0.75),
        ({"a": GroupRule.MIN}, "1 0 1 0.5", 0.65),
        ({"b": GroupRule.MIN}, "1 0 1 0.5", 0.6),
        ({"a": GroupRule.MIN, "b": GroupRule.MIN}, "0.5 1 1 1", 0.9),
    ],
)
def test_groups_and_points(rules: dict[str, GroupRule], earned: str, score: float) -> None:
    weights, groups = (1.0, 1.0, 3.0, 3.0), ("a", "a", "b", "b")
    tests = [
        StdioCase(name=str(n), input=b"", answer=b"", weight=weight, group=group)
        for n, (weight, group) in enumerate(zip(weights, groups, strict=True))
    ]
    tests += [StdioCase(name="alone", input=b"", answer=b"", weight=2.0)]
    shares = [*map(float, earned.split()), 1.0]
    cases = [
        CaseResult(name="", verdict=Verdict.AC if share == 1 else Verdict.WA, check=points(share)) for share in shares
    ]
    judgement = judgement_of(cases, Problem(tests=tests, groups=rules), False, AROUND)
    assert judgement.score == pytest.approx(score)


def points(share: float) -> CheckResult | None:
    """The word of a checker that gives points where there is neither all nor nothing."""
    if share in {0.0, 1.0}:
        return None
    return CheckResult(verdict=Verdict.WA, name="program:testlib", stage="judge", points=share)


def test_a_broken_judge_earns_nothing_where_other_cases_are_evidence() -> None:
    broken = CheckResult(verdict=Verdict.JE, name="program:testlib", stage="judge", points=1.0)
    cases = [CaseResult(name="0", verdict=Verdict.JE, check=broken), CaseResult(name="1", verdict=Verdict.WA)]
    judgement = judgement_of(cases, problem_of(1.0, 1.0), False, AROUND)
    assert (judgement.verdict, judgement.score) == (Verdict.WA, 0.0)
