"""Any OpenAI-compatible endpoint as a model. Bounded in everything: requests at once, their rate, tries, time, bytes of a reply, money.

The client's own retries are off: each try is counted against the budget here. What a try took that ended without a reply
is counted as the most it can have taken, unless the endpoint refused it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, cast

import httpx2
import openai

from scalebox.core.errors import RequestError
from scalebox.synthesis.model.budget import Budget, Reservation
from scalebox.synthesis.model.request import ModelError, ModelRequest, Reply

_MOST_REPLY_BYTES: Final = 8 << 20
_FIRST_DELAY_SECONDS: Final = 1.0
_LONGEST_DELAY_SECONDS: Final = 60.0
_REFUSED: Final = frozenset({400, 401, 403, 404, 408, 409, 413, 422, 429, 503})
"""The endpoint did no work, so it took no money."""
_BOUNDED: Final = frozenset({"max_tokens", "max_completion_tokens", "n", "best_of"})
"""Fields by which a request says how much it may take; the budget counts on ours."""
_AGAIN: Final = frozenset({408, 409, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """Whom to ask and how."""

    url: str
    model: str
    key: str = "none"
    """Endpoints that need none want one all the same."""
    concurrency: int = 8
    requests_per_minute: float = 0.0
    """0 is no limit."""
    tries: int = 5
    seconds: float = 600.0
    """For one try, from sending to the last byte."""
    most_tokens: int = 8192
    """Of a reply."""
    temperature: float | None = None
    """None leaves it to the endpoint."""
    extra_body: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what would undo the bounds.

        Raises:
            RequestError: a further field says how much a reply may be.
        """
        taken = sorted(_BOUNDED.intersection(self.extra_body))
        if taken:
            message = f"{', '.join(taken)} would let a request cost more than was set aside for it"
            hint = "leave it out; --reply-tokens bounds a reply"
            raise RequestError(message, field="SCALEBOX_LLM_EXTRA_BODY", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time, so that tests need none."""

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]


class Endpoint:
    """A model behind a URL. Made by ``open_endpoint``."""

    def __init__(self, client: openai.AsyncOpenAI, settings: EndpointSettings, budget: Budget, clock: Clock) -> None:
        self._client = client
        self._settings = settings
        self._budget = budget
        self._clock = clock
        self._room = asyncio.Semaphore(settings.concurrency)
        self._next_start = 0.0

    async def ask(self, request: ModelRequest) -> Reply:
        """One reply.

        Raises:
            ModelError: none came, however often it was tried, or the endpoint refuses.
            BudgetSpent: one try more might cost too much.
        """
        async with self._room:
            for number in range(self._settings.tries):
                reply, delay, why = await self._attempt(request, number)
                if reply is not None:
                    return reply
                if number + 1 < self._settings.tries:
                    await self._clock.sleep(delay)
        raise ModelError(f"{self._settings.url} gave no reply in {self._settings.tries} tries: {why}")

    async def _attempt(self, request: ModelRequest, number: int) -> tuple[Reply | None, float, str]:
        """One try: the reply, or how long to wait and why."""
        reservation = self._budget.reserve(request.most_input_tokens, self._settings.most_tokens)
        try:
            await self._wait_for_turn()
            async with asyncio.timeout(self._settings.seconds):
                completion = await self._send(request)
            return self._settled(completion, request, reservation), 0.0, ""
        except openai.APIStatusError as error:
            self._spend(reservation, refused=error.status_code in _REFUSED)
            if error.status_code < 500 and error.status_code not in _AGAIN:
                raise ModelError(f"{self._settings.url} refuses the request: {error.message[:300]}") from None
            return None, _delay(number, error.response.headers), f"HTTP {error.status_code}"
        except openai.APITimeoutError:
            self._spend(reservation, refused=False)
            return None, _delay(number, {}), "time-out"
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            refused = isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
            self._spend(reservation, refused=refused)
            return None, _delay(number, {}), str(cause) or type(cause).__name__
        except (TimeoutError, ReplyTooLong, openai.APIError, ValueError, KeyError, TypeError, AttributeError) as error:
            self._spend(reservation, refused=False)
            return None, _delay(number, {}), f"{type(error).__name__}: {error}"[:300]
        except BaseException:
            self._spend(reservation, refused=False)
            raise

    def _spend(self, reservation: Reservation, *, refused: bool) -> None:
        if refused:
            self._budget.settle(reservation, 0, 0.0)
        else:
            self._budget.lose(reservation)

    async def _wait_for_turn(self) -> None:
        if not self._settings.requests_per_minute:
            return
        start = max(self._clock.now(), self._next_start)
        self._next_start = start + 60.0 / self._settings.requests_per_minute
        await self._clock.sleep(start - self._clock.now())

    async def _send(self, request: ModelRequest) -> Any:  # noqa: ANN401 - endpoints send what they like
        settings = self._settings
        body: dict[str, Any] = request.body()
        body |= {"model": settings.model, "max_tokens": settings.most_tokens}
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        return await self._client.chat.completions.create(**body, extra_body=dict(settings.extra_body))

    def _settled(self, completion: Any, request: ModelRequest, reservation: Reservation) -> Reply:  # noqa: ANN401 - likewise
        """Read a reply and count what it took.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: it is none.
        """
        choice = completion.choices[0] if completion.choices else None
        text = "" if choice is None else choice.message.content or ""
        finish = "empty" if choice is None else choice.finish_reason or "stop"
        if not isinstance(text, str):
            raise TypeError("the content of the reply is no text")
        usage = completion.usage
        given = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
        if all(isinstance(count, int) and count >= 0 for count in given):
            input_tokens, output_tokens = cast("tuple[int, int]", given)
        else:
            input_tokens, output_tokens = request.most_input_tokens, self._settings.most_tokens
        money = self._budget.prices.money(input_tokens, output_tokens)
        self._budget.settle(reservation, input_tokens + output_tokens, money)
        return Reply(
            text=text,
            finish_reason=str(finish),
            model=self._settings.model,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            money=money,
        )


def _delay(number: int, headers: Mapping[str, str]) -> float:
    """Seconds before the next try: what the endpoint asks for, else longer each time."""
    try:
        asked = float(headers.get("retry-after", ""))
    except ValueError:
        asked = 0.0
    backoff = _FIRST_DELAY_SECONDS * 2**number * random.uniform(0.75, 1.25)  # noqa: S311 - spreads clients out
    return min(_LONGEST_DELAY_SECONDS, asked if asked > 0 else backoff)


class ReplyTooLong(Exception):
    """The endpoint does not stop sending."""


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for piece in self._stream:
            taken += len(piece)
            if taken > _MOST_REPLY_BYTES:
                raise ReplyTooLong(f"a reply of more than {_MOST_REPLY_BYTES >> 20} MiB")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class _BoundedTransport(httpx2.AsyncHTTPTransport):
    """Reads no reply that does not end."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        response.stream = _BoundedStream(cast("httpx2.AsyncByteStream", response.stream))
        return response


@asynccontextmanager
async def open_endpoint(
    settings: EndpointSettings, budget: Budget, clock: Clock | None = None
) -> AsyncGenerator[Endpoint, None]:
    """An endpoint, its connections closed with the block."""
    limits = httpx2.Limits(max_connections=settings.concurrency, max_keepalive_connections=settings.concurrency)
    transport = _BoundedTransport(limits=limits)
    timeout = httpx2.Timeout(settings.seconds, connect=min(30.0, settings.seconds))
    async with httpx2.AsyncClient(transport=transport, timeout=timeout) as http:
        client = openai.AsyncOpenAI(
            base_url=settings.url, api_key=settings.key, max_retries=0, timeout=timeout, http_client=http
        )
        loop = asyncio.get_running_loop()
        yield Endpoint(client, settings, budget, clock or Clock(now=loop.time, sleep=asyncio.sleep))
