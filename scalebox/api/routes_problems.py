"""The routes of registered problems. Whoever may judge may read them back, answers included: both take the same key."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from scalebox.api.admission import Held, read_body
from scalebox.api.docs import described
from scalebox.api.replies import JSON, HeldResponse
from scalebox.api.service import Service
from scalebox.wire import v1
from scalebox.wire.canonical import check_id
from scalebox.wire.reply_v1 import registered_reply, reply_bytes


def router(service: Service) -> APIRouter:
    """The routes over one service."""
    routes = APIRouter()

    async def register(request: Request, problem_id: str | None) -> Response:
        with Held(service.room) as held:
            body = await read_body(request, service.max_body_bytes, held)
            made = await service.register(body, problem_id)
            reply = registered_reply(
                problem_id=made.id, tests=len(made.problem.tests), size=made.bytes, on_disk=made.on_disk
            )
            return Response(reply_bytes(reply), 201 if made.new else 200, media_type=JSON)

    @routes.post("/v1/problems", openapi_extra=described(v1.RegisteredV1, v1.ProblemV1))
    async def post_problem(request: Request) -> Response:
        """Register a problem, to be judged by its id from then on. 201 where it was not known yet, else 200."""
        return await register(request, None)

    @routes.put("/v1/problems/{problem_id}", openapi_extra=described(v1.RegisteredV1, v1.ProblemV1))
    async def put_problem(request: Request, problem_id: str) -> Response:
        """The same for a client that knows the id; another id than the problem's own is refused."""
        return await register(request, check_id(problem_id, "id"))

    @routes.get("/v1/problems/{problem_id}", openapi_extra=described(v1.ProblemV1))
    async def get_problem(problem_id: str) -> Response:
        """The canonical text of a registered problem, answers included."""
        text = await service.problems.text(check_id(problem_id, "id"))
        held = Held(service.room)
        await held.grow_to(len(text))
        return HeldResponse(text, held)

    return routes
