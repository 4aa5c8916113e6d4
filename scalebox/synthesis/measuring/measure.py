"""Ask judges about outputs and submissions whose worth is known, and count. The asking is the service's own: what is measured is what is used.

An output is printed by a program that holds it, in a case of its own, and the problem's judge decides it. Over an output that
breaks a judge it is right neither way: that is a miss where the output is right and where it is wrong. What we failed to ask, and
submissions that end otherwise than by the judge's word, are counted apart and are no part of a rate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.limits import MIB, Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import CheckerSpec, Problem, ProgramChecker, StdioCase
from scalebox.core.result import CaseResult
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.synthesis.measuring.labels import Labelled, LabelledOutput, LabelledSubmission
from scalebox.synthesis.rates import Rate, Rates

DEADLINE_SECONDS: Final = 3600.0
_TOGETHER: Final = 100
"""Outputs of one problem that are asked about in one judgement."""
_PRINTED: Final = "printed"
PRINTS: Final = Submission(
    source=f'import sys\nwith open("{_PRINTED}", "rb") as file:\n    sys.stdout.buffer.write(file.read())\n',
    language="python",
)
"""A program whose output is what lies beside it."""
_EXCERPT: Final = 300
MOST_EXAMPLES: Final = 20
"""Mistakes of one judge that are shown."""

AnyChecker = CheckerSpec | ProgramChecker


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """What is measured: one comparison for all problems, or one for each of some."""

    name: str
    everywhere: AnyChecker | None = None
    by_problem: Mapping[str, AnyChecker] = field(default_factory=dict)
    """By the problem's id, or ``name:`` and its name: a judge may have been proved on some of the cases."""
    own: bool = False
    """The one that each row declares."""
    judge_ids: Mapping[str, str] = field(default_factory=dict)
    """Likewise: the judge in the registry."""

    def of(self, problem: Labelled) -> AnyChecker | None:
        """What compares the outputs of a problem; None where this has nothing to say."""
        if self.own:
            return problem.own
        found = self.by_problem.get(problem.id) or self.by_problem.get(f"name:{problem.name}")
        return found or self.everywhere

    def judge_id(self, name: str, problem_id: str) -> str | None:
        """The judge in the registry that is asked for a problem, where there is one."""
        return self.judge_ids.get(problem_id) or self.judge_ids.get(f"name:{name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A right output that was not accepted, or a wrong one that was not refused."""

    problem: str
    case: str
    right: bool
    said: Verdict
    words: str
    output: str
    """Its beginning; the submission's name, where that was judged."""
    input: str
    """The beginning of the case's input, and likewise of its answer; empty where no case decided."""
    answer: str


@dataclass(slots=True, kw_only=True)
class Counted:
    """What was counted of one contestant on one problem."""

    right: Rate = field(default_factory=lambda: Rate(hits=0, total=0))
    wrong: Rate = field(default_factory=lambda: Rate(hits=0, total=0))
    broken: int = 0
    undecided: int = 0
    """Asked, and not decided by the judge: our own failures, and submissions that end otherwise."""

    def rates(self, measured_on: str) -> Rates:
        """As the registry keeps them."""
        return Rates(right=self.right, wrong=self.wrong, broken=self.broken, measured_on=measured_on)

    def note(self, *, right: bool, said: Verdict) -> bool:
        """Count one word of a judge; whether it was a mistake."""
        if said not in {Verdict.AC, Verdict.WA, Verdict.JE}:
            self.undecided += 1
            return False
        hit = said is (Verdict.AC if right else Verdict.WA)
        one = Rate(hits=int(hit), total=1)
        if right:
            self.right += one
        else:
            self.wrong += one
        self.broken += said is Verdict.JE
        return not hit

    def add(self, other: Counted) -> None:
        """Count another problem's with this one's."""
        self.right += other.right
        self.wrong += other.wrong
        self.broken += other.broken
        self.undecided += other.undecided


@dataclass(slots=True, kw_only=True)
class Measured:
    """What was counted of one contestant."""

    contestant: Contestant
    problems: dict[str, Counted] = field(default_factory=dict)
    """By the problem's name."""
    ids: dict[str, str] = field(default_factory=dict)
    """Name -> id."""
    mistakes: list[Mistake] = field(default_factory=list)
    without: int = 0
    """Problems it has nothing to say about."""

    @property
    def whole(self) -> Counted:
        """All problems together."""
        total = Counted()
        for counted in self.problems.values():
            total.add(counted)
        return total

    @property
    def mean(self) -> tuple[float | None, float | None]:
        """The means of the problems' own rates, so that one of many outputs does not outweigh the others."""
        return (
            _mean([counted.right.share for counted in self.problems.values()]),
            _mean([counted.wrong.share for counted in self.problems.values()]),
        )


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


async def measure(
    judge: Judge,
    contestants: Sequence[Contestant],
    problems: Sequence[Labelled],
    jobs: int,
    told: Callable[[], None] = lambda: None,
) -> list[Measured]:
    """Measure contestants on the same outputs.

    Args:
        judge: any judge.
        contestants: what to measure.
        problems: with their outputs and submissions.
        jobs: problems in flight.
        told: is called whenever one contestant is through with one problem.
    """
    room = asyncio.Semaphore(jobs)
    measured = [Measured(contestant=contestant) for contestant in contestants]

    async def one(into: Measured, problem: Labelled) -> None:
        checker = into.contestant.of(problem)
        async with room:
            if checker is None:
                into.without += 1
            else:
                counted, mistakes = await _measured(judge, checker, problem)
                into.problems[problem.name] = counted
                into.ids[problem.name] = problem.id
                into.mistakes.extend(mistakes)
        told()

    async with asyncio.TaskGroup() as group:
        for problem in problems:
            for into in measured:
                group.create_task(one(into, problem))
    for into in measured:  # tasks end in any order
        into.problems = dict(sorted(into.problems.items()))
        into.mistakes.sort(key=lambda mistake: (mistake.problem, mistake.case))
    return measured


async def _measured(judge: Judge, checker: AnyChecker, problem: Labelled) -> tuple[Counted, list[Mistake]]:
    counted, mistakes = Counted(), list[Mistake]()
    for start in range(0, len(problem.outputs), _TOGETHER):
        part = problem.outputs[start : start + _TOGETHER]
        for one, case in zip(part, await _asked(judge, checker, problem, part), strict=True):
            if counted.note(right=one.right, said=_said(case)):
                mistakes.append(_of_output(problem, one, case))
    for entry in problem.submissions:
        said, where, words = await _judged(judge, checker, problem, entry)
        if counted.note(right=entry.right, said=said):
            mistakes.append(_of_submission(problem, entry, said, where, words))
    return counted, mistakes


async def _asked(
    judge: Judge, checker: AnyChecker, problem: Labelled, part: Sequence[LabelledOutput]
) -> Sequence[CaseResult]:
    """What a judge says of some outputs, each printed by a program that holds it."""
    cases = [
        StdioCase(
            name=f"{number} {one.case.name}",
            input=one.case.input,
            answer=one.case.answer,
            files={_PRINTED: one.output},
        )
        for number, one in enumerate(part)
    ]
    largest = max(len(one.output) for one in part)
    limits = replace(problem.limits, cpu_seconds=10.0, wall_seconds=None)
    if largest > 8 * MIB:
        limits = replace(limits, output_bytes=2 * largest, disk_bytes=2 * largest + limits.disk_bytes)
    options = JudgeOptions(registered_judge=False, deadline_seconds=DEADLINE_SECONDS)
    judged = await judge.judge(PRINTS, Problem(tests=cases, checker=checker, limits=limits), options)
    return judged.cases


def _said(case: CaseResult) -> Verdict:
    """What the judge said to a case: JE where it broke, though the output is refused for that."""
    return case.verdict if case.check is None or not case.check.broke else Verdict.JE


def _of_output(problem: Labelled, one: LabelledOutput, case: CaseResult) -> Mistake:
    return Mistake(
        problem=problem.name,
        case=one.case.name,
        right=one.right,
        said=_said(case),
        words=case.reason or "",
        output=_beginning(one.output),
        input=_beginning(one.case.input),
        answer=_beginning(one.case.answer),
    )


def _of_submission(problem: Labelled, entry: LabelledSubmission, said: Verdict, where: str, words: str) -> Mistake:
    case = next((case for case in problem.tests if case.name == where), None)
    return Mistake(
        problem=problem.name,
        case=where,
        right=entry.right,
        said=said,
        words=words,
        output=entry.name,
        input="" if case is None else _beginning(case.input),
        answer="" if case is None else _beginning(case.answer),
    )


def _beginning(data: bytes) -> str:
    """Of bytes, as text; says how much is missing."""
    text = data[:_EXCERPT].decode("utf-8", "replace")
    return text if len(data) <= _EXCERPT else f"{text}… ({len(data)} bytes)"


async def _judged(
    judge: Judge, checker: AnyChecker, problem: Labelled, entry: LabelledSubmission
) -> tuple[Verdict, str, str]:
    """The verdict of a submission under a judge, the case that decided it and why. A language that is not here decides nothing."""
    whole = Problem(tests=problem.tests, checker=checker, limits=problem.limits)
    options = JudgeOptions(stop_on_failure=True, registered_judge=False, deadline_seconds=DEADLINE_SECONDS)
    try:
        judged = await judge.judge(entry.submission, whole, options)
    except RequestError as error:
        if not (error.field or "").startswith("language"):
            raise
        return Verdict.SK, "", error.message
    case = next((case for case in judged.cases if case.verdict is judged.verdict), None)
    if case is None:
        return judged.verdict, "", judged.reason or ""
    return _said(case), case.name, case.reason or ""


def needed_limits(seconds: float) -> Limits:
    """Limits for submissions whose problem states none."""
    return Limits(cpu_seconds=seconds, wall_seconds=3 * seconds + 30, judge_seconds=30.0)
