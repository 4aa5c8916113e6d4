"""A local server with the OpenAI chat route that replies from a cassette, and in recording mode asks another endpoint what it has not got.

The key of a reply is that of the request's body, so whatever client sends the same question gets the same reply. It keeps no prompt.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from scalebox.synthesis.model.cassette import Cassette
from scalebox.synthesis.model.request import Reply, key_of

Forward = Callable[[dict[str, Any], str | None], Awaitable[Reply]]
_PATH: Final = "/v1/chat/completions"


class ForwardError(Exception):
    """The endpoint behind a recording server gave no reply.

    Args:
        status: that it answered with, or 502.
        message: what is wrong.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def replay_app(cassette: Cassette, forward: Forward | None = None) -> FastAPI:
    """The server's application.

    Args:
        cassette: where replies are found, and recorded.
        forward: asks another endpoint; None refuses what is not on the cassette.
    """
    app = FastAPI(openapi_url=None)

    @app.post(_PATH)
    async def complete(request: Request) -> JSONResponse:
        try:
            body = await request.json()
        except ValueError:
            return _error(400, "the body is no JSON")
        if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
            return _error(400, "messages: a list is wanted")
        key = key_of(body)
        reply = cassette.find(key)
        if reply is None and forward is not None:
            try:
                reply = await forward(body, request.headers.get("authorization"))
            except ForwardError as error:
                return _error(error.status, str(error))
            cassette.record(key, reply)
        if reply is None:
            return _error(404, f"no reply is recorded for the request {key}")
        return JSONResponse(_completion(reply, key))

    return app


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": {"message": message, "type": "replay"}}, status_code=status)


def _completion(reply: Reply, key: str) -> dict[str, object]:
    message = {"role": "assistant", "content": reply.text}
    return {
        "id": f"replay-{key[:24]}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": reply.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
        "usage": {
            "prompt_tokens": reply.input_tokens,
            "completion_tokens": reply.output_tokens,
            "total_tokens": reply.input_tokens + reply.output_tokens,
        },
    }


@asynccontextmanager
async def open_forward(url: str, seconds: float) -> AsyncGenerator[Forward, None]:
    """Asks the endpoint at a base URL, its connections closed with the block."""
    async with httpx2.AsyncClient(timeout=httpx2.Timeout(seconds)) as client:

        async def forward(body: dict[str, Any], authorization: str | None) -> Reply:
            headers = {} if authorization is None else {"Authorization": authorization}
            try:
                answer = await client.post(f"{url.rstrip('/')}/chat/completions", json=body, headers=headers)
                tree = answer.json()
            except (httpx2.HTTPError, ValueError) as error:
                raise ForwardError(502, f"{url}: {error or type(error).__name__}") from None
            if answer.status_code != 200:
                raise ForwardError(answer.status_code, f"{url}: {answer.text[:500]}")
            try:
                return _reply(tree)
            except (KeyError, IndexError, TypeError, AttributeError):
                raise ForwardError(502, f"{url}: the reply is no chat completion") from None

        yield forward


def _reply(tree: dict[str, Any]) -> Reply:
    choice = tree["choices"][0]
    usage = tree.get("usage") or {}
    return Reply(
        text=choice["message"]["content"] or "",
        finish_reason=choice.get("finish_reason") or "stop",
        model=str(tree.get("model", "")),
        input_tokens=int(usage.get("prompt_tokens", 0)),
        output_tokens=int(usage.get("completion_tokens", 0)),
    )
