"""HttpJudge and large problems: sent once, named after that, registered again where they are forgotten, never out of date."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from scalebox.api.app import create_app
from scalebox.client.client import LARGE_BYTES, HttpJudge, is_large
from scalebox.client.known import KnownIds
from scalebox.client.mock import MockJudge
from scalebox.client.retry import RetryPolicy
from scalebox.config import Settings
from scalebox.core.errors import JudgeUnreachable, RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import (
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerProtocol,
    InteractiveCase,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
)
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.wire.canonical import canonical_text, id_of

SUBMISSION = Submission(source="print(1)", language="python")
SMALL = Problem(tests=[StdioCase(name="0", input=b"1", answer=b"1")])
AT_ONCE = RetryPolicy(first_pause=0.0, longest_pause=0.0)


def large(answer: bytes = b"1", count: int = 1) -> Problem:
    """A problem worth registering."""
    return Problem(tests=[StdioCase(name=str(n), input=b"x" * LARGE_BYTES, answer=answer) for n in range(count)])


class Wire(httpx2.AsyncBaseTransport):
    """The way to a service, which keeps what went over it."""

    def __init__(self, judge: MockJudge, **settings: Any) -> None:  # noqa: ANN401 - settings
        self._judge = judge
        self._settings = Settings(**settings)
        self.sent: list[tuple[str, int]] = []
        self.restart()

    def restart(self) -> None:
        """A service that knows nothing."""
        self._inner = httpx2.ASGITransport(app=create_app(self._judge, self._settings))

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass on."""
        self.sent.append((f"{request.method} {request.url.path}", len(request.content)))
        return await self._inner.handle_async_request(request)

    def taken(self) -> list[str]:
        """The requests since the last call."""
        names = [name for name, _ in self.sent]
        self.sent.clear()
        return names


def over(wire: httpx2.AsyncBaseTransport) -> HttpJudge:
    """A client over this way."""
    return HttpJudge("http://scalebox", policy=AT_ONCE, transport=wire)


ASK, REGISTER = "POST /v1/judge", "POST /v1/problems"


async def test_a_large_problem_is_sent_once(judge: MockJudge) -> None:
    wire, problem = Wire(judge), large()
    async with over(wire) as client:
        for _ in range(3):
            assert (await client.judge(SUBMISSION, problem, JudgeOptions())).verdict is Verdict.AC
    assert [name for name, size in wire.sent if size > LARGE_BYTES] == [REGISTER]
    assert wire.taken() == [ASK, REGISTER, ASK, ASK, ASK]
    assert all(call[1] == problem for call in judge.calls)


async def test_a_small_one_goes_along(judge: MockJudge) -> None:
    wire = Wire(judge)
    async with over(wire) as client:
        await client.judge(SUBMISSION, SMALL, JudgeOptions())
    assert wire.taken() == [ASK]


async def test_many_at_once_register_it_once(judge: MockJudge) -> None:
    wire, problem = Wire(judge), large()
    async with over(wire) as client:
        await asyncio.gather(*(client.judge(SUBMISSION, problem, JudgeOptions()) for _ in range(64)))
    assert len(judge.calls) == 64
    assert wire.taken().count(REGISTER) == 1


async def test_one_that_is_forgotten_is_registered_again(judge: MockJudge) -> None:
    wire, problem = Wire(judge), large()
    async with over(wire) as client:
        await client.judge(SUBMISSION, problem, JudgeOptions())
        wire.restart()
        wire.taken()
        assert (await client.judge(SUBMISSION, problem, JudgeOptions())).verdict is Verdict.AC
        assert wire.taken() == [ASK, REGISTER, ASK]


async def test_another_client_finds_it(judge: MockJudge) -> None:
    wire = Wire(judge)
    async with over(wire) as one, over(wire) as other:
        await one.judge(SUBMISSION, large(), JudgeOptions())
        wire.taken()
        await other.judge(SUBMISSION, large(), JudgeOptions())
    assert wire.taken() == [ASK]


@pytest.mark.parametrize(
    "refusal",
    [
        httpx2.Response(404, json={"error": {"code": "not_found", "field": None, "message": "", "hint": None}}),
        httpx2.Response(429, json={"error": {"code": "no_room", "field": None, "message": "", "hint": None}}),
        httpx2.Response(502),
        httpx2.Response(201, json={"id": "sha256:" + "0" * 64, "tests": 1, "bytes": 1, "kept": "disk"}),
    ],
)
async def test_where_it_cannot_be_registered_it_goes_along(judge: MockJudge, refusal: httpx2.Response) -> None:
    class Refusing(Wire):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if request.url.path == "/v1/problems":
                return refusal
            return await super().handle_async_request(request)

    async with over(Refusing(judge)) as client:
        assert (await client.judge(SUBMISSION, large(), JudgeOptions(id="mine"))).id == "mine"
    assert judge.calls[0][1] == large()


async def test_where_problems_are_not_kept_none_is_uploaded_in_vain(judge: MockJudge) -> None:
    fault = {"code": "not_offered", "field": "problem_id", "message": "", "hint": None}

    class Refusing(Wire):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if b'"problem_id"' in request.content:
                self.sent.append((f"{request.method} {request.url.path}", len(request.content)))
                return httpx2.Response(422, json={"error": fault})
            return await super().handle_async_request(request)

    wire = Refusing(judge)
    async with over(wire) as client:
        assert (await client.judge(SUBMISSION, large(), JudgeOptions())).verdict is Verdict.AC
    assert wire.taken() == [ASK, ASK]


async def test_who_waits_for_anothers_registration_keeps_his_own_deadline(judge: MockJudge) -> None:
    """Another one may have much more time."""
    registering = asyncio.Event()

    class Stuck(Wire):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if request.url.path == "/v1/problems":
                registering.set()
                await asyncio.Event().wait()
            return await super().handle_async_request(request)

    async with over(Stuck(judge)) as client, asyncio.timeout(60):
        patient = asyncio.create_task(client.judge(SUBMISSION, large(), JudgeOptions(deadline_seconds=600.0)))
        await registering.wait()
        with pytest.raises(JudgeUnreachable, match="was not registered before the deadline"):
            await client.judge(SUBMISSION, large(), JudgeOptions(deadline_seconds=1.0))
        assert not patient.done()
        patient.cancel()
        await asyncio.wait({patient})


async def test_a_server_that_forgets_at_once_is_given_the_problem(judge: MockJudge) -> None:
    class Forgetful(Wire):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            reply = await super().handle_async_request(request)
            if request.url.path == "/v1/problems":
                self.restart()
            return reply

    wire = Forgetful(judge)
    async with over(wire) as client:
        assert (await client.judge(SUBMISSION, large(), JudgeOptions())).verdict is Verdict.AC
    assert wire.taken() == [ASK, REGISTER, ASK, REGISTER, ASK]


async def test_other_refusals_are_the_callers(judge: MockJudge) -> None:
    async with over(Wire(judge)) as client:
        with pytest.raises(RequestError) as refused:
            await client.judge(Submission(source="", language="klingon"), large(), JudgeOptions())
    assert refused.value.field == "language"


async def test_what_is_changed_in_place_is_not_judged_by_what_it_was(judge: MockJudge) -> None:
    """A frozen problem may still hold the caller's own list."""
    tests: list[TestCase] = [*large().tests]
    problem = Problem(tests=tests)
    async with over(Wire(judge)) as client:
        await client.judge(SUBMISSION, problem, JudgeOptions())
        tests[0] = replace(tests[0], answer=b"2")  # type: ignore[call-arg]
        await client.judge(SUBMISSION, problem, JudgeOptions())
        tests.append(tests[0])
        await client.judge(SUBMISSION, problem, JudgeOptions())
    assert [[test.answer for test in call[1].tests if isinstance(test, StdioCase)] for call in judge.calls] == [
        [b"1"], [b"2"], [b"2", b"2"]
    ]  # fmt: skip


async def test_values_changed_in_place_are_seen_too(judge: MockJudge) -> None:
    value = list(range(20_000))
    problem = Problem(tests=[CallCase(name="0", function="f", args=[value], answer=1)])
    async with over(Wire(judge)) as client:
        await client.judge(SUBMISSION, problem, JudgeOptions())
        value[7] = -1
        await client.judge(SUBMISSION, problem, JudgeOptions())
    seen = [call[1].tests[0] for call in judge.calls]
    assert [test.args[0][7] for test in seen if isinstance(test, CallCase)] == [7, -1]  # type: ignore[index]


def judged(files: dict[str, str]) -> Problem:
    """A large problem with a judge of its own."""
    program = ProgramText(language="python", files=files, entry="a")
    return replace(large(), checker=ProgramChecker(protocol=CheckerProtocol.FILES, program=program))


def test_ids_are_remembered_while_nothing_changed() -> None:
    known, files, groups = KnownIds(), {"a": "1"}, {"g": "sum"}
    with_judge, with_groups = judged(files), replace(large(), groups=groups)  # type: ignore[arg-type]
    for problem in (with_judge, with_groups):
        known.put(problem, "id", 1)
        assert known.get(problem) == "id"
    files["a"] = "2"
    groups["h"] = "min"
    assert (known.get(with_judge), known.get(with_groups)) == (None, None)
    assert known.get(large()) is None


@pytest.mark.parametrize(
    "test",
    [
        StdioCase(name="0", input=b"", answer=b"", args=["a"]),
        StdioCase(name="0", input=b"", answer=b"", files={"a": b""}),
        CallCase(name="0", function="f", args=[], answer=1),
    ],
)
def test_what_can_change_unseen_is_not_remembered(test: TestCase) -> None:
    known, problem = KnownIds(), Problem(tests=[test])
    known.put(problem, "id", 1)
    assert known.get(problem) is None


def test_what_is_remembered_is_bounded() -> None:
    known = KnownIds(most_bytes=10)
    problems = [large() for _ in range(4)]
    for problem in problems[:3]:
        known.put(problem, "id", 5)
    known.put(problems[3], "id", 11)
    assert [known.get(problem) for problem in problems] == [None, "id", "id", None]


Make = Callable[[int], TestCase]


@pytest.mark.parametrize(
    "make",
    [
        lambda size: StdioCase(name="0", input=b"x" * size, answer=b""),
        lambda size: StdioCase(name="0", input=b"", answer=b"", files={"a": b"x" * size}),
        lambda size: CallCase(name="0", function="f", args=["x" * size], answer=1),
        lambda size: CallCase(name="0", function="f", args=[[0] * size], answer=1),
        lambda size: AssertCase(name="0", style=AssertStyle.BARE, code="x" * size),
        lambda size: InteractiveCase(name="0", input=b"x" * size),
    ],
)
def test_what_is_large(make: Make) -> None:
    assert is_large(Problem(tests=[make(LARGE_BYTES)]))
    assert not is_large(Problem(tests=[make(10)]))


async def test_a_problem_comes_back_as_it_was(judge: MockJudge) -> None:
    problem = replace(large(), limits=Limits(cpu_seconds=3.0))
    async with over(Wire(judge)) as client:
        problem_id = await client.register(problem)
        assert problem_id == id_of(canonical_text(problem))
        assert await client.problem(problem_id) == problem
        with pytest.raises(RequestError, match="no problem"):
            await client.problem("sha256:" + "0" * 64)


@pytest.fixture
def judge() -> MockJudge:
    """A judge that accepts everything."""
    return MockJudge()
