"""What every request passes first: the key, which says whose it is, and afterwards one log record and one count.

Never reads a body.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scalebox.api.errors import unauthorized
from scalebox.api.service import Service
from scalebox.core.tenant import DEFAULT_TENANT
from scalebox.telemetry.logs import get_logger

OPEN_PATHS: Final = frozenset({"/healthz", "/readyz", "/v1/ping"})
_TENANT: Final = "scalebox.tenant"


def tenant_of(scope: Scope) -> str:
    """Whose a request is."""
    return str(scope.get(_TENANT, DEFAULT_TENANT))


class Front:
    """ASGI middleware.

    Args:
        app: the application behind it.
        service: for its metrics.
        keys: those that clients may show, by tenant; empty where everyone may.
        clock: monotonic seconds.
    """

    def __init__(
        self, app: ASGIApp, service: Service, keys: Mapping[str, SecretStr], clock: Callable[[], float]
    ) -> None:
        self._app = app
        self._service = service
        self._tenants = {_digest(key.get_secret_value().encode()): name for name, key in keys.items()}
        self._clock = clock
        self._log = get_logger("http")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = self._clock()
        status = 500

        async def noting_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            tenant = self._tenant(scope)
            target = unauthorized() if tenant is None else self._app
            scope[_TENANT] = tenant
            await target(scope, receive, noting_send)
        finally:
            self._note(scope, status, self._clock() - started)

    def _tenant(self, scope: Scope) -> str | None:
        """Whose the request is; None where it may not pass."""
        if not self._tenants or scope["path"] in OPEN_PATHS:
            return DEFAULT_TENANT
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        shown = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        return self._tenants.get(_digest(shown.encode("latin-1")))

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "unmatched")
        self._service.metrics.replied(route, status, seconds)
        level = self._log.debug if route in OPEN_PATHS | {"/metrics"} else self._log.info
        level("request", method=scope["method"], route=route, status=status, seconds=round(seconds, 4))


def _digest(key: bytes) -> bytes:
    """What keys are compared by, so that how long that takes says nothing of them."""
    return hashlib.sha256(key).digest()
