"""HttpJudge against the real application: nothing is lost on the way, and only what is safe is tried again."""

from __future__ import annotations

import math
from collections.abc import Callable

import httpx2
import pytest

from scalebox.api.app import create_app
from scalebox.client.client import HttpJudge
from scalebox.client.mock import MockJudge
from scalebox.client.retry import RetryPolicy, may_retry
from scalebox.config import Settings
from scalebox.core.errors import (
    DeadlineExceeded,
    JudgeUnreachable,
    LanguageUnavailable,
    QueueFull,
    RequestError,
    ScaleBoxError,
)
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerSpec,
    Problem,
    StdioCase,
    Tolerance,
    UnitCase,
)
from scalebox.core.result import RunReport
from scalebox.core.submission import Completion, ExtractionPolicy, JudgeOptions, Parts, RunSpec, Submission
from scalebox.core.verdict import Verdict

SUBMISSION = Submission(source="print('é')", language="python")
PROBLEM = Problem(
    tests=[
        StdioCase(name="a", group="g", weight=2.0, input=b"\xff\0", answer=b"", args=("x",), files={"d/f": b"\xfe"}),
        CallCase(
            name="b",
            checker=CheckerSpec(name="floats", absolute=0.5),
            function="Solution().f",
            args=((1, 2), {3}, {1: b"x"}, math.inf, 10**30),
            kwargs={"k": {"$float": "a dict"}},
            answer=[None],
            mutated=1,
            tolerance=Tolerance(absolute=0.1),
            arg_types=(None, None, None, "ListNode", None),
            return_type="List[TreeNode]",
        ),
        StdioCase(name="d", input=b"", answer=b"1", checker=CheckerSpec(name="unordered", unit="tokens", as_set=True)),
        StdioCase(name="e", input=b"", answer=b"1", checker=CheckerSpec(name="unordered", tokens_any_order=True)),
        StdioCase(name="f", input=b"", answer=b"1", checker=CheckerSpec(name="tokens", ordered=False)),
        AssertCase(name="c", code="assert f", style=AssertStyle.CHECK, entry_point="f", prompt="p", stop_tokens=("#",)),
        UnitCase(
            name="u", framework="pytest", files={"b/t.py": "é", "a.py": ""}, program="s.py", tests=("t",), partial=True
        ),
    ],
    checker=CheckerSpec(name="lines", case_sensitive=False),
    limits=Limits(cpu_seconds=0.5, wall_seconds=3.0, memory_bytes=100 * MIB, processes=3),
)
AT_ONCE = RetryPolicy(first_pause=0.0, longest_pause=0.0)


def over(mock: MockJudge, policy: RetryPolicy = AT_ONCE, api_key: str | None = None) -> HttpJudge:
    """A client of an application over this judge."""
    transport = httpx2.ASGITransport(app=create_app(mock, Settings()))
    return HttpJudge("http://scalebox", policy=policy, transport=transport, api_key=api_key)


def answering(*replies: Callable[[], httpx2.Response]) -> HttpJudge:
    """A client of a server that gives these replies, then fails the test."""
    waiting = list(replies)
    return HttpJudge("http://x", policy=AT_ONCE, transport=httpx2.MockTransport(lambda _: waiting.pop(0)()))


@pytest.mark.parametrize("options", [JudgeOptions(), JudgeOptions(stop_on_failure=True, keep_output=True, id="i")])
async def test_a_judgement_is_the_same_over_http(options: JudgeOptions) -> None:
    mock = MockJudge(verdict_of=lambda _source, case: Verdict.WA if case.name == "b" else Verdict.AC, output=b"\xff")
    near = await mock.judge(SUBMISSION, PROBLEM, options)
    async with over(mock) as judge:
        far = await judge.judge(SUBMISSION, PROBLEM, options)
    first, second = mock.calls
    assert second[:2] == first[:2]
    assert second[2].deadline_seconds <= options.deadline_seconds
    assert (far.verdict, far.score, far.versions, far.node) == (near.verdict, near.score, near.versions, near.node)
    assert [case.verdict for case in far.cases] == [case.verdict for case in near.cases]
    assert [case.stdout for case in far.cases] == [case.stdout for case in near.cases]
    assert far.usage == near.usage
    assert far.isolation == near.isolation


async def test_a_completion_a_run_and_the_rest() -> None:
    mock = MockJudge()
    spec = RunSpec(stdin=b"\xff", args=("a",), files={"f": b"\0"}, fetch_files=("f",), limits=Limits(disk_bytes=MIB))
    async with over(mock) as judge:
        completion = Completion(text="t", policy=ExtractionPolicy(parts=Parts.ALL, unfenced=False))
        judgement = await judge.judge(completion, PROBLEM, JudgeOptions(keep_output=True))
        report = await judge.run(SUBMISSION, spec)
        assert list(await judge.languages()) == list(await mock.languages())
        assert await judge.health() == await mock.health()
    assert judgement.extraction is not None
    assert judgement.extraction.source == "t"
    assert report == await mock.run(SUBMISSION, spec)
    assert mock.runs[0] == mock.runs[1]
    assert mock.calls[0][0] == completion


async def test_a_run_that_did_not_compile_has_no_run() -> None:
    near = await MockJudge().run(SUBMISSION, RunSpec())
    mock = MockJudge(report=RunReport(run=None, compile=None, extraction=None, isolation=near.isolation))
    async with over(mock) as judge:
        assert await judge.run(SUBMISSION, RunSpec()) == mock.report


async def test_a_full_queue_is_tried_again_with_the_same_id() -> None:
    mock = MockJudge(errors=[QueueFull(0.0)])
    async with over(mock) as judge:
        with pytest.raises(QueueFull):  # the server asks for a second, and there is none
            await judge.judge(SUBMISSION, PROBLEM, JudgeOptions(deadline_seconds=0.5))
        assert (await judge.judge(SUBMISSION, PROBLEM, JudgeOptions())).verdict is Verdict.AC


async def test_broken_replies_are_tried_again() -> None:
    good = await MockJudge().run(SUBMISSION, RunSpec())
    body = b'{"exit_code":0,"signal":null,"limit":null,"reason":null,"stdout":"","stderr":"","files":{},"usage":'
    body += b'{"cpu_s":0,"wall_s":0,"memory_bytes":0},"compile":null,"extraction":null,"isolation":{"level":"none","walls":[]}}'

    def broken() -> httpx2.Response:
        raise httpx2.ReadError("reset")

    async with answering(broken, lambda: httpx2.Response(502), lambda: httpx2.Response(200, content=body)) as judge:
        assert (await judge.run(SUBMISSION, RunSpec())).isolation == good.isolation


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (httpx2.Response(500), JudgeUnreachable),
        (httpx2.Response(200, content=b"<html>"), JudgeUnreachable),
        (httpx2.Response(200, content=b"{}"), JudgeUnreachable),
        (httpx2.Response(404, content=b'{"detail":"x"}'), JudgeUnreachable),
    ],
)
async def test_what_makes_no_sense_is_an_error(reply: httpx2.Response, error: type[ScaleBoxError]) -> None:
    async with answering(lambda: reply) as judge:
        with pytest.raises(error):
            await judge.run(SUBMISSION, RunSpec())


async def test_errors_keep_their_kind() -> None:
    mock = MockJudge()
    async with over(mock) as judge:
        with pytest.raises(LanguageUnavailable) as unknown:
            await judge.judge(Submission(source="", language="klingon"), PROBLEM, JudgeOptions())
        assert unknown.value.field == "language"
        assert unknown.value.hint
        mock.errors.append(RequestError("no", field="problem", code="odd"))
        with pytest.raises(RequestError, match="no") as refused:
            await judge.judge(SUBMISSION, PROBLEM, JudgeOptions())
        assert (refused.value.field, refused.value.code) == ("problem", "odd")
        mock.errors.append(DeadlineExceeded())
        with pytest.raises(DeadlineExceeded):
            await judge.run(SUBMISSION, RunSpec())


async def test_a_server_that_is_away_is_unreachable() -> None:
    async with HttpJudge("http://127.0.0.1:9", policy=AT_ONCE) as judge:
        with pytest.raises(JudgeUnreachable, match=r"127\.0\.0\.1:9"):
            await judge.health()
        with pytest.raises(JudgeUnreachable):
            await judge.judge(SUBMISSION, PROBLEM, JudgeOptions(deadline_seconds=0.01))


@pytest.mark.parametrize(
    ("status", "left", "again"),
    [(429, 5.0, True), (502, 5.0, True), (503, 5.0, True), (504, 5.0, True), (500, 5.0, False), (422, 5.0, False),
     (503, 1.0, False)],
)  # fmt: skip
def test_what_is_tried_again(status: int, left: float, again: bool) -> None:
    assert may_retry(status, left_seconds=left, pause=1.0) is again


def test_pauses_grow_to_a_limit_and_obey_the_server() -> None:
    policy = RetryPolicy(first_pause=1.0, longest_pause=4.0)
    assert [policy.pause(attempt, jitter=1.0, retry_after=None) for attempt in range(4)] == [1.0, 2.0, 4.0, 4.0]
    assert policy.pause(0, jitter=0.0, retry_after=None) == pytest.approx(0.5)
    assert policy.pause(0, jitter=0.0, retry_after=9.0) == pytest.approx(9.0)
    assert policy.pause(10_000, jitter=1.0, retry_after=None) == pytest.approx(4.0)
