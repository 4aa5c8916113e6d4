"""From a draft's words to its proof, without a box: groups of which one is wrong, and what is asked twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from synthesis.small_problems import RIGHT, SORTED, SUM, run_submissions

from scalebox.client.mock import MockJudge
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict
from scalebox.synthesis.bench import make_bench, spread
from scalebox.synthesis.box import Question, Word
from scalebox.synthesis.domain import Category, Due, Trial
from scalebox.synthesis.proving import prove
from scalebox.synthesis.trials import Item

ACCEPTS = Word(verdict=Verdict.AC)
QUESTION = Question(input=b"", answer=b"1\n", output=b"2\n")
WRONG = Submission(source="w", language="python")


def _member(trial: Trial) -> Item:
    return Item(trial=trial, case="0", question=QUESTION, due=Due.ANY, words="w", group="g")


@pytest.mark.parametrize(
    ("trial", "members", "convicts"),
    [
        (Trial.WRONG_SUBMISSION, 1, True),  # its only output is the wrong one
        (Trial.WRONG_SUBMISSION, 2, True),
        (Trial.FOREIGN_ANSWER, 1, False),  # which may be right by chance
        (Trial.FOREIGN_ANSWER, 2, True),
    ],
)
def test_not_all_of_a_group_may_be_accepted(trial: Trial, members: int, *, convicts: bool) -> None:
    items = [_member(trial)] * members
    proof = prove(RIGHT[SUM.name], items, [ACCEPTS] * members, {}, [])
    assert [evidence.trial for evidence in proof.convictions] == [trial] * convicts


@pytest.mark.parametrize(("output", "tried"), [(b"1  2 3", False), (b"1 3 2\n", True)])
async def test_a_wrong_submission_that_is_right_on_every_case_here_says_nothing(output: bytes, *, tried: bool) -> None:
    judge = MockJudge()
    judge.output = output
    problem = replace(SORTED, tests=SORTED.tests[:1], references=[], wrong=[WRONG])
    items = make_bench(problem, await run_submissions(judge, problem), Category.UNSURE)
    assert any(item.trial is Trial.WRONG_SUBMISSION for item in items) is tried


def test_what_is_asked_twice_is_of_every_kind() -> None:
    assert spread(100, 8) == [0, 14, 28, 42, 57, 71, 85, 99]
    assert spread(3, 8) == [0, 1, 2]


def test_a_word_that_changes_convicts_wherever_it_was_asked_for() -> None:
    items = [
        Item(trial=Trial.MUTANT, case=str(number), question=QUESTION, due=Due.ANY, words="w") for number in range(9)
    ]
    proof = prove(RIGHT[SUM.name], items, [ACCEPTS] * 9, {0: ACCEPTS, 8: Word(verdict=Verdict.WA)}, [])
    assert [(evidence.trial, evidence.case) for evidence in proof.convictions] == [(Trial.REPETITION, "8")]
