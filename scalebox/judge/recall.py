"""What one judgement takes from others: the order of cases, learned time limits, remembered verdicts. Never changes AC or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from scalebox.core.result import CaseResult
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import AGAINST, Verdict
from scalebox.judge.history import Histories, TimeLimitRule
from scalebox.judge.identity import ProblemKeys
from scalebox.judge.verdict_cache import VerdictCache
from scalebox.runner.cache import content_key

_GUESSED_SECONDS: Final = 0.01
"""Of a case of a problem that was never judged: what a short Python program takes with its box."""
_AT_LIMIT: Final = 0.9
"""Of the CPU limit: a case that ended by its wall limit may have used less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """What the operator allows."""

    share: bool = True
    """Run identical submissions that are judged at one time once."""
    learn_order: bool = True
    verdict_bytes: int = 0
    """Of remembered judgements; 0 remembers none."""
    time_limits: TimeLimitRule = field(default_factory=TimeLimitRule)


class Recall:
    """The memory of one judge; used from its event loop only.

    Args:
        settings: what of it is used.
    """

    def __init__(self, settings: RecallSettings) -> None:
        self.settings = settings
        self.keys = ProblemKeys()
        self.histories = Histories()
        self.verdicts = VerdictCache(settings.verdict_bytes)

    def judgement_key(
        self, problem: bytes | None, language: str, source: str, options: JudgeOptions, place: Sequence[str]
    ) -> str | None:
        """A key for all that a judgement depends on; None where the problem has none, or nothing is shared or remembered.

        Args:
            problem: its key.
            language: its id.
            source: of the submission.
            options: all that change the judgement, or who pays for it: not id, deadline and freshness.
            place: version of the judge, and the level of isolation.
        """
        if problem is None or not (self.settings.share or self.settings.verdict_bytes):
            return None
        told = replace(options, id=None, deadline_seconds=0.0, fresh=False)
        return content_key([problem, language, source, repr(told), *place])

    def order(self, problem: bytes, cases: int) -> Sequence[int]:
        """The numbers of a problem's cases in the order to start them."""
        return self.histories.of(problem, cases).order() if self.settings.learn_order else range(cases)

    def expected_seconds(self, problem: bytes | None, cases: int) -> float:
        """Slot time that a submission is thought to use: the number of cases at what one took so far, or at a guess."""
        known = None if problem is None else self.histories.of(problem, cases).usual_seconds
        return cases * (_GUESSED_SECONDS if known is None else known)

    def learn(
        self,
        problem: bytes,
        language: str,
        program: bytes,
        cases: Sequence[CaseResult],
        seconds: Mapping[int, float],
    ) -> None:
        """Take account of a submission whose run came to its end.

        Args:
            problem: its key.
            language: its id.
            program: the source.
            cases: what came of it, in case order.
            seconds: by case that ran, how long it held a slot.
        """
        history = self.histories.of(problem, len(cases))
        history.note(seconds, [case for case in seconds if cases[case].verdict in AGAINST])
        if all(case.verdict is Verdict.AC for case in cases):
            slowest = max(case.usage.cpu_seconds for case in cases)
            history.note_accepted(language, sha256(program).digest(), slowest, self.settings.time_limits)


def mark_learned(case: CaseResult, learned_seconds: float, given_seconds: float) -> CaseResult:
    """The case; a TLE by CPU time says that the limit was a learned one."""
    if case.verdict is not Verdict.TLE or case.usage.cpu_seconds < _AT_LIMIT * learned_seconds:
        return case
    words = f"the limit of {learned_seconds:g} s was learned, {given_seconds:g} s were given"
    return replace(case, reason=f"{case.reason}; {words}")
