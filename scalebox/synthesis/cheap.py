"""What can be known of a problem without asking a model: wording, and how known-good outputs differ from the answers. Pure.

Nothing here decides: it is told to the model, and a reply that contradicts it is asked about again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.synthesis.domain import Category, KnownOutput, ProblemRecord

_WORDINGS: Final[Mapping[Category, re.Pattern[str]]] = {
    Category.NUMERIC: re.compile(
        r"(absolute|relative)(?:[\s,/]+(?:and|or|relative|absolute))*\s+(error|precision|difference)|10\s*\^?\s*\{?\s*[-\u2212\u2013]\s*\d",
        re.I,
    ),
    Category.ANY_ORDER: re.compile(r"in any order|any order\b|order (?:does not|doesn't) matter", re.I),
    Category.ANY_CONSTRUCTION: re.compile(
        r"(output|print|find|give|choose|return) any\b|any (?:of them|valid|such|one of|correct|solution)|(?:multiple|several|more than one) (?:\w+ )?(?:answers?|solutions?|ways?|outputs?|optimal)"
        r"|if there are (?:multiple|several|many)|any (?:answer|solution|output)s? (?:is|are|will)",
        re.I,
    ),
    Category.INTERACTIVE: re.compile(r"\binteractive\b|flush", re.I),
}
_WORDS: Final[Mapping[Category, str]] = {
    Category.NUMERIC: "the statement speaks of an error or a precision",
    Category.ANY_ORDER: "the statement allows an order",
    Category.ANY_CONSTRUCTION: "the statement speaks of several right outputs",
    Category.INTERACTIVE: "the statement speaks of a conversation",
}
_NUMBER: Final = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NEAR: Final = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class CheapEvidence:
    """What was found."""

    sentences: tuple[str, ...]
    suggests: Category | None
    """What the outputs or, failing them, the wording point to."""
    several_right: bool
    """Known-good outputs differ from the answer in more than white space: the answer is not unique."""


def gather(problem: ProblemRecord, good: Sequence[KnownOutput]) -> CheapEvidence:
    """Look at a problem.

    Args:
        problem: with its statement.
        good: outputs that are right, those of its references among them.
    """
    answers = {case.name: case.answer for case in problem.tests}
    differing = [
        (known.output, answers[known.case])
        for known in good
        if known.case in answers and known.output.split() != answers[known.case].split()
    ]
    sentences = []
    if good:
        bytewise = any(known.output != answers.get(known.case) for known in good)
        words = "in more than white space" if differing else "in white space only" if bytewise else "in no byte"
        sentences.append(f"Outputs that are known to be right differ from the answers {words}.")
    found = [category for category, wording in _WORDINGS.items() if wording.search(problem.statement)]
    sentences += [f"{_WORDS[category][0].upper()}{_WORDS[category][1:]}." for category in found]
    if differing:
        kind, words = _kind(differing)
        sentences.append(words)
        return CheapEvidence(sentences=tuple(sentences), suggests=kind, several_right=True)
    return CheapEvidence(
        sentences=tuple(sentences), suggests=found[0] if len(found) == 1 else None, several_right=False
    )


def _kind(differing: Sequence[tuple[bytes, bytes]]) -> tuple[Category, str]:
    """What right outputs and answers differ in."""
    if all(_only_digits_differ(output, answer) for output, answer in differing):
        return Category.NUMERIC, "They differ only in the last digits of numbers."
    if all(output.lower().split() == answer.lower().split() for output, answer in differing):
        return Category.ANY_REPRESENTATION, "They differ only in letter case."
    if all(sorted(output.split()) == sorted(answer.split()) for output, answer in differing):
        return Category.ANY_ORDER, "They have the same tokens in another order."
    return Category.ANY_CONSTRUCTION, "They have other tokens than the answer."


def _only_digits_differ(output: bytes, answer: bytes) -> bool:
    left, right = output.split(), answer.split()
    return len(left) == len(right) and all(map(_near, left, right))


def _near(left: bytes, right: bytes) -> bool:
    if left == right:
        return True
    if not _NUMBER.fullmatch(left) or not _NUMBER.fullmatch(right) or max(len(left), len(right)) > 300:
        return False
    a, b = float(left), float(right)
    return abs(a - b) <= _NEAR * max(1.0, abs(b))
