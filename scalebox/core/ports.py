"""The ports: what a part of ScaleBox needs of another, told as protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from scalebox.core.problem import Problem
from scalebox.core.result import Health, Judgement, LanguageStatus, RunReport
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission


class Judge(Protocol):
    """Decides a submission. Local, cluster, HTTP and fake judges implement it alike.

    Cancelling the task that awaits a method frees what the judgement held.
    """

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        """Judge one submission.

        Raises:
            RequestError: the request cannot be judged (no cases, a bad path, …).
            LanguageUnavailable: the language is unknown or its toolchain is missing.
            QueueFull: too many submissions wait.

        A deadline that passes is a judgement: verdict IE, reason ``deadline``.
        """
        ...

    async def run(self, submission: Submission | Completion, spec: RunSpec) -> RunReport:
        """Run a program once, without an opinion on right or wrong.

        Raises:
            RequestError, LanguageUnavailable, QueueFull: as for ``judge``.
            DeadlineExceeded: the deadline passed first.
        """
        ...

    async def languages(self, only: Collection[str] = ()) -> Sequence[LanguageStatus]:
        """Every language defined, available or not, by id.

        Args:
            only: names of those whose self-test is to be waited for, all where none is given; of the others it is told what
                is known without, and they may be left out.
        """
        ...

    async def health(self) -> Health:
        """What the judge can do right now."""
        ...
