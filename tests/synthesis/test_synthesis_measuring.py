"""What is counted of a judge: a judge that broke is right neither way, whatever the broken word came to."""

from __future__ import annotations

from dataclasses import replace

from synthesis.small_problems import RIGHT, SUM

from scalebox.client.mock import MockJudge
from scalebox.core.problem import Problem
from scalebox.core.result import CheckResult, Judgement
from scalebox.core.submission import Completion, JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.synthesis.measuring.labels import Labelled, LabelledOutput, LabelledSubmission
from scalebox.synthesis.measuring.measure import Contestant, measure
from scalebox.synthesis.rates import Rate

SUBMISSION = Submission(source="print(1)", language="python")


class BreakingJudge(MockJudge):
    """Every output is refused because the problem's program broke over it."""

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        """As the parent does, with that word in each case."""
        judgement = await super().judge(submission, problem, options)
        check = CheckResult(verdict=Verdict.WA, name="program:function", stage="judge", broke=True)
        cases = [replace(case, verdict=Verdict.WA, check=check) for case in judgement.cases]
        return replace(judgement, verdict=Verdict.WA, cases=cases)


async def test_a_judge_that_breaks_over_wrong_outputs_does_not_refuse_them() -> None:
    case = SUM.tests[0]
    problem = Labelled(name="p", tests=SUM.tests)
    problem.outputs = [LabelledOutput(case=case, output=b"x", right=right) for right in (True, False)]
    problem.submissions = [LabelledSubmission(name="s", submission=SUBMISSION, right=False)]
    contestant = Contestant(name="c", everywhere=RIGHT[SUM.name].checker())
    [measured] = await measure(BreakingJudge(), [contestant], [problem], 1)
    assert (measured.whole.right, measured.whole.wrong) == (Rate(hits=0, total=1), Rate(hits=0, total=2))
    assert measured.whole.broken == 3
    assert {mistake.said for mistake in measured.mistakes} == {Verdict.JE}
