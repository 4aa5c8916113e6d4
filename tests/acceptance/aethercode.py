"""AetherCode's judges, which a model wrote: what each makes of outputs that equal the answer. Says what is broken; mends nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from acceptance import shared
from scalebox.core.ports import Judge
from scalebox.core.problem import AskWhen, CheckerProtocol, Problem, ProgramChecker, ProgramText, StdioCase
from scalebox.core.result import CaseResult
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict

FILE: Final = "data/benchmarks/aethercode_checkers.jsonl.gz"
ECHO: Final = Submission(source="import sys; sys.stdout.write(sys.stdin.read())", language="python")
"""A program whose output equals its input: the answer of each pair."""
PAIRS: Final = {"one": b"1\n", "two lines": b"1\n1\n", "empty": b""}
"""Input, answer and output at once. They are pairs of no problem, so that a judge which reads its input may well refuse one."""
DEADLINE_SECONDS: Final = 600.0

NO_COMPILE: Final = "does not compile"
CRASH: Final = "crashes"
TIME: Final = "takes too long"
ODD: Final = "ends with another exit code"
REFUSES: Final = "refuses"
ACCEPTS: Final = "accepts"
_WORDS: Final = (
    (re.compile(r"does not compile"), NO_COMPILE),
    (re.compile(r"killed by|memory limit"), CRASH),
    (re.compile(r"was stopped: .*time limit"), TIME),
    (re.compile(r"which is neither"), ODD),
)


class JudgeRow(TypedDict):
    """One judge; two rows have none."""

    id: int
    checker: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a judge made of each pair."""

    id: int
    verdicts: Sequence[Verdict]
    ends: Sequence[str]
    """By pair: one of the words above."""
    details: Sequence[str]


def rows() -> list[JudgeRow]:
    """The judges that have code."""
    return [row for row in shared.read(FILE, JudgeRow) if row["checker"]]


def problem(row: JudgeRow) -> Problem:
    """Every pair, with the judge, which is always asked."""
    text = ProgramText(language="cpp", files={"judge.cpp": row["checker"] or ""}, entry="judge.cpp")
    checker = ProgramChecker(protocol=CheckerProtocol.FILES, program=text, when=AskWhen.ALWAYS)
    tests = [StdioCase(name=name, input=pair, answer=pair) for name, pair in PAIRS.items()]
    return Problem(tests=tests, checker=checker)


async def tried(judge: Judge, row: JudgeRow) -> Tried:
    """Compile a judge once and ask it about every pair."""
    options = JudgeOptions(deadline_seconds=DEADLINE_SECONDS, keep_output=True)
    judgement = await judge.judge(ECHO, problem(row), options)
    return Tried(
        id=row["id"],
        verdicts=[case.verdict for case in judgement.cases],
        ends=[end_of(case) for case in judgement.cases],
        details=[
            f"{case.reason}: {(case.check.answer_excerpt if case.check else None) or ''}" for case in judgement.cases
        ],
    )


def end_of(case: CaseResult) -> str:
    """How the judge came to its end.

    Raises:
        ValueError: a verdict that no judge can be the reason of, or a failure that has no word here.
    """
    if case.verdict is Verdict.AC:
        return ACCEPTS
    if case.verdict is Verdict.WA:
        return REFUSES
    found = [word for pattern, word in _WORDS if case.verdict is Verdict.JE and pattern.search(case.reason or "")]
    if not found:
        message = f"{case.verdict} is no judge's doing: {case.reason}"
        raise ValueError(message)
    return found[0]
