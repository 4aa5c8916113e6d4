"""Replies of JSON: compressed where that helps, and counted where they are large. Decides nothing about their content."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from scalebox.api.admission import Held
from scalebox.api.encoding import compressed

JSON: Final = "application/json"


async def json_response(request: Request, body: bytes, status: int = 200) -> Response:
    """The reply with this body, in an encoding that the client takes."""
    data, headers = await compressed(body, request.headers.get("accept-encoding"))
    return Response(data, status, headers=headers, media_type=JSON)


class HeldResponse(Response):
    """A reply that takes room until it is sent.

    Args:
        body: JSON.
        held: has room for it; given back once it is sent.
    """

    def __init__(self, body: bytes, held: Held) -> None:
        super().__init__(body, media_type=JSON)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send."""
        with self._held:
            await super().__call__(scope, receive, send)
