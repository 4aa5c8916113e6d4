"""The order of cases: every case once, likeliest failure by its cost first, correlated failures counted once; and what it is learned from."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.judge.history import Histories, History, TimeLimitRule
from scalebox.judge.order import likeliest_first

RULE = TimeLimitRule(factor=4.0, floor_seconds=1.0, programs=2)


@given(st.data(), st.integers(1, 12))
def test_every_case_comes_once(data: st.DataObject, cases: int) -> None:
    positive = st.floats(1e-6, 1e3)
    rates = data.draw(st.lists(positive, min_size=cases, max_size=cases))
    seconds = data.draw(st.lists(positive, min_size=cases, max_size=cases))
    failures = data.draw(st.lists(st.sets(st.integers(0, cases - 1)), max_size=8))
    assert sorted(likeliest_first(rates, seconds, failures)) == list(range(cases))


@pytest.mark.parametrize(
    ("rates", "seconds", "failures", "order"),
    [
        ([0.5, 0.5, 0.5], [1, 1, 1], [], [0, 1, 2]),
        ([0.1, 0.9, 0.5], [1, 1, 1], [], [1, 2, 0]),
        ([0.5, 0.5, 0.5], [1, 0.1, 1], [], [1, 0, 2]),
        ([0.5, 0.5, 0.5], [0.0101, 0.0100, 0.0099], [], [0, 1, 2]),  # noise reorders nothing
        ([0.1] * 4, [1] * 4, [{3}], [3, 0, 1, 2]),
        ([0.1] * 4, [1] * 4, [{2, 3}, {2, 3}, {1}], [2, 1, 0, 3]),  # 3 catches nobody that 2 did not
        ([0.1] * 4, [1, 1, 1, 100], [{3}], [0, 1, 2, 3]),  # three cheap ones are tried before one that costs far more
    ],
)
def test_likeliest_failure_by_its_cost_first(
    rates: Sequence[float], seconds: Sequence[float], failures: Sequence[set[int]], order: list[int]
) -> None:
    assert likeliest_first(rates, seconds, failures) == order


def cost_to_failure(order: Sequence[int], seconds: Sequence[float], failures: Sequence[set[int]]) -> float:
    """What it costs to catch every failing submission, one after the other."""
    total = 0.0
    for failing in failures:
        for case in order:
            total += seconds[case]
            if case in failing:
                break
    return total


@given(
    st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=1, max_size=8),
    st.lists(st.sampled_from([0.25, 1, 4]), min_size=6, max_size=6),
)
def test_cost_is_within_four_times_of_the_best_order(failures: list[set[int]], seconds: list[float]) -> None:
    greedy = cost_to_failure(likeliest_first([1e-9] * 6, seconds, failures), seconds, failures)
    best = min(cost_to_failure(order, seconds, failures) for order in itertools.permutations(range(6)))
    assert greedy <= 4 * best


def test_independent_cases_are_in_the_best_order_there_is() -> None:
    rates, seconds = [0.02, 0.5, 0.3, 0.9, 0.1], [1.0, 8.0, 1.0, 16.0, 0.25]

    def expected(order: Sequence[int]) -> float:
        reached, total = 1.0, 0.0
        for case in order:
            total += reached * seconds[case]
            reached *= 1 - rates[case]
        return total

    best = min(map(expected, itertools.permutations(range(5))))
    assert expected(likeliest_first(rates, seconds, [])) == pytest.approx(best)


def test_case_order_until_a_case_has_failed() -> None:
    history = History(3)
    for _ in range(5):
        history.note({0: 9.0, 1: 0.1, 2: 0.1}, [])
    assert list(history.order()) == [0, 1, 2]
    history.note({0: 9.0, 1: 0.1, 2: 0.1}, [2])
    assert list(history.order()) == [2, 1, 0]


def test_a_case_that_never_ran_is_tried_before_one_that_always_passed() -> None:
    history = History(3)
    for _ in range(8):
        history.note({0: 0.1, 1: 0.1}, [1])
    assert list(history.order()) == [1, 2, 0]


def test_what_failed_lately_counts() -> None:
    history = History(2)
    for case in [0] * 40 + [1] * 40:
        history.note({case: 0.1}, [case])
    assert history.order()[0] == 1


def test_a_submission_that_fails_every_one_of_many_cases_is_remembered_in_little() -> None:
    history = History(5000)
    for _ in range(100):
        history.note(dict.fromkeys(range(5000), 0.01), range(5000))
    assert sum(map(len, history._sample)) <= 32 * 16
    assert sorted(history.order()) == list(range(5000))


def test_an_order_is_never_of_another_number_of_cases() -> None:
    histories = Histories(most=3, most_cases=100)
    for cases in (60, 70, 2):
        history = histories.of(b"0", cases)
        history.note({0: 1.0}, [0])
        assert sorted(history.order()) == list(range(cases))
    other = histories.of(b"1", 98)
    assert histories.of(b"0", 2) is history  # those replaced take no room
    assert histories.of(b"1", 98) is other


def test_histories_are_bounded_in_problems_and_cases() -> None:
    histories = Histories(most=3, most_cases=100)
    first = histories.of(b"0", 10)
    for key in (b"1", b"2"):
        histories.of(key, 10)
    assert histories.of(b"0", 10) is first
    histories.of(b"3", 10)
    assert len(histories) == 3
    assert histories.of(b"0", 10) is first  # b"1" went
    histories.of(b"4", 95)
    assert len(histories) == 1
    assert len(histories.of(b"5", 1000).order()) == 1000  # one is kept, whatever its size
    assert len(histories) == 1


@pytest.mark.parametrize(
    ("accepted", "given_seconds", "enough"),
    [
        ([], 10, None),
        ([("a", 0.5)], 10, None),
        ([("a", 0.5), ("a", 0.5)], 10, None),  # the same program twice is one
        ([("a", 0.5), ("b", 0.1)], 10, 2.0),
        ([("a", 0.5), ("b", 0.1), ("c", 2.0)], 10, 8.0),
        ([("a", 0.01), ("b", 0.01)], 10, 1.0),  # the floor
        ([("a", 0.5), ("b", 0.1)], 2.0, None),  # never above the given one
        ([("a", 0.01), ("b", 0.01)], 0.5, None),
    ],
)
def test_a_learned_limit_is_a_multiple_of_the_slowest_accepted(
    accepted: Sequence[tuple[str, float]], given_seconds: float, enough: float | None
) -> None:
    history = History(1)
    for program, seconds in accepted:
        history.note_accepted("python", program.encode(), seconds, RULE)
    assert history.enough_seconds("python", given_seconds, RULE) == enough
    assert history.enough_seconds("cpp", given_seconds, RULE) is None  # of another language, another speed


@pytest.mark.parametrize("seed", range(5))
def test_a_learned_order_catches_new_failing_submissions_sooner(seed: int) -> None:
    """Submissions that fail by one of a few faults, as a model's do, each judged up to its first failure only."""
    chance = random.Random(seed)  # ruff: ignore[suspicious-non-cryptographic-random-usage] - to be repeated
    faults = [frozenset(chance.sample(range(50), chance.randint(1, 4))) for _ in range(6)]
    history, ran, in_order = History(50), 0, 0
    for _ in range(300):
        failing = chance.choice(faults)
        for case in history.order():
            ran += 1
            if case in failing:
                history.note({case: 0.01}, [case])
                break
        in_order += min(failing) + 1
    assert ran < in_order / 2
