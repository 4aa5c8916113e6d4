"""What is due for an output is decided only where it is certain; cheap evidence tells categories by outputs and wording."""

from __future__ import annotations

import dataclasses

import pytest
from synthesis.small_problems import PROBLEMS, ROOT, SORTED, SUM

from scalebox.synthesis.bench import make_bench
from scalebox.synthesis.cheap import gather
from scalebox.synthesis.domain import Category, Due, KnownOutput, Trial
from scalebox.synthesis.printed import Printed
from scalebox.synthesis.trials import changed_answer_items, decided, declared_tolerance, right_items, wrong_items


@pytest.mark.parametrize(
    ("output", "answer", "category", "tolerance", "due"),
    [
        (b"1 3", b"1 2", Category.UNIQUE, None, Due.REFUSE),
        (b"yes", b"YES", Category.UNIQUE, None, Due.ANY),
        (b"1.0000001", b"1.0", Category.UNIQUE, None, Due.ANY),
        (b"1.5", b"1.0", Category.NUMERIC, None, Due.REFUSE),
        (b"1.01", b"1.0", Category.NUMERIC, None, Due.ANY),
        (b"1.01", b"1.0", Category.NUMERIC, 1e-6, Due.REFUSE),
        (b"1.00001", b"1.0", Category.NUMERIC, 1e-6, Due.ANY),
        (b"1000000.9", b"1000000", Category.NUMERIC, 1e-6, Due.ANY),
        (b"2 1", b"1 2", Category.ANY_ORDER, None, Due.ANY),
        (b"2 2", b"1 2", Category.ANY_ORDER, None, Due.REFUSE),
        (b"2 2", b"1 2", Category.ANY_CONSTRUCTION, None, Due.ANY),
        (b"2 2", b"1 2", Category.UNSURE, None, Due.ANY),
    ],
)
def test_only_what_is_certain_is_due(
    output: bytes, answer: bytes, category: Category, tolerance: float | None, due: Due
) -> None:
    assert decided(output, answer, category, tolerance)[0] is due


@pytest.mark.parametrize(
    ("statement", "tolerance"),
    [
        ("an error of at most $10^{-6}$", 1e-6),
        ("within 10^-9 absolute or 1e-4 relative", 1e-4),
        ("precision 0.001", 1e-3),
        ("1 <= n <= 10^5", None),
        ("no more than 10\u22126", 1e-6),
    ],
)
def test_the_tolerance_of_a_statement_is_found(statement: str, tolerance: float | None) -> None:
    assert declared_tolerance(statement) == (None if tolerance is None else pytest.approx(tolerance))


@pytest.mark.parametrize("name", PROBLEMS)
def test_no_output_that_is_right_is_to_be_refused(name: str) -> None:
    problem = PROBLEMS[name]
    right = {
        (item.case, b" ".join(item.question.output.split())) for item in right_items(problem, problem.good_outputs)
    }
    for category in Category:
        for item in [*wrong_items(problem, category), *changed_answer_items(problem, category)]:
            if item.due is Due.REFUSE:
                assert (item.case, b" ".join(item.question.output.split())) not in right


@pytest.mark.parametrize(
    ("answer", "outputs"),
    [
        ("Case #1: 5\nCase #2:\n1 2\n", [b"Case #1: 5\nCase #3:\n1 2\n"]),
        ("Case #1: 5\n", [b"Case #2: 5\n"]),
        ("Case #1: 5\nCase #1: 5\n", []),  # which numbers nothing from 1
        ("Case #0: 5\nCase #1: 5\n", []),
        ("1\n2\n", []),
        ("see Case #1: 5\n", []),
    ],
)
def test_headers_that_number_the_cases_are_misnumbered(answer: str, outputs: list[bytes]) -> None:
    tests = [dataclasses.replace(SUM.tests[0], answer=answer.encode())]
    items = wrong_items(dataclasses.replace(SUM, tests=tests), Category.ANY_CONSTRUCTION)
    found = [(item.question.output, item.due) for item in items if item.trial is Trial.MISNUMBERED]
    assert found == [(output, Due.REFUSE) for output in outputs]


def test_a_number_that_is_known_to_be_right_need_not_be_refused() -> None:
    tests = [dataclasses.replace(SUM.tests[0], answer=b"Case #1: 5\n")]
    known = KnownOutput(case=tests[0].name, output=b"Case #2:  5\n")  # of a checker that reads no numbers
    problem = dataclasses.replace(SUM, tests=tests, good_outputs=[known])
    tried = make_bench(problem, Printed(), Category.ANY_CONSTRUCTION)
    assert {item.due for item in tried if item.question.output.split() == known.output.split()} == {Due.ACCEPT}
    without = make_bench(dataclasses.replace(problem, good_outputs=[]), Printed(), Category.ANY_CONSTRUCTION)
    assert [item.due for item in without if item.trial is Trial.MISNUMBERED] == [Due.REFUSE]


@pytest.mark.parametrize(
    ("outputs", "suggests"),
    [
        ([b"6 1\n"], Category.ANY_ORDER),
        ([b"3 4\n"], Category.ANY_CONSTRUCTION),
        ([b"1.0 6\n"], Category.NUMERIC),
        ([b"1   6"], Category.ANY_CONSTRUCTION),
    ],
)
def test_outputs_tell_the_category(outputs: list[bytes], suggests: Category) -> None:
    cheap = gather(SUM, [KnownOutput(case="1", output=output) for output in outputs])
    assert cheap.suggests is suggests
    assert cheap.several_right is (outputs != [b"1   6"])


def test_the_same_outputs_make_the_same_sentences_however_many() -> None:
    once = gather(SUM, [KnownOutput(case="1", output=b"3 4\n")])
    twice = gather(SUM, [KnownOutput(case="1", output=b"3 4\n"), KnownOutput(case="2", output=b"5 7\n")])
    assert once.sentences == twice.sentences


def test_wording_is_told() -> None:
    assert any("precision" in sentence for sentence in gather(ROOT, []).sentences)
    assert gather(SORTED, []).sentences == ()
