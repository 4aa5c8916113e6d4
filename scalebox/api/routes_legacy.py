"""The compatibility routes of ScaleBox and SandboxFusion. Their clients work unchanged; none of the faults is kept.

None answers 429 or 503, because their clients count those as the program's failure: a request waits for room, and is
answered 504 when there was none in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fastapi import APIRouter, Request, Response

from scalebox.api.admission import Held, read_body, unless_gone
from scalebox.api.docs import described
from scalebox.api.front import tenant_of
from scalebox.api.replies import json_response
from scalebox.api.service import Service
from scalebox.wire import convert_legacy, legacy, reply_legacy
from scalebox.wire.convert_v1 import RunCall
from scalebox.wire.parse import parse_json, validate
from scalebox.wire.reply_v1 import reply_bytes

ROOM_SECONDS = 10.0
"""How long a body of ``/run_code`` waits for room."""
ModelT = TypeVar("ModelT", bound=legacy.EvaluateIn)


def _run_code_call(body: bytes) -> RunCall:
    return convert_legacy.run_code_call(validate(legacy.RunCodeIn, parse_json(body)))


def router(service: Service) -> APIRouter:
    """The routes over one service."""
    routes = APIRouter()

    async def evaluate(
        request: Request, model: type[ModelT], convert: Callable[[ModelT], convert_legacy.EvaluateCall]
    ) -> Response:
        with Held(service.room, ROOM_SECONDS) as held:
            body = await read_body(request, service.max_body_bytes, held)
            call = await service.read(
                body,
                lambda data: service.tails.call(data, model, lambda whole: convert(validate(model, parse_json(whole)))),
            )
            judgement = await unless_gone(request.receive, service.evaluate(call, tenant_of(request.scope)))
            reply = await service.write(judgement, lambda: reply_bytes(reply_legacy.evaluate_reply(call, judgement)))
            return await json_response(request, reply)

    @routes.post("/common_evaluate_batch", openapi_extra=described(legacy.EvaluateOut, legacy.BatchIn))
    async def common_evaluate_batch(request: Request) -> Response:
        """Judge a completion; test cases in columns."""
        return await evaluate(request, legacy.BatchIn, convert_legacy.batch_call)

    @routes.post("/common_evaluate", openapi_extra=described(legacy.EvaluateOut, legacy.SingleIn))
    async def common_evaluate(request: Request) -> Response:
        """Judge a completion; one object a test case."""
        return await evaluate(request, legacy.SingleIn, convert_legacy.single_call)

    @routes.post("/submit", openapi_extra=described(legacy.EvaluateOut, legacy.SubmitIn))
    async def submit(request: Request) -> Response:
        """Judge a completion; provided data of type CommonOJDataset."""
        return await evaluate(request, legacy.SubmitIn, convert_legacy.submit_call)

    @routes.post("/run_code", openapi_extra=described(legacy.RunCodeOut, legacy.RunCodeIn))
    async def run_code(request: Request) -> Response:
        """Run a program once."""
        with Held(service.room, ROOM_SECONDS) as held:
            body = await read_body(request, service.max_body_bytes, held)
            call = await service.read(body, _run_code_call)
            report = await unless_gone(request.receive, service.run(call, tenant_of(request.scope), patient=True))
            reply = reply_legacy.run_code_reply(report, service.node)
            return await json_response(request, reply_bytes(reply))

    @routes.get("/v1/ping")
    async def ping() -> str:
        """Answer ``"pong"``."""
        return "pong"

    return routes
