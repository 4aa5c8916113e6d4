"""The routes of registered judges. Whoever may judge may read them, evidence included; what changes verdicts takes the service's own key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from scalebox.api.admission import Held, read_body
from scalebox.api.docs import described
from scalebox.api.errors import Forbidden
from scalebox.api.front import tenant_of
from scalebox.api.replies import JSON
from scalebox.api.service import Service
from scalebox.core.errors import RequestError
from scalebox.core.tenant import DEFAULT_TENANT
from scalebox.registry import bodies
from scalebox.registry.entry import MOST_LISTED, Filter, JudgeVersion, Story
from scalebox.registry.states import State
from scalebox.wire import judges_v1
from scalebox.wire.parse import parse_json, validate
from scalebox.wire.reply_v1 import reply_bytes

if TYPE_CHECKING:
    from scalebox.registry.store import Registry

ModelT = TypeVar("ModelT", bound=BaseModel)
_LISTED: Final = 100
_BY: Final = "api"
_FILTERS: Final = ("state", "category", "problem", "limit", "offset")


def router(service: Service) -> APIRouter:
    """The routes over one service."""
    routes = APIRouter()
    judges = service.judges

    async def shown(reference: str) -> Response:
        story = await judges.ask(lambda registry: registry.story(reference))
        return Response(reply_bytes(bodies.detail(story)), media_type=JSON)

    @routes.get("/v1/judges", openapi_extra=described(judges_v1.JudgesV1))
    async def list_judges(request: Request) -> Response:
        """Judges by problem and version; ``state``, ``category`` and ``problem`` choose some, ``limit`` and ``offset`` a part."""
        wanted = filter_of(dict(request.query_params))
        found = await judges.ask(lambda registry: registry.list(wanted))
        more = wanted.offset + wanted.limit if len(found) == wanted.limit else None
        return Response(
            reply_bytes({"judges": [bodies.summary(judge) for judge in found], "next_offset": more}), media_type=JSON
        )

    @routes.get("/v1/judges/{reference:path}", openapi_extra=described(judges_v1.RegisteredJudgeV1))
    async def show_judge(reference: str) -> Response:
        """A judge by its id, or that of its problem, with its program, evidence and history."""
        return await shown(reference)

    @routes.post(
        "/v1/judges/{reference:path}/disputes", openapi_extra=described(judges_v1.DisputeV1, judges_v1.NewDisputeV1)
    )
    async def dispute(request: Request, reference: str) -> Response:
        """Say that a judge was wrong. It stays in use until somebody decides."""
        body = await _body(service, request, judges_v1.NewDisputeV1)
        who = tenant_of(request.scope)
        made = await judges.ask(lambda registry: registry.dispute(reference, body.reason, body.output, who))
        return Response(reply_bytes(bodies.dispute_body(made)), 201, media_type=JSON)

    _add_moves(routes, service)
    return routes


def _add_moves(routes: APIRouter, service: Service) -> None:
    """The routes that change which judge is in use. Each answers the judge that it was about."""

    async def moved(request: Request, move: Callable[[Registry, str], JudgeVersion]) -> Response:
        body = await _body(service, request, judges_v1.MoveV1)
        if tenant_of(request.scope) != DEFAULT_TENANT:
            raise Forbidden("judges are changed with the service's own key, because that changes everybody's verdicts")

        def work(registry: Registry) -> Story:
            return registry.story(move(registry, body.reason).id)

        story = await service.judges.ask(work, changes=True)
        return Response(reply_bytes(bodies.detail(story)), media_type=JSON)

    asked = described(judges_v1.RegisteredJudgeV1, judges_v1.MoveV1)

    @routes.post("/v1/judges/{reference:path}/activate", openapi_extra=asked)
    async def activate(request: Request, reference: str) -> Response:
        """Use a validated judge from now on; the one that was in use for its problem is retired."""
        return await moved(request, lambda registry, reason: registry.activate(reference, _BY, reason))

    @routes.post("/v1/judges/{reference:path}/retire", openapi_extra=asked)
    async def retire(request: Request, reference: str) -> Response:
        """Use a judge no more; its problem is compared by default again."""
        return await moved(request, lambda registry, reason: registry.retire(reference, _BY, reason))

    @routes.post("/v1/judges/{reference:path}/rollback", openapi_extra=asked)
    async def roll_back(request: Request, reference: str) -> Response:
        """Use the version again that was in use before the one that is. Answers the one in use now."""
        return await moved(request, lambda registry, reason: registry.roll_back(reference, _BY, reason))


async def _body(service: Service, request: Request, model: type[ModelT]) -> ModelT:
    """What a body says; one without any fields may be left out."""
    with Held(service.room) as held:
        body = await read_body(request, service.max_body_bytes, held)
        return validate(model, parse_json(body) if body.strip() else {})


def filter_of(given: dict[str, str]) -> Filter:
    """Which judges a query asks for.

    Raises:
        RequestError: it has another parameter, or one has no such value.
    """
    for name in given:
        if name not in _FILTERS:
            hint = f"known are {', '.join(_FILTERS)}"
            raise RequestError("there is no such parameter", field=name, hint=hint, code="extra_forbidden")
    state = given.get("state")
    if state is not None and state not in set(State):
        hint = f"one of {', '.join(State)}"
        raise RequestError(f"{state[:40]!r} is no state", field="state", hint=hint)
    return Filter(
        state=None if state is None else State(state),
        category=given.get("category"),
        problem=given.get("problem"),
        limit=_number(given, "limit", _LISTED, 1, MOST_LISTED),
        offset=_number(given, "offset", 0, 0, 1 << 31),
    )


def _number(given: dict[str, str], name: str, default: int, least: int, most: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 12 or not least <= int(text) <= most:
        hint = f"a whole number from {least} to {most}"
        raise RequestError(f"{text[:40]!r} cannot be", field=name, hint=hint)
    return int(text)
