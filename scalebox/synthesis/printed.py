"""Run submissions for their outputs: references for outputs that are right, their mutants and known-wrong submissions for such as may be wrong. Decides nothing.

No output is longer than what a judgement shows of one (64 KiB); longer ones are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.ports import Judge
from scalebox.synthesis.box import outputs_of
from scalebox.synthesis.domain import KnownOutput, ProblemRecord
from scalebox.synthesis.mutation.programs import program_mutants
from scalebox.synthesis.trials import chosen_cases

_MUTANTS: Final = 12
"""Of all references together."""
_COMPILED: Final = 4
"""Of a reference whose mutants are to be compiled, each of which takes longer than all its runs."""
_MUTANT_SECONDS: Final = 1.0
MUTANT_CASES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What the submissions of a problem print."""

    references: Sequence[KnownOutput] = ()
    wrong: Sequence[KnownOutput] = ()
    """Of known-wrong submissions, each named in ``origin``."""
    mutants: Sequence[KnownOutput] = ()


async def reference_outputs(judge: Judge, problem: ProblemRecord) -> list[KnownOutput]:
    """What the references of a problem print."""
    runs = [
        outputs_of(judge, reference, problem.tests, problem.limits, f"reference {number}")
        for number, reference in enumerate(problem.references)
    ]
    return [known for outputs in await asyncio.gather(*runs) for known in outputs]


async def wrong_outputs(judge: Judge, problem: ProblemRecord) -> list[KnownOutput]:
    """What the known-wrong submissions of a problem print."""
    found: list[KnownOutput] = []
    for number, submission in enumerate(problem.wrong):
        name = f"known-wrong submission {number}"
        found += await outputs_of(judge, submission, problem.tests, problem.limits, name)
    return found


async def mutant_outputs(judge: Judge, problem: ProblemRecord) -> list[KnownOutput]:
    """What changed references print on a few cases."""
    if not problem.references:
        return []
    cases = chosen_cases(problem.tests, MUTANT_CASES)
    each = max(4, _MUTANTS // len(problem.references))
    used = {reference.language for reference in problem.references}  # to be asked about all takes a judge a minute
    compiled = {status.id for status in await judge.languages(used) if status.compiled}
    limits = replace(problem.limits, cpu_seconds=min(_MUTANT_SECONDS, problem.limits.cpu_seconds), wall_seconds=None)
    found: list[KnownOutput] = []
    for number, reference in enumerate(problem.references):
        for mutant, words in program_mutants(reference, _COMPILED if reference.language in compiled else each):
            found += await outputs_of(judge, mutant, cases, limits, f"reference {number} changed ({words})")
    return found
