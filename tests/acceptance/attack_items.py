"""Attacks on comparisons and on special judges, and the honest programs beside them, as items with the verdicts allowed. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NotRequired, TypedDict

from acceptance import gold, shared
from acceptance.case_items import LANGUAGES, corpus_item
from acceptance.case_items import due as due_words
from acceptance.judging import Item
from acceptance.shared import CorpusRow
from scalebox.core.problem import (
    AskWhen,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    Problem,
    ProgramChecker,
    StdioCase,
    TestCase,
    Tolerance,
)
from scalebox.core.submission import Submission

CATEGORIES: Final = frozenset({"compare_hack", "output_trick", "judge_attack"})
HONEST: Final = frozenset({"ben-81", "ben-82", "ben-83", "ben-84"})
"""Right programs of problems with special judges: refusing everything is not soundness."""
ASKED_ALWAYS: Final = "spj-exit3-is-fail"
"""The case about a judge's failure takes a judge that is always asked."""


class JudgeRow(TypedDict):
    """A special judge of the adversarial corpus."""

    language: str
    program: str


class Expected(TypedDict):
    """The verdicts that an item of the corpus may get."""

    verdict_any_of: list[str]


class Compare(TypedDict):
    """The tolerance that a task declares."""

    mode: str
    abs_tol: float
    rel_tol: float


class AttackRow(CorpusRow):
    """An item of the adversarial corpus."""

    category: str
    special_judge: NotRequired[JudgeRow]
    compare: NotRequired[Compare]
    expected: Expected
    requires: NotRequired[str]


class SpjChecker(TypedDict):
    """A judge of ``cases.jsonl``: argv INPUT OUTPUT ANSWER, testlib's exit codes."""

    language: str
    program: str


class SpjRow(TypedDict):
    """A row of ``cases.jsonl`` with a special judge."""

    id: str
    kind: str
    language: str
    program: str
    tests: list[shared.CaseTestRow]
    checker: SpjChecker
    expected: str


def attacks() -> tuple[list[Item], int]:
    """The items in the languages of this round; and how many are left out, for their language or for what they require."""
    found = [
        row
        for row in shared.read("adversarial/corpus.jsonl", AttackRow)
        if row["category"] in CATEGORIES or row["id"] in HONEST
    ]
    mine = [row for row in found if "requires" not in row and row["language"] in LANGUAGES]
    return [attack_item(row) for row in mine], len(found) - len(mine)


def attack_item(row: AttackRow) -> Item:
    """The item of a row, with the verdicts that its row allows."""
    item = corpus_item(row)
    limits = replace(item.problem.limits, judge_seconds=row["limits"].get("judge_s", 10.0))
    problem = replace(item.problem, limits=limits)
    if "special_judge" in row:
        judge = row["special_judge"]
        text = gold.one_file(judge["language"], judge["program"])
        problem = replace(problem, checker=ProgramChecker(protocol=CheckerProtocol.FILES, program=text))
    if "compare" in row:
        problem = tolerant(problem, row["compare"])
    return replace(item, problem=problem, due=frozenset(row["expected"]["verdict_any_of"]))


def tolerant(problem: Problem, compare: Compare) -> Problem:
    """The problem with the tolerance that its task declares."""
    assert compare["mode"] == "float", compare
    absolute, relative = compare["abs_tol"], compare["rel_tol"]

    def with_tolerance(test: TestCase) -> TestCase:
        if isinstance(test, CallCase):
            return replace(test, tolerance=Tolerance(absolute=absolute, relative=relative))
        return test

    checker = CheckerSpec(name="floats", absolute=absolute, relative=relative)
    return replace(problem, tests=[with_tolerance(test) for test in problem.tests], checker=checker)


def special_judge_cases() -> list[Item]:
    """The special-judge rows of the shared cases."""
    rows = [row for row in shared.read("cases/cases.jsonl", SpjRow) if row["kind"] == "special_judge"]
    return [spj_item(row) for row in rows]


def spj_item(row: SpjRow) -> Item:
    """The item of a row with a judge."""
    checker = ProgramChecker(
        protocol=CheckerProtocol.TESTLIB,
        program=gold.one_file(row["checker"]["language"], row["checker"]["program"]),
        when=AskWhen.ALWAYS if row["id"] == ASKED_ALWAYS else AskWhen.UNDECIDED,
    )
    tests = [
        StdioCase(name=str(index), input=test.get("stdin", "").encode(), answer=str(test.get("expected", "")).encode())
        for index, test in enumerate(row["tests"])
    ]
    return Item(
        id=row["id"],
        submission=Submission(source=row["program"], language=row["language"]),
        problem=Problem(tests=tests, checker=checker),
        due=due_words(row["expected"]),
    )
