"""Every error as ``{"error": {code, field, message, hint}}`` with its status. Never shows a program or a traceback."""

from __future__ import annotations

import asyncio
import contextlib
import math
from typing import Final

from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from scalebox.core.errors import DeadlineExceeded, QueueFull, QuotaFull, RequestError, ScaleBoxError
from scalebox.registry.entry import UnknownJudge
from scalebox.registry.states import IllegalMove
from scalebox.telemetry.logs import get_logger
from scalebox.wire.parse import JsonError
from scalebox.wire.reply_v1 import error_reply, reply_bytes

LINGER_BYTES: Final = 1 << 30
LINGER_SECONDS: Final = 30.0
_CODES = {404: "not_found", 405: "method_not_allowed"}
_HINTS = {404: "the routes are listed at /docs", 405: "the methods of each route are listed at /docs"}


class TooLarge(RequestError):
    """The body, or a line of it, is over the limit."""


class NoRoom(QueueFull):
    """The bodies of other requests take all the room there is."""


class ShelfFull(QueueFull):
    """The registered problems in use take all the room there is."""


class Conflict(RequestError):
    """The id was used for another body."""


class Unknown(RequestError):
    """No such problem is registered.

    Args:
        problem_id: as the client wrote it.
    """

    def __init__(self, problem_id: str) -> None:
        hint = "register it (again) with POST /v1/problems; what is longest unused is forgotten first"
        message = f"there is no problem {problem_id} here"
        super().__init__(message, field="problem_id", hint=hint, code="problem_unknown")


class NotKept(RequestError):
    """Several cells have no disk that they share, or it has no room for this problem."""

    def __init__(self) -> None:
        hint = "send the problem itself in problem, or give the server room on disk, or --cells 1; its log says why there is none"
        message = "this problem is not kept here: the cells of this server share problems by disk alone"
        super().__init__(message, field="problem_id", hint=hint, code="not_offered")


class BadEncoding(RequestError):
    """The body is not what its Content-Encoding says."""


class Forbidden(RequestError):
    """The key shown is not the one that this takes.

    Args:
        message: what it takes.
    """

    def __init__(self, message: str) -> None:
        hint = "show SCALEBOX_API_KEY, or use `scalebox judges` where the registry is"
        super().__init__(message, hint=hint, code="forbidden")


class UnknownEncoding(RequestError):
    """The Content-Encoding is none that is taken here."""


class ClientGone(Exception):
    """The client hung up, so nobody waits for a reply."""


def status_of(error: ScaleBoxError) -> int:
    """The HTTP status of an error."""
    match error:
        case JsonError() | BadEncoding():
            return 400
        case Forbidden():
            return 403
        case Unknown() | UnknownJudge():
            return 404
        case TooLarge():
            return 413
        case Conflict() | IllegalMove():
            return 409
        case UnknownEncoding():
            return 415
        case RequestError():
            return 422
        case QueueFull():
            return 429
        case DeadlineExceeded():
            return 504
        case _:
            return 500


def as_request_error(error: ScaleBoxError) -> RequestError:
    """Any of our errors in the four fields that clients see."""
    match error:
        case RequestError():
            return error
        case NoRoom():
            hint = f"try again in {retry_after(error)} s, or raise SCALEBOX_MAX_BODIES_MB on the server"
            return RequestError("the requests that are held here leave no room", hint=hint, code="no_room")
        case ShelfFull():
            hint = f"try again in {retry_after(error)} s, or raise SCALEBOX_PROBLEMS_MEMORY_MB on the server"
            return RequestError("the problems in use leave no room for this one", hint=hint, code="no_room")
        case QuotaFull():
            hint = (
                f"try again in {retry_after(error)} s, or send less at once; max_queued of this key's tenant bounds it"
            )
            return RequestError("as many submissions of this key wait as may", hint=hint, code="quota_full")
        case QueueFull():
            hint = f"try again in {retry_after(error)} s"
            return RequestError("too many submissions are waiting", hint=hint, code="queue_full")
        case DeadlineExceeded():
            hint = "allow more time, or send less at once"
            return RequestError("the deadline passed first", hint=hint, code="deadline")
        case _:
            hint = "try again; if it persists, look at /healthz and the server's log"
            return RequestError(f"the server failed: {error}", hint=hint, code="internal")


def retry_after(error: QueueFull) -> int:
    """Whole seconds to wait, at least one."""
    seconds = error.retry_after_seconds
    return max(1, math.ceil(seconds)) if math.isfinite(seconds) else 60


def error_response(error: ScaleBoxError) -> Response:
    """The reply to a request that failed."""
    if isinstance(error, TooLarge):
        return LingeringResponse(reply_bytes(error_reply(error)), 413, media_type="application/json")
    headers: dict[str, str] = {}
    if isinstance(error, QueueFull):
        headers["Retry-After"] = str(retry_after(error))
    if isinstance(error, NoRoom):  # its body has not been read
        return LingeringResponse(
            reply_bytes(error_reply(as_request_error(error))), 429, headers=headers, media_type="application/json"
        )
    return _json(status_of(error), as_request_error(error), headers)


class LingeringResponse(Response):
    """Replies at once, then throws the rest of the body away within bounds.

    Closing a connection with unread data resets it, and the client would lose the reply.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send, then drain."""
        self.headers["Connection"] = "close"
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        if Headers(scope=scope).get("expect", "").lower() != "100-continue":  # then the client waits and sends nothing
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LINGER_SECONDS):
                    await _drain(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _drain(receive: Receive) -> None:
    left = LINGER_BYTES
    more = True
    while more and left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)


def unauthorized() -> Response:
    """The reply to a request without the key."""
    hint = "send it as Authorization: Bearer KEY, or as X-API-Key: KEY"
    error = RequestError("the API key is missing or wrong", hint=hint, code="unauthorized")
    return _json(401, error, {"WWW-Authenticate": "Bearer"})


def _json(status: int, error: RequestError, headers: dict[str, str]) -> Response:
    body = reply_bytes(error_reply(error))
    return Response(body, status, headers=headers, media_type="application/json")


async def _on_scalebox_error(request: Request, error: Exception) -> Response:  # ruff: ignore[unused-async] -- starlette runs plain functions in a thread
    if not isinstance(error, ScaleBoxError):
        raise error
    if status_of(error) == 500:
        get_logger("api").error("request failed", path=request.url.path, error=str(error))
    return error_response(error)


async def _on_http_error(_: Request, error: Exception) -> Response:  # ruff: ignore[unused-async] -- starlette runs plain functions in a thread
    if not isinstance(error, HTTPException):
        raise error
    code = _CODES.get(error.status_code, "http_error")
    fault = RequestError(str(error.detail), hint=_HINTS.get(error.status_code), code=code)
    return _json(error.status_code, fault, dict(error.headers or {}))


async def _on_client_gone(_request: Request, _error: Exception) -> Response:  # ruff: ignore[unused-async] -- starlette runs plain functions in a thread
    return Response(status_code=499)  # nobody reads it; 499 marks it in the log


async def _on_bug(_request: Request, _error: Exception) -> Response:  # ruff: ignore[unused-async] -- starlette runs plain functions in a thread
    fault = RequestError("the server failed", hint="the server's log says why", code="internal")
    return _json(500, fault, {})


def install(app: FastAPI) -> None:
    """Give an application these errors."""
    app.add_exception_handler(ScaleBoxError, _on_scalebox_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(ClientGone, _on_client_gone)
    app.add_exception_handler(ClientDisconnect, _on_client_gone)
    app.add_exception_handler(Exception, _on_bug)
