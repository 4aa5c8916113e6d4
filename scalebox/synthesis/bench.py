"""The bench of one problem: everything its drafts are tried with, made once, for all drafts alike; and the trial of a draft on it.

Submissions are run here: references for outputs that are right, their mutants and known-wrong submissions for outputs that may be
wrong. Nothing here asks a model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import StdioCase
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict
from scalebox.synthesis.box import JUDGE_LIMITS, Question, Word, ask_draft, outputs_of
from scalebox.synthesis.domain import Category, Draft, Due, Evidence, KnownOutput, ProblemRecord, Proof, Trial
from scalebox.synthesis.mutation.programs import program_mutants
from scalebox.synthesis.proving import conviction, prove
from scalebox.synthesis.source import faults_of
from scalebox.synthesis.trials import (
    Item,
    changed_answer_items,
    chosen_cases,
    decided,
    declared_tolerance,
    right_items,
    wrong_items,
)

_REPEATED: Final = 8
"""Trials that every draft goes through twice."""
_MUTANTS: Final = 12
"""Of all references together."""
_COMPILED: Final = 4
"""Of a reference whose mutants are to be compiled, each of which takes longer than all its runs."""
_MUTANT_SECONDS: Final = 1.0
_MUTANT_CASES: Final = 2
_MOST_MUTANT_OUTPUTS: Final = 24
_LINTED: Final = "python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A draft, its proof, and its word on every item of the bench."""

    draft: Draft
    proof: Proof
    words: Sequence[Word]


async def reference_outputs(judge: Judge, problem: ProblemRecord) -> list[KnownOutput]:
    """What the references of a problem print."""
    runs = [
        outputs_of(judge, reference, problem.tests, problem.limits, f"reference {number}")
        for number, reference in enumerate(problem.references)
    ]
    return [known for outputs in await asyncio.gather(*runs) for known in outputs]


async def make_bench(
    judge: Judge, problem: ProblemRecord, good: Sequence[KnownOutput], category: Category
) -> list[Item]:
    """Everything to try.

    Args:
        judge: runs submissions.
        problem: whose.
        good: outputs that are right.
        category: what may differ between right outputs, where all agree on it; else ``unsure``.
    """
    items = [*right_items(problem, good), *wrong_items(problem, category), *changed_answer_items(problem, category)]
    items += await _wrong_submissions(judge, problem, good)
    items += await _mutants(judge, problem, good, category)
    return items


async def try_draft(judge: Judge, draft: Draft, items: Sequence[Item], limits: Limits = JUDGE_LIMITS) -> Tried:
    """Put a draft on trial; one that breaks again and again is not tried with the rest.

    Raises:
        SandboxError: an output could not be judged, through our fault.
    """
    faults = faults_of(draft.source) if draft.language == _LINTED else []
    questions = [item.question for item in items]
    words = await ask_draft(judge, draft, questions, limits)
    whole = len(words) == len(items)
    repeated = spread(len(items), _REPEATED) if whole else []
    said = await ask_draft(judge, draft, [questions[number] for number in repeated], limits)
    again = dict(zip(repeated, said, strict=False))
    return Tried(draft=draft, proof=prove(draft, items[: len(words)], words, again, faults), words=words)


def spread(total: int, count: int) -> list[int]:
    """Numbers below a total, evenly over all of them, the first and the last among them."""
    if total <= count:
        return list(range(total))
    return [round(number * (total - 1) / (count - 1)) for number in range(count)]


async def _wrong_submissions(judge: Judge, problem: ProblemRecord, good: Sequence[KnownOutput]) -> list[Item]:
    """Groups of outputs, one group of each known-wrong submission, of which at least one is wrong."""
    right = _known_right(problem.tests, good)
    items = []
    for number, submission in enumerate(problem.wrong):
        name = f"known-wrong submission {number}"
        cases = {case.name: case for case in problem.tests}
        outputs = await outputs_of(judge, submission, problem.tests, problem.limits, name)
        if len(outputs) < len(problem.tests):
            continue  # it is wrong by its end, on some case, and says nothing about judges
        if all(_plain(known.case, known.output) in right for known in outputs):
            continue  # it is wrong on some case that is not here
        items += [
            Item(
                trial=Trial.WRONG_SUBMISSION,
                case=known.case,
                question=_question(cases[known.case], known.output),
                due=Due.ANY,
                words=f"an output of {name} was accepted",
                group=name,
            )
            for known in outputs
        ]
    return items


async def _mutants(judge: Judge, problem: ProblemRecord, good: Sequence[KnownOutput], category: Category) -> list[Item]:
    """Outputs of changed references that differ from everything that is known to be right."""
    if not problem.references:
        return []
    cases = chosen_cases(problem.tests, _MUTANT_CASES)
    each = max(4, _MUTANTS // len(problem.references))
    used = {reference.language for reference in problem.references}  # to be asked about all takes a judge a minute
    compiled = {status.id for status in await judge.languages(used) if status.compiled}
    mutants = [
        (mutant, f"reference {number} changed ({words})")
        for number, reference in enumerate(problem.references)
        for mutant, words in program_mutants(reference, _COMPILED if reference.language in compiled else each)
    ]
    limits = replace(problem.limits, cpu_seconds=min(_MUTANT_SECONDS, problem.limits.cpu_seconds), wall_seconds=None)
    runs = await _in_turn(judge, mutants, cases, limits)
    right = _known_right(cases, good)
    by_name = {case.name: case for case in cases}
    items: dict[tuple[str, bytes], Item] = {}
    for known in runs:
        plain = _plain(known.case, known.output)
        if plain in right or plain in items or not known.output.strip():
            continue
        case = by_name[known.case]
        due, by = decided(known.output, case.answer, category, declared_tolerance(problem.statement))
        words = f"accepted: the output of {known.origin}"
        items[plain] = Item(
            trial=Trial.MUTANT,
            case=case.name,
            question=_question(case, known.output),
            due=due,
            words=words,
            decided_by=by,
        )
    return list(items.values())[:_MOST_MUTANT_OUTPUTS]


def _known_right(cases: Sequence[StdioCase], good: Sequence[KnownOutput]) -> set[tuple[str, bytes]]:
    """Outputs that are known to be right, blanks apart."""
    return {_plain(case.name, case.answer) for case in cases} | {_plain(known.case, known.output) for known in good}


def _plain(case: str, output: bytes) -> tuple[str, bytes]:
    return case, b" ".join(output.split())


async def _in_turn(
    judge: Judge, mutants: Sequence[tuple[Submission, str]], cases: Sequence[StdioCase], limits: Limits
) -> list[KnownOutput]:
    found: list[KnownOutput] = []
    for submission, words in mutants:
        found += await outputs_of(judge, submission, cases, limits, words)
    return found


def _question(case: StdioCase, output: bytes) -> Question:
    return Question(input=case.input, answer=case.answer, output=output)


def disputes(items: Sequence[Item], tried: Sequence[Tried]) -> list[int]:
    """Numbers of items on which drafts differ, and which nothing else decides."""
    return [
        number
        for number, item in enumerate(items)
        if item.due is Due.ANY and len({one.words[number].verdict for one in tried}) > 1
    ]


def outvoted(items: Sequence[Item], tried: Sequence[Tried]) -> list[list[Evidence]]:
    """For each draft the outputs on which most of all drafts are against it; none where there is no majority."""
    evidence: list[list[Evidence]] = [[] for _ in tried]
    for number in disputes(items, tried):
        accepting = sum(one.words[number].verdict is Verdict.AC for one in tried)
        if 2 * accepting == len(tried):
            continue
        accepted = 2 * accepting > len(tried)
        due = Due.ACCEPT if accepted else Due.REFUSE
        for one, against in zip(tried, evidence, strict=True):
            word = one.words[number]
            if (word.verdict is Verdict.AC) == accepted:
                continue
            most = max(accepting, len(tried) - accepting)
            by = f"{most} of {len(tried)} independent judges"
            words = f"most judges {'accept' if accepted else 'refuse'} this output: {items[number].words.removeprefix('accepted: ')}"
            against.append(conviction(items[number], word, words, by, due))
    return evidence
