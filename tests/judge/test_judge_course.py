"""The run of the cases: whatever the order and the slots, AC or not and the reward are those of a run of all; nothing is left running."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalebox.core.problem import StdioCase
from scalebox.core.result import CaseResult
from scalebox.core.verdict import AGAINST, Verdict, overall, reward
from scalebox.judge.course import Course, SlotSource, Stop
from scalebox.judge.plan import Mode, Step
from scalebox.languages.catalogue import load_languages
from scalebox.runner.pool import Pair

PYTHON: Final = next(language for language in load_languages() if language.id == "python")
VERDICTS: Final = [Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.RTE, Verdict.JE, Verdict.IE]
LETTERS: Final = MappingProxyType({verdict.value[0]: verdict for verdict in (Verdict.AC, Verdict.WA, Verdict.JE)})
ENDLESS: Final = 10**6


@dataclass
class Slots:
    """Slots in memory; a case takes as many turns of the loop as it is said to."""

    count: int
    verdicts: Sequence[Verdict]
    turns: Sequence[int]
    wanted: Sequence[bool] = (False,)
    free: asyncio.Semaphore = field(init=False)
    started: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    cancelled: list[int] = field(default_factory=list)
    held: int = 0
    asked: int = 0

    def __post_init__(self) -> None:
        self.free = asyncio.Semaphore(self.count)

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncGenerator[Pair, None]:
        """A slot."""
        async with self.free:
            self.held += 1
            try:
                yield cast("Pair", None)
            finally:
                self.held -= 1

    def is_wanted(self) -> bool:
        """Whether somebody else wants the slot."""
        self.asked += 1
        return self.wanted[self.asked % len(self.wanted)]

    async def run(self, _pair: Pair, step: Step) -> CaseResult:
        """Take a case's turns."""
        self.started.append(step.index)
        try:
            for _ in range(self.turns[step.index]):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.cancelled.append(step.index)
            raise
        self.ended.append(step.index)
        return CaseResult(name=str(step.index), verdict=self.verdicts[step.index])


def steps_of(order: Sequence[int]) -> list[Step]:
    """The steps to start, in that order."""
    case = StdioCase(name="", input=b"", answer=b"")
    return [Step(index=index, case=case, mode=Mode.STDIO, source=b"", language=PYTHON) for index in order]


async def judged(slots: Slots, order: Sequence[int], stop: Stop, most: int | None = None) -> list[Verdict]:
    """The verdicts by case."""
    cases = [CaseResult(name=str(index), verdict=Verdict.SK) for index in range(len(order))]
    course = Course(steps_of(order), cases, slots.run, stop)
    await course.over(SlotSource(lease=slots.lease, wanted=slots.is_wanted, most=most or slots.count))
    assert slots.held == 0
    assert sorted(course.seconds) == sorted(slots.ended)
    assert not course._workers
    return [case.verdict for case in cases]


@settings(deadline=None)
@given(st.data(), st.integers(1, 9), st.integers(1, 4))
async def test_order_and_slots_change_neither_acceptance_nor_reward(
    data: st.DataObject, count: int, slots: int
) -> None:
    verdicts = data.draw(st.lists(st.sampled_from(VERDICTS), min_size=count, max_size=count))
    turns = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    wanted = data.draw(st.lists(st.booleans(), min_size=1, max_size=4))
    order = data.draw(st.permutations(range(count)))
    every = await judged(Slots(slots, verdicts, turns, wanted), range(count), Stop.NEVER)
    assert every == verdicts
    due = reward(overall(verdicts))
    stopped = await judged(Slots(slots, verdicts, turns, wanted), order, Stop.AT_ONCE)
    in_order = await judged(Slots(slots, verdicts, turns, wanted), range(count), Stop.IN_ORDER)
    for found in (stopped, in_order):
        assert (overall(found) is Verdict.AC) is (overall(verdicts) is Verdict.AC)
        assert reward(overall(found)) == due
        assert all(mine in {Verdict.SK, theirs} for mine, theirs in zip(found, verdicts, strict=True))
    if due is None or due:
        assert stopped == in_order == verdicts  # nothing to stop at
    else:
        first = next(number for number, verdict in enumerate(verdicts) if verdict in AGAINST)
        assert in_order[: first + 1] == verdicts[: first + 1]
        assert overall(in_order) is verdicts[first]


@pytest.mark.parametrize(
    ("stop", "left", "cancelled"),
    [(Stop.NEVER, "AWAA", []), (Stop.AT_ONCE, "_W__", [0, 2, 3]), (Stop.IN_ORDER, "AW__", [2, 3])],
)
async def test_what_a_failure_ends(stop: Stop, left: str, cancelled: list[int]) -> None:
    verdicts = [Verdict.AC, Verdict.WA, Verdict.AC, Verdict.AC]
    slots = Slots(4, verdicts, turns=[50, 20, 60, 60])
    found = await judged(slots, range(4), stop)
    assert found == [LETTERS.get(letter, Verdict.SK) for letter in left]
    assert sorted(slots.cancelled) == cancelled


async def test_a_case_is_ended_once_however_many_fail_before_it() -> None:
    """What is told to end takes its time for that; in the middle of it, the next failure must not disturb it."""

    class Slow(Slots):
        disturbed = 0

        async def run(self, pair: Pair, step: Step) -> CaseResult:
            try:
                return await super().run(pair, step)
            except asyncio.CancelledError:
                try:
                    for _ in range(30):
                        await asyncio.sleep(0)
                except asyncio.CancelledError:
                    self.disturbed += 1
                raise

    slots = Slow(4, [Verdict.WA] * 4, turns=[30, 25, 20, ENDLESS])
    assert await judged(slots, range(4), Stop.IN_ORDER) == [Verdict.WA] * 3 + [Verdict.SK]
    assert (slots.cancelled, slots.disturbed) == ([3], 0)


async def test_a_judges_failure_ends_nothing() -> None:
    slots = Slots(2, [Verdict.JE, Verdict.IE, Verdict.AC], turns=[1, 1, 9])
    assert await judged(slots, range(3), Stop.AT_ONCE) == [Verdict.JE, Verdict.IE, Verdict.AC]


async def test_an_endless_case_is_not_waited_for_once_another_failed() -> None:
    slots = Slots(2, [Verdict.AC, Verdict.WA], turns=[ENDLESS, 3])
    assert await judged(slots, range(2), Stop.AT_ONCE) == [Verdict.SK, Verdict.WA]


async def test_nobody_waits_for_a_slot_when_no_case_is_left_to_start() -> None:
    """The second slot is never given: whoever waits for it must not hold up the end."""
    slots = Slots(1, [Verdict.AC] * 3, turns=[2, 2, 2])
    assert await judged(slots, range(3), Stop.NEVER, most=5) == [Verdict.AC] * 3
    assert slots.started == [0, 1, 2]


async def test_slots_are_all_used_and_never_more_than_allowed() -> None:
    slots = Slots(8, [Verdict.AC] * 20, turns=[40] * 20)
    most = 0

    async def watch() -> None:
        nonlocal most
        while len(slots.ended) < 20:
            most = max(most, slots.held)
            await asyncio.sleep(0)

    watching = asyncio.create_task(watch())
    await judged(slots, range(20), Stop.NEVER, most=5)
    await watching
    assert most == 5


async def test_cancelling_the_run_ends_every_case() -> None:
    slots = Slots(3, [Verdict.AC] * 5, turns=[ENDLESS] * 5)
    task = asyncio.create_task(judged(slots, range(5), Stop.NEVER))
    for _ in range(20):
        await asyncio.sleep(0)
    assert slots.started == [0, 1, 2]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (slots.held, sorted(slots.cancelled)) == (0, [0, 1, 2])
