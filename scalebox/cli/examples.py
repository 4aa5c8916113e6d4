"""Example programs with the verdict due: read from folders and handed to a judge. Never decides a verdict itself.

A folder holds ``case.toml`` and one source named ``main`` with any suffix. ``case.toml`` has ``why`` (one line),
``language``, ``verdict`` (the one due), perhaps ``title`` and ``levels``, and ``problem`` in the shape that
``POST /v1/judge`` takes.
"""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict
from rich.console import Console

from scalebox.core.errors import RequestError, ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem
from scalebox.core.result import CaseResult, Judgement, LanguageStatus
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.wire.convert_v1 import judge_call
from scalebox.wire.parse import validate
from scalebox.wire.v1 import JudgeV1, ProblemV1

CASE_FILE: Final = "case.toml"
PAGE_COLUMNS: Final = 130


class ExampleError(ScaleBoxError):
    """A folder of examples cannot be read; the message names the file and the fault."""


class CaseFile(BaseModel):
    """The shape of ``case.toml``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    why: str
    language: str
    verdict: Verdict
    title: str = ""
    levels: tuple[Literal["strict", "standard", "none"], ...] = ("strict", "standard", "none")
    """The isolation levels at which the verdict is due: nothing stops an attack at ``none``."""
    problem: ProblemV1


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A program, the problem it is meant to solve, and the verdict due."""

    name: str
    """Path of its folder below the root, as ``python/endless-loop``."""
    title: str
    why: str
    due: Verdict
    levels: Sequence[str]
    submission: Submission
    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the judge made of an example."""

    example: Example
    got: Verdict | None
    """None when there was no judgement."""
    reason: str
    cpu_seconds: float = 0.0

    @property
    def as_due(self) -> bool:
        """True when the verdict is the one due."""
        return self.got is self.example.due


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The examples that can be judged here, and why the others cannot: by name."""

    judged: Sequence[Example]
    skipped: Mapping[str, str]

    def told(self) -> list[str]:
        """One line for each reason to leave examples out."""
        counts = Counter(self.skipped.values())
        return [f"Left out {count}: {reason}" for reason, count in sorted(counts.items())]


def load_examples(root: Path) -> list[Example]:
    """Every example below a folder, by name.

    Raises:
        ExampleError: there are none, or one is malformed.
    """
    examples = [_load(path.parent, path.parent.relative_to(root).as_posix()) for path in sorted(root.rglob(CASE_FILE))]
    if not examples:
        msg = f"{root}: there is no {CASE_FILE} below this folder"
        raise ExampleError(msg)
    return examples


def _load(folder: Path, name: str) -> Example:
    path = folder / CASE_FILE
    try:
        case = validate(CaseFile, tomllib.loads(path.read_text(encoding="utf-8")))
        call = judge_call(JudgeV1(source=_source(folder), language=case.language, problem=case.problem))
    except RequestError as error:
        msg = f"{path}: {error.field}: {error.message}"
        raise ExampleError(msg) from None
    except (OSError, ValueError) as error:  # ValueError: no TOML, or not UTF-8
        msg = f"{path}: {error}"
        raise ExampleError(msg) from None
    if not isinstance(call.submission, Submission):
        msg = f"{folder}: an example has source, not a completion"
        raise ExampleError(msg)
    return Example(
        name=name,
        title=case.title,
        why=case.why,
        due=case.verdict,
        levels=case.levels,
        submission=call.submission,
        problem=call.problem,
    )


def _source(folder: Path) -> str:
    sources = sorted(folder.glob("main.*"))
    if len(sources) != 1:
        msg = f"{folder}: wants exactly one source named main.*, found {len(sources)}"
        raise ExampleError(msg)
    return sources[0].read_text(encoding="utf-8")


def used(examples: Sequence[Example]) -> set[str]:
    """The languages of the examples."""
    return {example.submission.language for example in examples if example.submission.language is not None}


def select(examples: Sequence[Example], languages: Sequence[LanguageStatus], isolation_level: str) -> Selection:
    """Set apart what this machine cannot judge: a missing toolchain, an isolation level too low."""
    missing = {status.id: status.reason or "its toolchain is missing" for status in languages if not status.available}
    skipped: dict[str, str] = {}
    for example in examples:
        language = example.submission.language
        if language in missing:
            skipped[example.name] = f"{language}: {missing[language]}"
        elif isolation_level not in example.levels:
            skipped[example.name] = f"no verdict is promised at isolation level {isolation_level}"
    return Selection(judged=[example for example in examples if example.name not in skipped], skipped=skipped)


async def judge_examples(judge: Judge, examples: Sequence[Example]) -> list[Outcome]:
    """Judge every example, as many at once as the judge has slots; the outcomes are in the order of the examples."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_judge_one(judge, example)) for example in examples]
    return [task.result() for task in tasks]


async def _judge_one(judge: Judge, example: Example) -> Outcome:
    try:
        judgement = await judge.judge(example.submission, example.problem, JudgeOptions())
    except ScaleBoxError as error:
        return Outcome(example=example, got=None, reason=f"{type(error).__name__}: {error}")
    return Outcome(
        example=example,
        got=judgement.verdict,
        reason=reason_of(judgement),
        cpu_seconds=judgement.usage.cpu_seconds,
    )


def reason_of(judgement: Judgement) -> str:
    """Why a judgement is what it is, in one line: that of the case that decided, or of the compiler."""
    if judgement.verdict is Verdict.AC:
        return ""
    if judgement.verdict is Verdict.CE and judgement.compile is not None:
        return _telling_line(judgement.compile.message)
    for case in judgement.cases:
        if case.verdict is judgement.verdict:
            return judgement.reason or _case_reason(case)
    return judgement.reason or ""


def _case_reason(case: CaseResult) -> str:
    if case.reason:
        return case.reason
    if case.check is not None and case.check.detail:
        return case.check.detail
    if case.signal is not None:
        return f"signal {case.signal}"
    return "" if case.exit_code is None else f"exit code {case.exit_code}"


def _telling_line(message: str) -> str:
    """The line of a compiler's message that names the error, else the first."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return next(iter(errors or lines), "")


def page() -> Console:
    """Standard output; wide enough for a table where there is no terminal to measure."""
    return Console() if sys.stdout.isatty() else Console(width=PAGE_COLUMNS)
