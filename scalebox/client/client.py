"""``HttpJudge``: the ``Judge`` port over HTTP. Retries what is safe within the deadline; judges nothing itself.

Every judge request carries an id, so that a repeated request is answered by the judgement that already runs. A large problem
is sent once: requests name it, and where the server does not know it (yet, or any more) it is registered first. Where that
does not help, it goes along with the request, as a small one always does.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Collection, Sequence
from dataclasses import replace
from time import monotonic
from types import TracebackType
from typing import Final, Self
from weakref import WeakValueDictionary

import httpx2
from pydantic_core import to_json

from scalebox.client.known import KnownIds
from scalebox.client.retry import RetryPolicy, may_retry
from scalebox.core.errors import DeadlineExceeded, JudgeUnreachable, RequestError, ScaleBoxError
from scalebox.core.plain import is_larger
from scalebox.core.problem import AssertCase, CallCase, InteractiveCase, Problem, StdioCase, UnitCase
from scalebox.core.result import Health, Judgement, LanguageStatus, RunReport
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.wire import convert_client
from scalebox.wire.canonical import canonical_text, id_of, read_problem

GRACE_SECONDS: Final = 5.0
"""How much longer than the request's deadline a reply may take to arrive."""
SHORT_SECONDS: Final = 10.0
LARGE_BYTES: Final = 64 << 10
"""Problems from here on are registered."""
REGISTER_SECONDS: Final = 300.0
_LARGE_ITEMS: Final = 10_000
_TEST_BYTES: Final = 64
_MANY_IDS: Final = 10_000
_TRIES: Final = 2
_UNKNOWN: Final = "problem_unknown"
_NOT_OFFERED: Final = "not_offered"
_DONE: Final = frozenset({200, 201})


class HttpJudge:
    """A judge on another machine; used in an ``async with``.

    Args:
        url: of the server, without a path.
        api_key: shown as a bearer token.
        policy: pauses between attempts.
        transport: replaces the network in tests.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        policy: RetryPolicy | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if api_key is not None:
            headers["Authorization"] = f"Bearer {api_key}"
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx2.AsyncClient(base_url=url, headers=headers, limits=limits, transport=transport)
        self._url = url
        self._policy = policy or RetryPolicy()
        self._known = KnownIds()
        self._registered_at: dict[str, float] = {}
        self._registering: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        """As ``Judge.judge``.

        Raises:
            RequestError, LanguageUnavailable, QueueFull: as the port says.
            JudgeUnreachable: no usable reply came before the deadline.
            DeadlineExceeded: a gateway on the way gave up.
        """
        named = replace(options, id=options.id or uuid.uuid4().hex)
        deadline = monotonic() + options.deadline_seconds
        problem_id = await self._id_of(problem)
        reply = (
            None if problem_id is None else await self._judge_by_id(submission, problem, problem_id, named, deadline)
        )
        if reply is None:
            body = to_json(convert_client.judge_body(submission, problem, named))
            reply = await self._post("/v1/judge", body, deadline - monotonic())
        return convert_client.judgement_from(reply)

    async def register(self, problem: Problem) -> str:
        """Make the server keep a problem; its id. ``judge`` does so by itself where the problem is large.

        Raises:
            RequestError: the problem is at fault, or too large.
            QueueFull: the server has no room for it.
            JudgeUnreachable: no usable reply came.
        """
        text = await asyncio.to_thread(canonical_text, problem)
        return convert_client.registered_id_from(await self._post("/v1/problems", text, REGISTER_SECONDS))

    async def problem(self, problem_id: str) -> Problem:
        """A registered problem, answers included.

        Raises:
            RequestError: the server does not know it.
            JudgeUnreachable: no usable reply came.
        """
        return read_problem(await self._get(f"/v1/problems/{problem_id}", REGISTER_SECONDS))[0]

    async def _judge_by_id(
        self,
        submission: Submission | Completion,
        problem: Problem,
        problem_id: str,
        options: JudgeOptions,
        deadline: float,
    ) -> bytes | None:
        """The reply to a request that names its problem; None where the server does not keep it."""
        body = to_json(convert_client.judge_body(submission, problem_id, options))
        for _ in range(_TRIES):
            asked_at = monotonic()
            try:
                return await self._post("/v1/judge", body, deadline - monotonic())
            except RequestError as error:
                if error.code == _NOT_OFFERED:
                    break
                if error.code != _UNKNOWN:
                    raise
            if not await self._registered(problem_id, problem, asked_at, deadline):
                break
        return None

    async def _id_of(self, problem: Problem) -> str | None:
        """The id of a large problem; None where it is small."""
        known = self._known.get(problem)
        if known is not None:
            return known
        if not is_large(problem):
            return None
        text = await asyncio.to_thread(canonical_text, problem)
        problem_id = id_of(text)
        self._known.put(problem, problem_id, len(text))
        return problem_id

    async def _registered(self, problem_id: str, problem: Problem, asked_at: float, deadline: float) -> bool:
        """Register a problem that was unknown when it was asked for, unless another request has done so since."""
        lock = self._registering.setdefault(problem_id, asyncio.Lock())
        try:
            async with asyncio.timeout(deadline - monotonic()):
                await lock.acquire()
        except TimeoutError:
            raise JudgeUnreachable(f"{self._url}: the problem was not registered before the deadline") from None
        try:
            if self._registered_at.get(problem_id, asked_at) > asked_at:
                return True
            text = await asyncio.to_thread(canonical_text, problem)
            reply = await self._once("POST", "/v1/problems", text, deadline - monotonic() + GRACE_SECONDS)
            if isinstance(reply, ScaleBoxError) or reply.status_code not in _DONE:
                return False
            if len(self._registered_at) >= _MANY_IDS:
                self._registered_at.clear()  # costs a few registrations more
            self._registered_at[problem_id] = monotonic()
            return convert_client.registered_id_from(reply.content) == problem_id
        finally:
            lock.release()

    async def run(self, submission: Submission | Completion, spec: RunSpec) -> RunReport:
        """As ``Judge.run``.

        Raises:
            RequestError, LanguageUnavailable, QueueFull, DeadlineExceeded: as the port says.
            JudgeUnreachable: no usable reply came before the deadline.
        """
        body = to_json(convert_client.run_body(submission, spec))
        return convert_client.run_report_from(await self._post("/v1/run", body, spec.deadline_seconds))

    async def languages(self, only: Collection[str] = ()) -> Sequence[LanguageStatus]:
        """As ``Judge.languages``; the server waits for all of its self-tests.

        Raises:
            JudgeUnreachable: no usable reply came.
        """
        return convert_client.languages_from(await self._get("/v1/languages"))

    async def health(self) -> Health:
        """As ``Judge.health``.

        Raises:
            JudgeUnreachable: no usable reply came.
        """
        return convert_client.health_from(await self._get("/healthz"))

    async def _get(self, path: str, seconds: float = SHORT_SECONDS) -> bytes:
        reply = await self._once("GET", path, None, seconds)
        if isinstance(reply, ScaleBoxError):
            raise reply
        if reply.status_code != 200:
            raise convert_client.error_from(reply.status_code, reply.content, 0.0)
        return reply.content

    async def _post(self, path: str, body: bytes, deadline_seconds: float) -> bytes:
        deadline = monotonic() + deadline_seconds
        attempt = 0
        while True:
            left = deadline - monotonic()
            reply = await self._once("POST", path, body, left + GRACE_SECONDS)
            if isinstance(reply, httpx2.Response) and reply.status_code in _DONE:
                return reply.content
            status, error, retry_after = _failure(reply)
            pause = self._policy.pause(attempt, jitter=random.random(), retry_after=retry_after)  # ruff: ignore[suspicious-non-cryptographic-random-usage] -- spreads load, keeps no secret
            if not may_retry(status, left_seconds=deadline - monotonic(), pause=pause):
                raise error
            await asyncio.sleep(pause)
            attempt += 1

    async def _once(
        self, method: str, path: str, body: bytes | None, seconds: float
    ) -> httpx2.Response | ScaleBoxError:
        timeout = httpx2.Timeout(max(0.1, seconds), connect=min(SHORT_SECONDS, max(0.1, seconds)))
        try:
            return await self._client.request(method, path, content=body, timeout=timeout)
        except httpx2.TransportError as error:
            return JudgeUnreachable(f"{self._url}: {type(error).__name__}: {error}")
        except httpx2.InvalidURL as error:
            raise JudgeUnreachable(f"{self._url} is no URL: {error}") from None


def is_large(problem: Problem) -> bool:
    """Whether the bytes and texts of a problem's tests make it worth registering; looks no further than that."""
    left = LARGE_BYTES
    for test in problem.tests:
        match test:
            case StdioCase():
                left -= len(test.input) + len(test.answer) + sum(map(len, test.files.values()))
            case CallCase():
                values = [*test.args, *test.kwargs.values(), test.answer]
                left -= LARGE_BYTES if is_larger(values, _LARGE_ITEMS) else 0
                left -= sum(len(value) for value in values if isinstance(value, str | bytes))
            case AssertCase():
                left -= len(test.code) + len(test.prompt or "")
            case UnitCase():
                left -= sum(map(len, test.files.values()))
            case InteractiveCase():
                left -= len(test.input) + len(test.answer)
        left -= _TEST_BYTES
        if left <= 0:
            return True
    return False


def _failure(reply: httpx2.Response | ScaleBoxError) -> tuple[int, ScaleBoxError, float | None]:
    """Status (503 for a broken connection), error, and the pause that the server asked for."""
    if isinstance(reply, ScaleBoxError):
        return 503, reply, None
    text = reply.headers.get("retry-after", "")
    retry_after = float(text) if text.isdecimal() else None
    error = convert_client.error_from(reply.status_code, reply.content, retry_after or 1.0)
    if isinstance(error, DeadlineExceeded) and reply.headers.get("content-type", "").startswith("application/json"):
        return 200, error, None  # the judge's own word: the deadline is over, so nothing is left to try
    return reply.status_code, error, retry_after
