"""How far a judgement has come, and the judgement that follows from it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from scalebox.core.problem import Problem
from scalebox.core.result import CaseResult, CompileResult, Judgement, Origin
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import Verdict, overall
from scalebox.judge.aggregate import Circumstances, interrupted, judgement_of, refused
from scalebox.languages.definition import Language
from scalebox.runner.program import Program

_HEADLINE: Final = 200


@dataclass(slots=True)
class Progress:
    """How far one judgement has come."""

    cases: list[CaseResult]
    queue_seconds: float = 0.0
    compiled: CompileResult | None = None
    programs: dict[tuple[object, ...], Program] = field(default_factory=dict)
    learned_cpu_seconds: float | None = None
    origin: Origin = Origin.RUN
    broken_off: str | None = None
    """Why it ended before its end; what it has found by then stays found."""

    def is_ours(self) -> bool:
        """Whether what it came to is a failure of ours, which is nothing to share."""
        if self.broken_off is not None:
            return True
        if self.compiled is not None and self.compiled.verdict is not None:
            return self.compiled.verdict is Verdict.IE
        return overall([case.verdict for case in self.cases]) is Verdict.IE


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A submission with its language known, and all that its judgement depends on."""

    language: Language
    source: str
    problem: Problem
    options: JudgeOptions
    problem_key: bytes | None
    key: str | None
    """Of the judgement: what has the same is judged alike. None where that cannot be told, or nobody wants to know."""


def concluded(progress: Progress, problem: Problem, options: JudgeOptions, around: Circumstances) -> Judgement:
    """What follows from how far it came."""
    compiled = progress.compiled
    if compiled is not None and compiled.verdict is not None:
        return refused(compiled.verdict, _headline(compiled.message), problem, around)
    if progress.broken_off is not None:
        return interrupted(progress.cases, progress.broken_off, problem, options.stop_on_failure, around)
    return judgement_of(progress.cases, problem, options.stop_on_failure, around)


def _headline(diagnostics: str) -> str:
    """The line of a compiler's diagnostics that says most: the first error, else the last line."""
    lines = [line.strip() for line in diagnostics.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return next(iter(errors or lines[-1:]), "")[:_HEADLINE]
