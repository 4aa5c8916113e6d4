"""A judge on real slots that learns: order, sharing, remembered verdicts, learned limits; and that none of it changes a reward."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable, SandboxError
from scalebox.core.limits import Limits
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.result import Origin
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.judge import local
from scalebox.judge.identity import problem_key
from scalebox.judge.local import LocalJudge

pytestmark = pytest.mark.sandbox

STOP = JudgeOptions(stop_on_failure=True)
LEARNED = JudgeOptions(learned_limits=True)
SPIN = "\nwhile True: pass"
DOUBLE = "n = int(input())\nprint(2 * n)"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def judge() -> AsyncIterator[LocalJudge]:
    """A judge of two slots that remembers verdicts."""
    try:
        async with open_judge(Settings(slots=2, verdict_cache_mb=1, learned_limit_programs=2)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


def doubles(count: int, seed: int, cpu_seconds: float = 10.0) -> Problem:
    """A problem of its own for every seed: print twice the number."""
    tests = [
        StdioCase(name=str(n), input=b"%d\n" % (n + seed), answer=b"%d\n" % (2 * (n + seed))) for n in range(count)
    ]
    return Problem(tests=tests, limits=Limits(cpu_seconds=cpu_seconds, wall_seconds=60))


def wrong_from(number: int, note: str = "") -> Submission:
    """Doubles correctly below a number only."""
    return python(f"n = int(input())\nprint(2 * n if n < {number} else 'no')  # {note}")


def python(source: str) -> Submission:
    """A Python submission."""
    return Submission(source=source, language="python")


@pytest.mark.parametrize("learn", [True, False])
async def test_the_second_failing_submission_runs_fewer_cases(learn: bool) -> None:
    problem = doubles(6, seed=1000)
    submissions = [wrong_from(1005, "one"), wrong_from(1005, "two"), python(DOUBLE)]
    async with open_judge(Settings(slots=1, share=False, learn_order=learn)) as judge:
        judgements = [await judge.judge(submission, problem, STOP) for submission in submissions]
    assert [judgement.verdict for judgement in judgements] == [Verdict.WA, Verdict.WA, Verdict.AC]
    ran = [judgement.ran for judgement in judgements]
    if learn:  # one case, unless another waited for a CPU so much that the failing one seems dear beside it
        assert (ran[0], ran[2]) == (6, 6)
        assert ran[1] < 6
    else:
        assert ran == [6, 6, 6]
    assert judgements[1].cases[5].verdict is Verdict.WA


async def test_in_order_everything_before_the_first_failure_ran(judge: LocalJudge) -> None:
    problem = doubles(8, seed=2000)
    for note in ("one", "two"):
        judgement = await judge.judge(wrong_from(2006, note), problem, replace(STOP, in_order=True))
        assert [case.verdict for case in judgement.cases[:7]] == [Verdict.AC] * 6 + [Verdict.WA]


async def test_a_case_that_no_longer_matters_is_ended_at_once(judge: LocalJudge) -> None:
    problem = doubles(2, seed=3000, cpu_seconds=50)
    source = "import time\nn = int(input())\nwhile n == 3000: pass\ntime.sleep(0.3)\nprint('no')"
    async with asyncio.timeout(25):  # of 50 CPU seconds that the first would take
        judgement = await judge.judge(python(source), problem, STOP)
    assert (judgement.verdict, judgement.reward) == (Verdict.WA, 0.0)
    assert [case.verdict for case in judgement.cases] == [Verdict.SK, Verdict.WA]
    assert (await judge.health()).busy == 0
    assert (await judge.judge(python(DOUBLE), problem, STOP)).verdict is Verdict.AC


SLOW = python(f"import time; time.sleep(0.5)\n{DOUBLE}  # slow")


async def test_identical_submissions_at_one_time_are_run_once(judge: LocalJudge) -> None:
    problem = doubles(1, seed=4000)
    asked = [JudgeOptions(id=str(number)) for number in range(4)]
    judgements = await asyncio.gather(*(judge.judge(SLOW, problem, options) for options in asked))
    assert [judgement.verdict for judgement in judgements] == [Verdict.AC] * 4
    assert [judgement.origin for judgement in judgements] == [Origin.RUN] + [Origin.SHARED] * 3
    assert [judgement.id for judgement in judgements] == ["0", "1", "2", "3"]
    assert len({judgement.usage.wall_seconds for judgement in judgements}) == 1


@pytest.mark.parametrize(
    "other",
    [JudgeOptions(fresh=True), JudgeOptions(keep_output=True), JudgeOptions(stop_on_failure=True)],
)
async def test_other_options_are_run_apart(judge: LocalJudge, other: JudgeOptions) -> None:
    problem = doubles(1, seed=5000)
    judgements = await asyncio.gather(*(judge.judge(SLOW, problem, options) for options in (JudgeOptions(), other)))
    assert Origin.SHARED not in {judgement.origin for judgement in judgements}


async def test_a_short_deadline_is_nobody_elses(judge: LocalJudge) -> None:
    problem = doubles(1, seed=6000)
    hasty, patient = await asyncio.gather(
        judge.judge(SLOW, problem, JudgeOptions(deadline_seconds=0.1)), judge.judge(SLOW, problem)
    )
    assert (hasty.verdict, hasty.reason) == (Verdict.IE, "deadline")
    assert (patient.verdict, patient.origin) == (Verdict.AC, Origin.SHARED)


async def test_the_first_to_ask_may_leave(judge: LocalJudge) -> None:
    problem = doubles(1, seed=7000)
    tasks = [asyncio.create_task(judge.judge(SLOW, problem)) for _ in range(2)]
    await asyncio.sleep(0.1)
    tasks[0].cancel()
    assert (await tasks[1]).verdict is Verdict.AC
    assert tasks[0].cancelled()


async def test_our_failure_is_not_shared(judge: LocalJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, failures, ready = doubles(1, seed=8000), ["a slot died"], judge._judges_ready

    async def failing_once(problem: Problem) -> None:
        await asyncio.sleep(0.05)
        if failures:
            raise SandboxError(failures.pop())
        await ready(problem)

    monkeypatch.setattr(judge, "_judges_ready", failing_once)
    first, second = await asyncio.gather(judge.judge(SLOW, problem), judge.judge(SLOW, problem))
    assert (first.verdict, second.verdict) == (Verdict.IE, Verdict.AC)
    assert second.origin is Origin.RUN


async def test_after_a_shared_failure_of_ours_each_goes_on_alone_and_at_once(
    judge: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    others, runs = 4, 0
    together = asyncio.Event()

    async def failing(_: Problem) -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            await asyncio.sleep(0.05)
        elif runs == 1 + others:
            together.set()
        if runs > 1:
            await together.wait()  # for ever, where one is run after the other
        msg = "a slot died"
        raise SandboxError(msg)

    monkeypatch.setattr(judge, "_judges_ready", failing)
    problem, patient = doubles(1, seed=8500), JudgeOptions(deadline_seconds=60)
    judgements = await asyncio.gather(*(judge.judge(SLOW, problem, patient) for _ in range(1 + others)))
    assert [judgement.reason for judgement in judgements] == ["a slot died"] * (1 + others)
    assert runs == 1 + others


async def test_a_large_problem_is_hashed_once_and_beside_the_loop(
    judge: LocalJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[bool] = []

    def noted(problem: Problem) -> bytes | None:
        threads.append(threading.current_thread() is threading.main_thread())
        return problem_key(problem)

    monkeypatch.setattr(local, "problem_key", noted)
    large = Problem(tests=[StdioCase(name="0", input=b"1\n" + b" " * (2 << 20), answer=b"2\n")])
    small = Problem(tests=[StdioCase(name="0", input=b"1\n", answer=b"2\n")])
    for problem in (large, small):
        judgements = await asyncio.gather(*(judge.judge(python(f"{DOUBLE}  # {n}"), problem) for n in range(3)))
        assert [judgement.verdict for judgement in judgements] == [Verdict.AC] * 3
    assert threads == [False, True]


@pytest.mark.parametrize("submission", [python(DOUBLE), wrong_from(0)])
async def test_a_remembered_judgement_says_so(judge: LocalJudge, submission: Submission) -> None:
    problem = doubles(3, seed=9000)
    first, second = [await judge.judge(submission, problem) for _ in range(2)]
    again = await judge.judge(submission, problem, JudgeOptions(fresh=True))
    assert [told.origin for told in (first, second, again)] == [Origin.RUN, Origin.CACHED, Origin.RUN]
    assert (second.verdict, second.cases, second.usage) == (first.verdict, first.cases, first.usage)
    assert second.id != first.id


async def test_a_problem_that_was_changed_is_judged_as_it_is_now(judge: LocalJudge) -> None:
    tests = [*doubles(2, seed=9500).tests]
    problem = Problem(tests=tests)
    assert (await judge.judge(python(DOUBLE), problem, STOP)).verdict is Verdict.AC
    tests.append(StdioCase(name="2", input=b"1\n", answer=b"3\n"))
    changed = await judge.judge(python(DOUBLE), problem, STOP)
    assert (changed.verdict, changed.origin, len(changed.cases)) == (Verdict.WA, Origin.RUN, 3)
    assert (await judge.judge(wrong_from(0), problem, STOP)).verdict is Verdict.WA


@pytest.mark.parametrize("source", [f"x = 1{SPIN}", "print("])
async def test_what_is_doubtful_is_judged_anew(judge: LocalJudge, source: str) -> None:
    problem = doubles(1, seed=10_000, cpu_seconds=0.3)
    origins = [(await judge.judge(python(source), problem)).origin for _ in range(2)]
    assert origins == [Origin.RUN] * 2


async def test_learned_limits(judge: LocalJudge) -> None:
    problem = doubles(2, seed=11_000, cpu_seconds=8)
    spin = python(f"n = int(input()){SPIN}")
    for note in ("a", "a", "b"):
        options = replace(LEARNED, fresh=True)
        judgement = await judge.judge(python(f"{DOUBLE}  # {note}"), problem, options)
        assert (judgement.verdict, judgement.learned_cpu_seconds) == (Verdict.AC, None)
    learned = await judge.judge(spin, problem, replace(LEARNED, stop_on_failure=True))
    assert learned.learned_cpu_seconds is not None
    assert 1.0 <= learned.learned_cpu_seconds < 8
    assert (learned.verdict, learned.reward) == (Verdict.TLE, 0.0)
    [failed] = [case for case in learned.cases if case.verdict is Verdict.TLE]
    assert "was learned, 8 s were given" in (failed.reason or "")
    assert failed.usage.cpu_seconds < 8
    given = await judge.judge(python(DOUBLE), replace(problem, tests=problem.tests[:1]), LEARNED)  # another problem
    assert given.learned_cpu_seconds is None
    unasked = await judge.judge(python(f"{DOUBLE}  # c"), problem)
    assert unasked.learned_cpu_seconds is None


async def test_sharing_can_be_switched_off() -> None:
    async with open_judge(Settings(slots=1, share=False)) as judge:
        judgements = await asyncio.gather(*(judge.judge(SLOW, doubles(1, seed=12_000)) for _ in range(2)))
    assert [judgement.origin for judgement in judgements] == [Origin.RUN] * 2
