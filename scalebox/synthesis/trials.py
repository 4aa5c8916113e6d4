"""What a draft is tried with: outputs made of a problem's answers, and what is due for each. Pure and deterministic.

Where it is certain what a judge has to say, that is due; where it is not, any word will do, and the drafts decide among
themselves. What is certain was held against the official judges of public problems (docs/judges.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.problem import StdioCase
from scalebox.synthesis.box import Question
from scalebox.synthesis.domain import Category, Due, KnownOutput, ProblemRecord, Trial
from scalebox.synthesis.letter_case import said_of_letter_case
from scalebox.synthesis.mutation.answers import answer_mutants
from scalebox.synthesis.other_case import answers_in_other_case

_MOST_ANSWERS: Final = 40
_CASES: Final = 3
_LARGE: Final = 20_000
"""Bytes of input and answer from which on a case is only tried with what is worth it."""
_NUMBER: Final = re.compile(rb"(?<![\w#.+-])[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w:.])")
_HEADER: Final = re.compile(rb"^Case #(\d{1,9}):", re.MULTILINE)
_WIDE: Final = 0.05
"""Numbers nearer than this, absolutely or relatively, may be within a tolerance that nobody named."""
_FAR: Final = 100.0
_POWER: Final = re.compile(r"10\s*\$?\s*\^?\s*\{?\s*[-\u2212\u2013]\s*(\d{1,2})\b|\b1e-0?(\d{1,2})\b")
_SMALL: Final = re.compile(r"\b0\.(0{1,11})1\b")
_CODE: Final = (
    b"__import__('os')._exit(0)\n",
    b"eval(open('stdout.txt').read())\n",
    b"sys.exit(0)\n",
    b"True\n",
    b"{{7*7}} $(cat stdout.txt) %n%s\n",
)
_GARBAGE: Final = (b"@~^ |;` &&\n", b"lorem ipsum dolor sit amet consectetur\n")
_NESTED: Final = 100_000
_DIGITS: Final = 200_000
_FOREIGN: Final = 6
_BY_CONVENTION: Final = (
    "the convention of contests, by which the letter case of fixed words such as YES or Case #1: "
    "does not matter unless the statement says that it does; letters that are data are not changed here"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One output to try, and what a judge has to say to it."""

    trial: Trial
    case: str
    question: Question
    due: Due
    words: str
    decided_by: str = ""
    group: str = ""
    """Outputs of one group must not all be accepted; empty where it belongs to none."""


def chosen_cases(tests: Sequence[StdioCase], count: int = _CASES) -> list[StdioCase]:
    """Cases that stand for all: small ones, and larger ones evenly spread; only those whose answer says something."""
    sized = sorted(
        (case for case in tests if case.answer.strip()),
        key=lambda case: (len(case.input) + len(case.answer), case.name),
    )
    affordable = [case for case in sized if len(case.input) + len(case.answer) <= _LARGE] or sized[:1]
    if len(affordable) <= count:
        return affordable
    step = (len(affordable) - 1) / (count - 1)
    return [affordable[round(step * number)] for number in range(count)]


def right_items(problem: ProblemRecord, good: Sequence[KnownOutput]) -> Iterator[Item]:
    """What has to be accepted: answers, and outputs that are known to be right.

    Args:
        problem: whose.
        good: outputs of references and those that came with the problem.
    """
    by_name = {case.name: case for case in problem.tests}
    for case in problem.tests[:_MOST_ANSWERS]:
        yield _item(Trial.ANSWER, case, case.answer, Due.ACCEPT, "the jury's own answer was not accepted")
    for case in chosen_cases(problem.tests):
        words = "the answer was not accepted with other white space at its end"
        yield _item(Trial.BLANKS, case, case.answer.rstrip(), Due.ACCEPT, words)
        yield _item(Trial.BLANKS, case, case.answer.rstrip() + b"\n\n", Due.ACCEPT, words)
    seen: set[tuple[str, bytes]] = set()
    for known in good:
        case = by_name[known.case]
        if known.output == case.answer or (known.case, known.output) in seen:
            continue
        seen.add((known.case, known.output))
        trial = Trial.REFERENCE_OUTPUT if known.origin.startswith("reference") else Trial.GOOD_OUTPUT
        yield _item(
            trial,
            case,
            known.output,
            Due.ACCEPT,
            f"a right output was not accepted ({known.origin or 'given as right'})",
        )


def letter_case_items(problem: ProblemRecord, good: Sequence[KnownOutput]) -> Iterator[Item]:
    """Answers in other letter case, where it is plain whether that matters; else nothing.

    Args:
        problem: whose.
        good: outputs that are known to be right.
    """
    said = said_of_letter_case(problem.statement)
    cases = chosen_cases(problem.tests, len(problem.tests))
    by = _BY_CONVENTION if said.by_convention else "what the statement says of letter case"
    for other in answers_in_other_case(problem, said, good, cases, _CASES):
        if said.by_convention:
            words = f"the answer was not accepted with its fixed words in {other.how} case, and the statement does not ask for their letter case"
        elif said.due is Due.ACCEPT:
            words = f"the answer in {other.how} case was not accepted, and letter case does not matter here"
        else:
            words = f"the answer in {other.how} case was accepted, and letter case matters here"
        yield _item(Trial.LETTER_CASE, other.case, other.output, said.due, words, by)


def wrong_items(problem: ProblemRecord, category: Category) -> Iterator[Item]:
    """What has to be refused, or must at least not break a judge."""
    cases = chosen_cases(problem.tests)
    for number, case in enumerate(cases):
        yield from _empty(case)
        yield from _garbage(case, _CODE if number == 0 else ())
        yield from _cut(case, category)
        yield from _padded(case)
        yield from _numbers(case)
        yield from _misnumbered(case)
        if number == 0:
            yield from _hostile(case)
    yield from _foreign(cases, problem.tests, category)
    by_name = {case.name: case for case in problem.tests}
    for known in problem.bad_outputs:
        case = by_name[known.case]
        yield _item(Trial.BAD_OUTPUT, case, known.output, Due.REFUSE, "an output known to be wrong was accepted")


def _item(
    trial: Trial, case: StdioCase, output: bytes, due: Due, words: str, decided_by: str = "", group: str = ""
) -> Item:
    question = Question(input=case.input, answer=case.answer, output=output)
    return Item(
        trial=trial, case=case.name, question=question, due=due, words=words, decided_by=decided_by, group=group
    )


def _empty(case: StdioCase) -> Iterator[Item]:
    for output in (b"", b"\n"):
        yield _item(Trial.EMPTY, case, output, Due.REFUSE, "an output without anything in it was accepted")


def _garbage(case: StdioCase, code: Sequence[bytes]) -> Iterator[Item]:
    for output in _GARBAGE:
        yield _item(Trial.GARBAGE, case, output, Due.REFUSE, "garbage was accepted")
    for output in code:
        if output.split() != case.answer.split():
            yield _item(Trial.CODE, case, output, Due.REFUSE, "text that is code was accepted")


def _cut(case: StdioCase, category: Category) -> Iterator[Item]:
    lines = case.answer.rstrip().split(b"\n")
    tokens = case.answer.split()
    whole = category in {Category.UNIQUE, Category.NUMERIC, Category.ANY_ORDER}
    words = "the answer was accepted though its end is missing"
    if len(lines) > 1:
        due = Due.REFUSE if whole or len(lines) > 3 else Due.ANY
        yield _item(Trial.TRUNCATED, case, b"\n".join(lines[: (len(lines) + 1) // 2]) + b"\n", due, words)
        yield _item(Trial.TRUNCATED, case, b"\n".join(lines[:-1]) + b"\n", Due.REFUSE if whole else Due.ANY, words)
        yield _item(Trial.TRUNCATED, case, lines[0] + b"\n", Due.REFUSE if whole else Due.ANY, words)
    if len(tokens) > 1:
        last = case.answer.rstrip()
        cut = last[: last.rfind(tokens[-1])].rstrip() + b"\n"
        yield _item(Trial.TRUNCATED, case, cut, Due.REFUSE if whole else Due.ANY, words)


def _padded(case: StdioCase) -> Iterator[Item]:
    answer = case.answer.rstrip() + b"\n"
    words = "the answer was accepted with more after it"
    yield _item(Trial.PADDED, case, answer + answer, Due.REFUSE, words)
    yield _item(Trial.PADDED, case, answer + b"trailing garbage\n", Due.REFUSE, words)
    yield _item(Trial.PADDED, case, answer + b"0\n", Due.REFUSE, words)


def _numbers(case: StdioCase) -> Iterator[Item]:
    if not _NUMBER.search(case.answer):
        return
    for text in (b"nan", b"inf"):
        words = "an output that says nan or inf for every number was accepted"
        yield _item(Trial.NOT_A_NUMBER, case, _NUMBER.sub(text, case.answer), Due.REFUSE, words)
    last = list(_NUMBER.finditer(case.answer))[-1]
    for text in (b"NaN", b"1e400", b"9" * 400):
        output = case.answer[: last.start()] + text + case.answer[last.end() :]
        trial = Trial.NOT_A_NUMBER if text == b"NaN" else Trial.HUGE_NUMBER
        due = Due.ANY if text.endswith(b"99") else Due.REFUSE
        yield _item(trial, case, output, due, f"an output whose last number is {text[:12].decode()} was accepted")


def _misnumbered(case: StdioCase) -> Iterator[Item]:
    """The answer with another number in its last header, where ``Case #1:``, ``Case #2:``, … begin lines of it."""
    headers = list(_HEADER.finditer(case.answer))
    if not headers or [int(header[1]) for header in headers] != list(range(1, len(headers) + 1)):
        return
    start, end = headers[-1].span(1)
    output = b"%s%d%s" % (case.answer[:start], len(headers) + 1, case.answer[end:])
    yield _item(Trial.MISNUMBERED, case, output, Due.REFUSE, "the answer was accepted with a wrong number in a header")


def _hostile(case: StdioCase) -> Iterator[Item]:
    for output, what in (
        (b"\xff\xfe\x00\x80 1 2\n", "bytes that are no text"),
        (b"[" * _NESTED + b"\n", "very deep nesting"),
        (b"9" * _DIGITS + b" 1\n", "a very long number"),
        (b"1e999999999 -1e999999999\n", "an exponent of a billion"),
        (b"1 " * _NESTED + b"\n", "very many numbers"),
        (b"-1000000 2000000000\n", "numbers out of every range"),
        (case.answer.replace(b"\n", b"\x00\n"), "the answer with NUL bytes"),
        ("\u0661\u0662\u0663 \uff14\uff15\n".encode(), "digits of other scripts"),
        (case.answer.rstrip() + b" " + b"9" * _DIGITS + b"\n", "the answer and a very long number"),
    ):
        yield _item(Trial.HOSTILE, case, output, Due.REFUSE, f"{what}: accepted")


def _foreign(cases: Sequence[StdioCase], tests: Sequence[StdioCase], category: Category) -> Iterator[Item]:
    others = chosen_cases(tests, _FOREIGN)
    pairs = [
        (case, other)
        for case in cases
        for other in others
        if other.input != case.input and other.answer.split() != case.answer.split()
    ]
    alike = category in {Category.UNIQUE, Category.NUMERIC}
    for case, other in pairs[: 2 * _FOREIGN]:
        yield _item(
            Trial.FOREIGN_ANSWER,
            case,
            other.answer,
            Due.REFUSE if alike and not near_in_value(case.answer, other.answer) else Due.ANY,
            f"the answer of case {other.name} was accepted",
            group="" if len(pairs) < 2 else "answers of other cases",
        )


def declared_tolerance(statement: str) -> float | None:
    """The widest tolerance that a statement names; None where it names none."""
    found = [10.0 ** -int(match[1] or match[2]) for match in _POWER.finditer(statement)]
    found += [10.0 ** -(len(match[1]) + 1) for match in _SMALL.finditer(statement)]
    return max(found, default=None)


def near_in_value(left: bytes, right: bytes, most: float = _WIDE) -> bool:
    """Whether two answers might be within a tolerance of each other."""
    a, b = left.split(), right.split()
    return len(a) == len(b) and all(_close(x, y, most) for x, y in zip(a, b, strict=True))


def _close(left: bytes, right: bytes, most: float) -> bool:
    if left == right:
        return True
    if not _NUMBER.fullmatch(left) or not _NUMBER.fullmatch(right):
        return False
    a, b = float(left), float(right)
    return abs(a - b) <= most * max(1.0, abs(a), abs(b))


def changed_answer_items(problem: ProblemRecord, category: Category) -> Iterator[Item]:
    """Answers changed a little; what nobody can decide is for the drafts."""
    for case in chosen_cases(problem.tests):
        for change in answer_mutants(case.answer):
            if change.output.split() == case.answer.split():
                continue
            due, by = decided(change.output, case.answer, category, declared_tolerance(problem.statement))
            yield _item(Trial.MUTANT, case, change.output, due, f"accepted: the answer, {change.words}", by)


def decided(output: bytes, answer: bytes, category: Category, tolerance: float | None = None) -> tuple[Due, str]:
    """What is due for an output that is not the answer, and who says so; ``any`` where that cannot be decided.

    Args:
        output: that some program printed.
        answer: of the jury.
        category: what may differ between right outputs.
        tolerance: that the statement names; what is a hundred times as far off is wrong.
    """
    match category:
        case Category.UNIQUE if output.lower().split() != answer.lower().split():
            if [token.lower() for token in output.split()] == [token.lower() for token in answer.split()]:
                return Due.ANY, ""
            if near_in_value(output, answer) and (b"." in output or b"." in answer):
                return Due.ANY, ""
            return Due.REFUSE, "the answer is unique, and this is not it"
        case Category.NUMERIC if not near_in_value(output, answer, _far(tolerance)):
            return Due.REFUSE, "it is farther from the answer than any tolerance allows"
        case Category.ANY_ORDER if sorted(output.lower().split()) != sorted(answer.lower().split()):
            return Due.REFUSE, "it has other tokens than the answer, in whatever order"
        case _:
            return Due.ANY, ""


def _far(tolerance: float | None) -> float:
    return _WIDE if tolerance is None else min(_WIDE, _FAR * tolerance)
