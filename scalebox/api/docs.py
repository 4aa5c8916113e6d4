"""The OpenAPI document of routes that read their bodies themselves. Describes; never validates."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from scalebox.wire import judges_v1, legacy, v1

_PREFIX: Final = "#/components/schemas/"
_REQUESTS: Final[tuple[type[BaseModel], ...]] = (
    v1.JudgeV1,
    v1.ProblemV1,
    v1.RunV1,
    judges_v1.MoveV1,
    judges_v1.NewDisputeV1,
    legacy.BatchIn,
    legacy.SingleIn,
    legacy.SubmitIn,
    legacy.RunCodeIn,
)
_REPLIES: Final[tuple[type[BaseModel], ...]] = (
    v1.JudgementV1,
    v1.RegisteredV1,
    v1.RunReplyV1,
    v1.LanguagesV1,
    v1.HealthV1,
    v1.ErrorV1,
    judges_v1.JudgesV1,
    judges_v1.RegisteredJudgeV1,
    judges_v1.DisputeV1,
    legacy.EvaluateOut,
    legacy.RunCodeOut,
)


def described(
    reply: type[BaseModel], request: type[BaseModel] | None = None, media: str = "application/json"
) -> dict[str, Any]:
    """What the document says about one route."""
    error = {"description": "Error", "content": {"application/json": {"schema": _ref(v1.ErrorV1)}}}
    shown: dict[str, Any] = {
        "responses": {
            "200": {"description": "Reply", "content": {media: {"schema": _ref(reply)}}},
            "4XX": error,
        }
    }
    if request is not None:
        shown["requestBody"] = {"required": True, "content": {media: {"schema": _ref(request)}}}
    return shown


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"{_PREFIX}{model.__name__}"}


def install(app: FastAPI) -> None:
    """Make the application's document name every shape."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # the way that FastAPI documents


def _document(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    requests: list[tuple[type[BaseModel], JsonSchemaMode]] = [(model, "validation") for model in _REQUESTS]
    replies: list[tuple[type[BaseModel], JsonSchemaMode]] = [(model, "serialization") for model in _REPLIES]
    _, schemas = models_json_schema([*requests, *replies], ref_template=_PREFIX + "{model}")
    document.setdefault("components", {}).setdefault("schemas", {}).update(schemas["$defs"])
    return document
