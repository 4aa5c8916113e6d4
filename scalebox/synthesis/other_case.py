"""Answers in other letter case, to hold judges to what a statement says of it. Pure; it changes no letter that might be data.

Letters are ASCII's: words with others are left alone, whatever case mapping would make of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.problem import StdioCase
from scalebox.synthesis.domain import Due, KnownOutput, ProblemRecord
from scalebox.synthesis.letter_case import HEADER_WORD, Said

_LOWER: Final = 0x20
"""The bit that tells a lower-case letter of ASCII from its upper case."""
_PRINTED: Final = re.compile(rb"(?<![\w\x80-\xff])(?!(?i:case) *#?\d)[A-Za-z]+(?![\w\x80-\xff])")
"""A word of an answer; not the ``Case #1:`` before it."""
_HEADER: Final = re.compile(rb"^Case(?= #\d+:)", re.MULTILINE)
_VERDICTS: Final = frozenset({b"possible", b"impossible", b"feasible", b"infeasible", b"unsolvable"})
"""Words that are no text of a problem's own."""
_SHORT_WORDS: Final = frozenset({b"no", b"ok"})
"""Others of two letters may be data, such as the direction NE."""
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCase:
    """An answer in other letter case."""

    case: StdioCase
    output: bytes
    how: str


def answers_in_other_case(
    problem: ProblemRecord, said: Said, good: Sequence[KnownOutput], cases: Iterable[StdioCase], most: int
) -> Iterator[OtherCase]:
    """Answers in lower, upper and mixed case, where that is safe; none where known outputs contradict the statement.

    Words are changed that the statement says to print. Other letters are data: they are changed only where printing them in any case is
    allowed, there are no other words, and no letter of inputs and answers has two cases. By convention there is lower case alone, of words
    none of whose letters is one of the data, and of ``Case #1:``. Where the statement asks for text of its own, words are known from that text
    only if answers show letters outside them.

    Args:
        problem: whose.
        said: by its statement.
        good: outputs that are known to be right.
        cases: whose answers to change, those first that are preferred; of cases with the same words one is taken.
        most: cases to take.
    """
    known = good if said.due is Due.REFUSE else problem.bad_outputs
    answers = {case.name: case.answer for case in problem.tests}
    if said.due is Due.ANY or any(_differ_in_case_only(one.output, answers[one.case]) for one in known):
        return
    cases = list(cases)
    if said.by_convention:
        yield from _headers_in_lower_case(said, cases)
    words = _changeable(problem, said)
    by_words: dict[frozenset[bytes], StdioCase] = {}
    for case in cases:
        by_words.setdefault(words.intersection(_PRINTED.findall(case.answer)), case)
    by_words.pop(frozenset(), None)
    for case in list(by_words.values())[:most]:
        seen = {case.answer}
        for how, change in _CHANGES[:1] if said.by_convention else _CHANGES:
            output = _in_other_case(case.answer, change, words, said)
            if output not in seen:
                seen.add(output)
                yield OtherCase(case=case, output=output, how=how)


def _headers_in_lower_case(said: Said, cases: Iterable[StdioCase]) -> Iterator[OtherCase]:
    """The first answer with headers whose word the statement says to print."""
    for case in cases:
        output = _HEADER.sub(HEADER_WORD.lower().encode(), case.answer)
        if HEADER_WORD in said.named and output != case.answer:
            yield OtherCase(case=case, output=output, how="lower")
            return


def _changeable(problem: ProblemRecord, said: Said) -> frozenset[bytes]:
    """The words of answers that may be changed."""
    answers = {match[0] for case in problem.tests for match in _PRINTED.finditer(case.answer)}
    inputs = {match[0] for case in problem.tests for match in _PRINTED.finditer(case.input)}
    named = answers & {
        word.encode() for word in said.named if len(word) > 1 or not (said.by_convention or said.of_alphabet)
    }
    if said.of_text and (said.by_convention or said.due is Due.REFUSE) and not _letters_outside(problem, named):
        named = {word for word in named if word.lower() in _VERDICTS}  # others may be the text that is asked for
    if said.by_convention:
        named = _no_data(problem, {word for word in named if len(word) > 2 or word.lower() in _SHORT_WORDS})
    elif not named:
        data = said.due is Due.ACCEPT and said.of_printing and not _two_cases(answers | inputs)
        return frozenset(answers) if data else frozenset()
    scopes = [named & {word.encode() for word in words} for words in said.deciding]
    wanted = set[bytes]().union(*scopes) if scopes and all(scopes) else named
    told = {word.encode() for word in said.named if said.by_convention or len(word) == 1}
    forms = Counter(word.lower() for word in answers | inputs | told)
    return frozenset(word for word in wanted if forms[word.lower()] == 1)


def _no_data(problem: ProblemRecord, named: set[bytes]) -> set[bytes]:
    """Words none of whose letters occurs in inputs, nor in answers outside these words and ``Case #1:``."""
    data = _letters_outside(problem, named).union(*(case.input.lower() for case in problem.tests if named))
    return {word for word in named if data.isdisjoint(word.lower())}


def _letters_outside(problem: ProblemRecord, named: set[bytes]) -> set[int]:
    """Letters of answers, in lower case, outside some words and ``Case #1:``."""

    def outside(answer: bytes) -> bytes:
        return _PRINTED.sub(lambda match: b" " if match[0] in named else match[0], _HEADER.sub(b"", answer))

    return set[int]().union(*(outside(case.answer).lower() for case in problem.tests)) & _LETTERS


def _two_cases(words: Iterable[bytes]) -> bool:
    """Whether a letter has two cases somewhere."""
    letters = set(b"".join(words))
    return len({chr(letter).lower() for letter in letters}) < len(letters)


def _in_other_case(answer: bytes, change: Callable[[bytes], bytes], words: frozenset[bytes], said: Said) -> bytes:
    """An answer with some words changed; what has to be refused has none that may be printed, too."""

    def put(match: re.Match[bytes]) -> bytes:
        changed = change(match[0])
        taken = said.due is Due.REFUSE and changed.decode() in said.printing
        return changed if match[0] in words and not taken else match[0]

    return _PRINTED.sub(put, answer)


def _mixed(word: bytes) -> bytes:
    """Every other letter in upper case, the first in lower."""
    return bytes(byte & ~_LOWER if number % 2 else byte | _LOWER for number, byte in enumerate(word))


_CHANGES: Final[tuple[tuple[str, Callable[[bytes], bytes]], ...]] = (
    ("lower", bytes.lower),
    ("upper", bytes.upper),
    ("mixed", _mixed),
)


def _differ_in_case_only(output: bytes, answer: bytes) -> bool:
    return output.split() != answer.split() and output.lower().split() == answer.lower().split()
