"""The v1 routes and those of operation. Each turns one request into one call of the service; no logic of their own."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from scalebox.api.admission import Held, read_body, unless_gone
from scalebox.api.batch import BatchResponse
from scalebox.api.docs import described
from scalebox.api.encoding import decoder_of
from scalebox.api.front import tenant_of
from scalebox.api.replies import JSON, json_response
from scalebox.api.service import Service
from scalebox.telemetry import metrics
from scalebox.wire import v1
from scalebox.wire.convert_v1 import run_call
from scalebox.wire.parse import parse_json, validate
from scalebox.wire.reply_v1 import health_reply, languages_reply, reply_bytes, run_reply


def router(service: Service) -> APIRouter:
    """The routes over one service."""
    routes = APIRouter()

    @routes.post("/v1/judge", openapi_extra=described(v1.JudgementV1, v1.JudgeV1))
    async def judge(request: Request) -> Response:
        """Judge one submission."""
        with Held(service.room) as held:
            body = await read_body(request, service.max_body_bytes, held)
            judged = service.judge_v1(body, tenant_of(request.scope))
            return await json_response(request, await unless_gone(request.receive, judged))

    @routes.post("/v1/judge/batch", openapi_extra=described(v1.JudgementV1, v1.JudgeV1, "application/x-ndjson"))
    async def judge_batch(request: Request) -> Response:
        """Judge a request a line; replies come as they finish, each with its line's ``index`` from 0."""
        return BatchResponse(service, decoder_of(request.headers.get("content-encoding")))

    @routes.post("/v1/run", openapi_extra=described(v1.RunReplyV1, v1.RunV1))
    async def run(request: Request) -> Response:
        """Run a program once, without an opinion on right or wrong."""
        with Held(service.room) as held:
            body = await read_body(request, service.max_body_bytes, held)
            call = await service.read(body, lambda data: run_call(validate(v1.RunV1, parse_json(data))))
            report = await unless_gone(request.receive, service.run(call, tenant_of(request.scope)))
            return await json_response(request, reply_bytes(run_reply(report)))

    @routes.get("/v1/languages", openapi_extra=described(v1.LanguagesV1))
    async def languages() -> Response:
        """Every language, available or not, and the world of its programs."""
        return Response(reply_bytes(languages_reply(await service.judge.languages())), media_type=JSON)

    @routes.get("/healthz", openapi_extra=described(v1.HealthV1))
    async def healthz() -> Response:
        """What the node can do right now: walls, slots, toolchains."""
        return Response(reply_bytes(health_reply(await service.health())), media_type=JSON)

    @routes.get("/readyz")
    async def readyz() -> Response:
        """200 where new work is welcome, else 503."""
        if service.draining:
            return Response(b'{"ready":false,"reason":"draining"}', 503, media_type=JSON)
        if not (await service.health()).ready:
            return Response(b'{"ready":false,"reason":"the judge is not ready; see /healthz"}', 503, media_type=JSON)
        return Response(b'{"ready":true,"reason":null}', media_type=JSON)

    @routes.get("/metrics", include_in_schema=False)
    async def scrape() -> Response:
        """Prometheus metrics."""
        return Response(await service.scrape(), headers={"Content-Type": metrics.CONTENT_TYPE})

    return routes
