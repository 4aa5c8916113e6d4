"""``MockJudge``: a judge in memory, for testing what stands in front of one. Runs no program at all."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from scalebox.core.errors import LanguageUnavailable, ScaleBoxError
from scalebox.core.limits import Usage
from scalebox.core.problem import Problem, TestCase
from scalebox.core.result import (
    CaseResult,
    CheckResult,
    ExtractionResult,
    Health,
    Isolation,
    Judgement,
    LanguageStatus,
    RunReport,
    RunResult,
)
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.core.verdict import AGAINST, Verdict, overall, reward

ISOLATION = Isolation(level="none", walls=())
USAGE = Usage(cpu_seconds=0.01, wall_seconds=0.02, memory_bytes=1 << 20)


def accept_all(_source: str, _case: TestCase) -> Verdict:
    """Every case is AC."""
    return Verdict.AC


@dataclass(slots=True, kw_only=True)
class MockJudge:
    """A ``Judge`` whose verdicts a function gives."""

    verdict_of: Callable[[str, TestCase], Verdict] = accept_all
    """Source (or completion) and case to the case's verdict."""
    languages_known: Sequence[str] = ("python", "cpp", "javascript")
    errors: list[ScaleBoxError] = field(default_factory=list)
    """Raised by the next calls, first to last."""
    gate: asyncio.Event | None = None
    """Where given, calls wait for it."""
    ready: bool = True
    output: bytes = b"out\n"
    report: RunReport | None = None
    """Where given, what every run reports."""
    answer_excerpt: str | None = None
    calls: list[tuple[Submission | Completion, Problem, JudgeOptions]] = field(default_factory=list)
    runs: list[tuple[Submission | Completion, RunSpec]] = field(default_factory=list)
    started: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    """Released by every call that waits at the gate."""
    running: int = 0
    cancelled: int = 0

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        """Give every case the verdict that ``verdict_of`` says."""
        self.calls.append((submission, problem, options))
        source = self._admit(submission)
        await self._wait()
        cases: list[CaseResult] = []
        failed = False
        for test in problem.tests:
            skipped = failed and options.stop_on_failure
            verdict = Verdict.SK if skipped else self.verdict_of(source, test)
            failed = failed or verdict in AGAINST
            cases.append(self._case(test, verdict, keep_output=options.keep_output))
        return self._judgement(submission, cases, options)

    def _case(self, test: TestCase, verdict: Verdict, *, keep_output: bool) -> CaseResult:
        check = None
        if verdict in {Verdict.AC, Verdict.WA}:
            check = CheckResult(verdict=verdict, name="mock", answer_excerpt=self.answer_excerpt)
        return CaseResult(
            name=test.name,
            verdict=verdict,
            exit_code=1 if verdict is Verdict.RTE else 0,
            usage=USAGE,
            check=check,
            stdout=self.output if keep_output else None,
            stderr=b"" if keep_output else None,
        )

    def _judgement(
        self, submission: Submission | Completion, cases: Sequence[CaseResult], options: JudgeOptions
    ) -> Judgement:
        verdict = overall([case.verdict for case in cases])
        passed = sum(case.verdict is Verdict.AC for case in cases)
        extraction = None
        if isinstance(submission, Completion):
            extraction = ExtractionResult(language="python", rule="last-fenced", source=submission.text)
        return Judgement(
            id=options.id or uuid.uuid4().hex,
            verdict=verdict,
            reason=None,
            reward=reward(verdict),
            score=None if reward(verdict) is None else passed / len(cases),
            passed=passed,
            ran=sum(case.verdict is not Verdict.SK for case in cases),
            total=len(cases),
            hardened=True,
            cases=cases,
            extraction=extraction,
            compile=None,
            usage=USAGE,
            queue_seconds=0.0,
            isolation=ISOLATION,
            versions={"scalebox": "mock"},
            node="mock",
        )

    async def run(self, submission: Submission | Completion, spec: RunSpec) -> RunReport:
        """Echo standard input, and the fetched files from the files given."""
        self.runs.append((submission, spec))
        self._admit(submission)
        await self._wait()
        if self.report is not None:
            return self.report
        files = {path: spec.files[path] for path in spec.fetch_files if path in spec.files}
        run = RunResult(
            exit_code=0, signal=None, exceeded=None, usage=USAGE, stdout=spec.stdin, stderr=b"", files=files
        )
        return RunReport(run=run, compile=None, extraction=None, isolation=ISOLATION)

    def _admit(self, submission: Submission | Completion) -> str:
        if self.errors:
            raise self.errors.pop(0)
        language = submission.language
        if isinstance(submission, Submission) and language not in self.languages_known:
            message = f"the language {language!r} is unknown"
            hint = f"one of {', '.join(self.languages_known)}"
            raise LanguageUnavailable(message, field="language", hint=hint, code="language_unavailable")
        return submission.text if isinstance(submission, Completion) else submission.source

    async def _wait(self) -> None:
        if self.gate is None:
            return
        self.running += 1
        self.started.release()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1

    async def languages(self, only: Collection[str] = ()) -> Sequence[LanguageStatus]:
        """The languages known, all available."""
        return [
            LanguageStatus(
                id=name,
                name=name.title(),
                aliases=(),
                available=True,
                version="1",
                reason=None,
                compiled=False,
                world={},
            )
            for name in self.languages_known
        ]

    async def health(self) -> Health:
        """Idle."""
        return Health(
            ready=self.ready,
            isolation=ISOLATION,
            missing_walls={"seccomp": "nothing runs here"},
            slots=1,
            busy=self.running,
            queued=0,
            languages=dict.fromkeys(self.languages_known, True),
            version="mock",
            node="mock",
        )
