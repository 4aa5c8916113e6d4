"""Keys of problems: the same for the same content, another for any difference that could matter, kept no longer than the problem."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import cast

import pytest

from scalebox.core.limits import Limits
from scalebox.core.problem import (
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    GroupRule,
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
    Tolerance,
)
from scalebox.core.submission import JudgeOptions, Priority
from scalebox.judge.identity import ProblemKeys, problem_key
from scalebox.judge.recall import Recall, RecallSettings

STDIO = StdioCase(name="0", input=b"1\n", answer=b"2\n")
CALL = CallCase(name="0", function="f", args=[1, [2.0]], answer={"a": [True]})
ASSERT = AssertCase(name="0", code="assert f()", style=AssertStyle.BARE)
INTERACTIVE = InteractiveCase(name="0", input=b"1")

DIFFERENT = [
    Problem(tests=[STDIO]),
    Problem(tests=[STDIO, STDIO]),
    Problem(tests=[replace(STDIO, input=b"1")]),
    Problem(tests=[replace(STDIO, input=b"1\n2", answer=b"\n")]),  # the same bytes, divided elsewhere
    Problem(tests=[replace(STDIO, name="1")]),
    Problem(tests=[replace(STDIO, weight=2.0)]),
    Problem(tests=[replace(STDIO, args=["a"])]),
    Problem(tests=[replace(STDIO, args=["a', 'b"])]),
    Problem(tests=[replace(STDIO, args=["a", "b"])]),
    Problem(tests=[replace(STDIO, files={"a": b"1"})]),
    Problem(tests=[replace(STDIO, checker=CheckerSpec(name="exact"))]),
    Problem(tests=[STDIO], checker=CheckerSpec(name="exact")),
    Problem(tests=[STDIO], limits=Limits(cpu_seconds=1)),
    Problem(tests=[CALL]),
    Problem(tests=[replace(CALL, args=[1, [2]])]),  # an integer is no float
    Problem(tests=[replace(CALL, args=[True, [2.0]])]),
    Problem(tests=[replace(CALL, args=[1, (2.0,)])]),
    Problem(tests=[replace(CALL, args=[1, [-0.0]])]),
    Problem(tests=[replace(CALL, args=[1, [0.0]])]),
    Problem(tests=[replace(CALL, kwargs={"a": 1})]),
    Problem(tests=[replace(CALL, answer={"a": [1]})]),
    Problem(tests=[replace(CALL, tolerance=Tolerance(absolute=1))]),
    Problem(tests=[replace(CALL, mutated=0)]),
    Problem(tests=[ASSERT]),
    Problem(tests=[replace(ASSERT, code="assert g()")]),
    Problem(tests=[INTERACTIVE]),
]


def test_different_problems_have_different_keys() -> None:
    keys = {problem_key(problem) for problem in DIFFERENT}
    assert None not in keys
    assert len(keys) == len(DIFFERENT)


@pytest.mark.parametrize("problem", DIFFERENT)
def test_a_copy_has_the_same_key(problem: Problem) -> None:
    copy = replace(problem, tests=[replace(case) for case in problem.tests])
    assert problem_key(copy) == problem_key(problem)


def test_values_that_are_no_plain_data_have_no_key() -> None:
    nested: list[object] = []
    for _ in range(5000):
        nested = [nested]
    for value in (object(), nested):
        assert problem_key(Problem(tests=[replace(CALL, answer=value)])) is None
    assert problem_key(Problem(tests=[replace(CALL, answer=10**9999)])) is not None


async def test_a_key_is_made_once_and_kept_for_as_long_as_the_problem() -> None:
    keys, made = ProblemKeys(), 0
    problem = Problem(tests=[STDIO])

    async def make() -> bytes | None:
        nonlocal made
        made += 1
        await asyncio.sleep(0)
        return b"key"

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(keys.of(problem, make)) for _ in range(3)]
    assert [task.result() for task in tasks] == [b"key"] * 3
    assert await keys.of(problem, make) == b"key"
    assert made == 1
    del problem, tasks, group
    gc.collect()
    assert not keys._known
    assert not keys._making


def changes() -> Iterator[tuple[str, Problem, Callable[[], object]]]:
    """Problems, and what changes each."""
    program = ProgramText(language="python", files={"a.py": "1"}, entry="a.py")
    checker = ProgramChecker(protocol=CheckerProtocol.ARGV, program=program, order=["input"], flags=["a"])
    files = cast("dict[str, str]", program.files)
    flags, order = cast("list[str]", checker.flags), cast("list[str]", checker.order)
    tests: list[TestCase] = [STDIO]
    yield "case", Problem(tests=tests), partial(tests.__setitem__, 0, replace(STDIO, answer=b"3\n"))
    more: list[TestCase] = [STDIO]
    yield "more cases", Problem(tests=more), partial(more.append, STDIO)
    same: list[TestCase] = [replace(CALL, args=[1], answer=1)]  # equal to the one that takes its place
    yield "type", Problem(tests=same), partial(same.__setitem__, 0, replace(CALL, args=[True], answer=1))
    args: list[str] = []
    yield "args", Problem(tests=(replace(STDIO, args=args),)), partial(args.append, "a")
    laid: dict[str, bytes] = {}
    yield "files", Problem(tests=(replace(STDIO, files=laid),)), partial(laid.__setitem__, "a", b"1")
    groups = {"a": GroupRule.SUM}
    yield "groups", Problem(tests=(STDIO,), groups=groups), partial(groups.__setitem__, "a", GroupRule.MIN)
    yield "checker's files", Problem(tests=(STDIO,), checker=checker), partial(files.__setitem__, "a.py", "2")
    yield "checker's flags", Problem(tests=(STDIO,), checker=checker), partial(flags.append, "b")
    yield "case's checker", Problem(tests=(replace(STDIO, checker=checker),)), partial(order.append, "answer")
    interactor = Interactor(protocol=InteractorProtocol.GCJ, program=program)
    yield "interactor", Problem(tests=(INTERACTIVE,), interactor=interactor), partial(files.__setitem__, "b.py", "")
    told: list[str] = []
    yield "interactor's args", Problem(tests=(replace(INTERACTIVE, args=told),)), partial(told.append, "a")
    stops: list[str] = []
    yield "stop tokens", Problem(tests=(replace(ASSERT, stop_tokens=stops),)), partial(stops.append, "a")
    values: list[object] = [1]
    yield "value", Problem(tests=(replace(CALL, args=values, answer=1),)), partial(values.__setitem__, 0, True)
    deep: list[object] = [1]
    yield "deep value", Problem(tests=(replace(CALL, args=(deep,)),)), partial(deep.append, 2)
    kwargs: dict[str, object] = {}
    yield "kwargs", Problem(tests=(replace(CALL, args=(), answer=1, kwargs=kwargs),)), partial(kwargs.update, a=1)


@pytest.mark.parametrize(("problem", "change"), [row[1:] for row in changes()], ids=[row[0] for row in changes()])
async def test_a_problem_that_was_changed_has_another_key(problem: Problem, change: Callable[[], object]) -> None:
    keys = ProblemKeys()

    async def make() -> bytes | None:
        await asyncio.sleep(0)
        return problem_key(problem)

    before = [await keys.of(problem, make) for _ in range(2)]
    change()
    after = [await keys.of(problem, make) for _ in range(2)]
    assert before == [before[0]] * 2
    assert after == [problem_key(problem)] * 2
    assert None not in {before[0], after[0]}
    assert after[0] != before[0]


async def test_who_asks_after_a_change_does_not_wait_for_the_key_before_it() -> None:
    keys, gate = ProblemKeys(), asyncio.Event()
    tests: list[TestCase] = [STDIO]
    problem = Problem(tests=tests)

    async def make() -> bytes | None:
        key = problem_key(problem)
        await gate.wait()
        return key

    before = asyncio.create_task(keys.of(problem, make))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    tests.append(STDIO)
    after = asyncio.create_task(keys.of(problem, make))
    await asyncio.sleep(0)
    gate.set()
    assert await before == problem_key(Problem(tests=[STDIO]))
    assert [await after, await keys.of(problem, make)] == [problem_key(problem)] * 2
    assert not keys._making


async def test_constants_are_hashed_once_and_values_that_may_change_each_time() -> None:
    made = 0

    async def make() -> bytes | None:
        nonlocal made
        made += 1
        await asyncio.sleep(0)
        return b"key"

    keys = ProblemKeys()
    for value, times in (((1, ("a", None)), 1), ([1], 3)):
        problem, made = Problem(tests=[replace(CALL, args=[value], answer=2.0)]), 0
        for _ in range(3):
            await keys.of(problem, make)
        assert made == times


async def test_a_problem_at_the_address_of_one_that_is_gone_has_a_key_of_its_own() -> None:
    """Whoever asked for the first gave up, and it is gone as soon as its key is made."""
    keys, gate = ProblemKeys(), asyncio.get_running_loop().create_future()

    class Make:
        def __init__(self, problem: Problem) -> None:
            self.problem = problem

        async def __call__(self) -> bytes | None:
            await gate
            return problem_key(self.problem)

    def ask() -> tuple[asyncio.Task[bytes | None], weakref.ref[Problem], int]:
        problem = Problem(tests=[STDIO])
        return asyncio.create_task(keys.of(problem, Make(problem))), weakref.ref(problem), id(problem)

    async def asks_next() -> bytes | None:
        await gate
        assert gone() is None
        another = [Problem(tests=[CALL]) for _ in range(64)]
        there = next((problem for problem in another if id(problem) == address), another[0])
        return await keys.of(there, Make(there))

    asking, gone, address = ask()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait({asking})
    del asking
    following = asyncio.create_task(asks_next())
    await asyncio.sleep(0)
    gate.set_result(None)
    assert await following == problem_key(Problem(tests=[CALL]))


PLACE = ("1", "strict", "3.11")


def test_a_judgements_key_covers_all_that_changes_it() -> None:
    recall, options = Recall(RecallSettings()), JudgeOptions()
    keys = [
        recall.judgement_key(b"p", "python", "x", options, PLACE),
        recall.judgement_key(b"q", "python", "x", options, PLACE),
        recall.judgement_key(b"p", "cpp", "x", options, PLACE),
        recall.judgement_key(b"p", "python", "x # 2", options, PLACE),
        recall.judgement_key(b"p", "python", "x", options, ("1", "standard", "3.11")),
        recall.judgement_key(b"p", "python", "x", options, ("1", "strict", "3.12")),
        recall.judgement_key(b"p", "python", "x", options, ("2", "strict", "3.11")),
        *(
            recall.judgement_key(b"p", "python", "x", changed, PLACE)
            for changed in (
                JudgeOptions(stop_on_failure=True),
                JudgeOptions(stop_on_failure=True, in_order=True),
                JudgeOptions(hardened_only=True),
                JudgeOptions(keep_output=True),
                JudgeOptions(learned_limits=True),
                JudgeOptions(priority=Priority.INTERACTIVE),
                JudgeOptions(tenant="rl"),
            )
        ),
    ]
    assert None not in keys
    assert len(set(keys)) == len(keys)


def test_who_asks_and_how_long_he_waits_change_nothing() -> None:
    recall = Recall(RecallSettings())
    asked = [JudgeOptions(), JudgeOptions(id="a", deadline_seconds=1), JudgeOptions(fresh=True)]
    assert len({recall.judgement_key(b"p", "python", "x", options, PLACE) for options in asked}) == 1


@pytest.mark.parametrize(
    ("problem", "settings"), [(None, RecallSettings()), (b"p", RecallSettings(share=False, verdict_bytes=0))]
)
def test_there_is_no_key_where_none_can_be_or_none_is_wanted(problem: bytes | None, settings: RecallSettings) -> None:
    assert Recall(settings).judgement_key(problem, "python", "x", JudgeOptions(), PLACE) is None
