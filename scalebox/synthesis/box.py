"""Ask a draft about outputs, and run submissions for theirs, in the box, by way of any ``Judge``. Has no opinion on what comes of it.

A judge is asked as it is in use: a submission prints the output in question, which lies beside it as a file, and the draft is the
checker. So isolation, limits and protocols are those of every judgement.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.errors import QueueFull, RequestError, SandboxError
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import AskWhen, CheckerSpec, Problem, StdioCase
from scalebox.core.result import CaseResult, Judgement
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.synthesis.domain import Draft, KnownOutput

_GIVEN: Final = "given_output"
_PRINTS: Final = Submission(
    source=f'import sys\nwith open("{_GIVEN}", "rb") as file:\n    sys.stdout.buffer.write(file.read())\n',
    language="python",
)
_BATCHES: Final = (4, 8, 16, 32)
"""Outputs in one judgement: few at first, so that a judge which breaks on everything is soon done with; the last holds on."""
_MOST_BROKEN: Final = 6
"""Outputs over which a judge may break before it is asked no more."""
_DEADLINE_SECONDS: Final = 3600.0
_OPTIONS: Final = JudgeOptions(keep_output=True, fresh=True, registered_judge=False, deadline_seconds=_DEADLINE_SECONDS)
JUDGE_LIMITS: Final = Limits(cpu_seconds=3.0)
"""A third of what a judge may spend in use, so that a busy day does not break it."""
_QUEUE_TRIES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An output to be judged."""

    input: bytes
    answer: bytes
    output: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What a draft said to it."""

    verdict: Verdict
    """AC, WA, or JE for one that broke, in whatever way."""
    why: str = ""
    said: str = ""


async def ask_draft(
    judge: Judge, draft: Draft, questions: Sequence[Question], limits: Limits = JUDGE_LIMITS
) -> list[Word]:
    """A draft's word on each output, in order; on fewer where it breaks again and again.

    Raises:
        SandboxError: an output could not be judged, through our fault.
    """
    checker = draft.checker(AskWhen.ALWAYS, limits)
    words: list[Word] = []
    for size in itertools.chain(_BATCHES, itertools.repeat(_BATCHES[-1])):
        asked = questions[len(words) : len(words) + size]
        if not asked or sum(word.verdict is Verdict.JE for word in words) >= _MOST_BROKEN:
            return words
        tests = [
            StdioCase(name=str(number), input=ask.input, answer=ask.answer, files={_GIVEN: ask.output})
            for number, ask in enumerate(asked)
        ]
        judgement = await patiently(judge, _PRINTS, Problem(tests=tests, checker=checker))
        words += [_word(case) for case in judgement.cases]
    raise AssertionError("sizes do not end")


def _word(case: CaseResult) -> Word:
    check = case.check
    if check is None or case.verdict not in {Verdict.AC, Verdict.WA, Verdict.JE}:
        raise SandboxError(f"a draft was not asked: {case.verdict.value} {case.reason or ''}")
    why, said = check.detail or "", check.answer_excerpt or ""
    return Word(verdict=check.said, why=why, said=said)


async def patiently(judge: Judge, submission: Submission, problem: Problem) -> Judgement:
    """A judgement, waited for where the queue is full."""
    for _ in range(_QUEUE_TRIES):
        try:
            return await judge.judge(submission, problem, _OPTIONS)
        except QueueFull as full:
            await asyncio.sleep(full.retry_after_seconds)
    return await judge.judge(submission, problem, _OPTIONS)


async def outputs_of(
    judge: Judge, submission: Submission, tests: Sequence[StdioCase], limits: Limits, origin: str
) -> list[KnownOutput]:
    """What a submission prints on each case, where it ends normally; what is too long to be shown is left out.

    Returns an empty list where it cannot be run at all, for want of its language or because it does not compile.
    """
    plain = [replace(case, name=str(number), checker=None) for number, case in enumerate(tests)]
    problem = Problem(tests=plain, checker=CheckerSpec(name="tokens"), limits=limits)
    try:
        judgement = await patiently(judge, submission, problem)
    except RequestError:
        return []
    if judgement.compile is not None and judgement.compile.verdict is not None:
        return []
    return [
        KnownOutput(case=case.name, output=result.stdout, origin=origin)
        for case, result in zip(tests, judgement.cases, strict=True)
        if result.verdict in {Verdict.AC, Verdict.WA} and result.stdout is not None and not result.stdout_truncated
    ]
