"""The bench of one problem: everything its drafts are tried with, made once, for all drafts alike; and the trial of a draft on it.

What submissions print was found before (``printed``). Nothing here asks a model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import StdioCase
from scalebox.core.verdict import Verdict
from scalebox.synthesis.box import JUDGE_LIMITS, Question, Word, ask_draft
from scalebox.synthesis.domain import Category, Draft, Due, Evidence, KnownOutput, ProblemRecord, Proof, Trial
from scalebox.synthesis.printed import Printed
from scalebox.synthesis.proving import conviction, prove
from scalebox.synthesis.source import faults_of
from scalebox.synthesis.trials import (
    Item,
    changed_answer_items,
    decided,
    declared_tolerance,
    letter_case_items,
    right_items,
    wrong_items,
)

_REPEATED: Final = 8
"""Trials that every draft goes through twice."""
_MOST_MUTANT_OUTPUTS: Final = 24
_LINTED: Final = "python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A draft, its proof, and its word on every item of the bench."""

    draft: Draft
    proof: Proof
    words: Sequence[Word]
    again: Mapping[int, Word] = field(default_factory=dict)
    """What it said to some when asked a second time, by their numbers."""


def make_bench(problem: ProblemRecord, printed: Printed, category: Category) -> list[Item]:
    """Everything to try.

    Args:
        problem: whose.
        printed: what its submissions print.
        category: what may differ between right outputs, where all agree on it; else ``unsure``.
    """
    good = [*problem.good_outputs, *printed.references]
    right = _known_right(problem.tests, good)
    wrong = [item for item in wrong_items(problem, category) if not _contradicts(item, right)]
    items = [*right_items(problem, good), *wrong, *changed_answer_items(problem, category)]
    items += _wrong_submissions(problem, good, printed.wrong)
    items += _mutants(problem, good, printed.mutants, category)
    items += letter_case_items(problem, good)
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
    return Tried(draft=draft, proof=prove(draft, items[: len(words)], words, again, faults), words=words, again=again)


def spread(total: int, count: int) -> list[int]:
    """Numbers below a total, evenly over all of them, the first and the last among them."""
    if total <= count:
        return list(range(total))
    return [round(number * (total - 1) / (count - 1)) for number in range(count)]


def _wrong_submissions(problem: ProblemRecord, good: Sequence[KnownOutput], wrong: Sequence[KnownOutput]) -> list[Item]:
    """Groups of outputs, one group of each known-wrong submission, of which at least one is wrong."""
    right = _known_right(problem.tests, good)
    cases = {case.name: case for case in problem.tests}
    groups: dict[str, list[KnownOutput]] = defaultdict(list)
    for known in wrong:
        groups[known.origin].append(known)
    items = []
    for name, outputs in groups.items():
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


def _mutants(
    problem: ProblemRecord, good: Sequence[KnownOutput], mutants: Sequence[KnownOutput], category: Category
) -> list[Item]:
    """Outputs of changed references that differ from everything that is known to be right."""
    right = _known_right(problem.tests, good)
    by_name = {case.name: case for case in problem.tests}
    items: dict[tuple[str, bytes], Item] = {}
    for known in mutants:
        plain = _plain(known.case, known.output)
        if plain in right or plain in items or not known.output.strip():
            continue
        case = by_name[known.case]
        due, by = decided(known.output, case.answer, category, declared_tolerance(problem.statement))
        items[plain] = Item(
            trial=Trial.MUTANT,
            case=case.name,
            question=_question(case, known.output),
            due=due,
            words=f"accepted: the output of {known.origin}",
            decided_by=by,
        )
    return list(items.values())[:_MOST_MUTANT_OUTPUTS]


def _contradicts(item: Item, right: set[tuple[str, bytes]]) -> bool:
    """Whether what is known to be right overrules a convention. What every judge has to refuse is not overruled: then there is none."""
    return item.trial is Trial.MISNUMBERED and _plain(item.case, item.question.output) in right


def _known_right(cases: Sequence[StdioCase], good: Sequence[KnownOutput]) -> set[tuple[str, bytes]]:
    """Outputs that are known to be right, blanks apart."""
    return {_plain(case.name, case.answer) for case in cases} | {_plain(known.case, known.output) for known in good}


def _plain(case: str, output: bytes) -> tuple[str, bytes]:
    return case, b" ".join(output.split())


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
