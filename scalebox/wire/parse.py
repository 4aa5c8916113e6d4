"""Bytes to a JSON tree, and a tree to a model. Never guesses: what is not strict JSON, or says a thing twice, is refused."""

from __future__ import annotations

import contextlib
import gc
import json
import math
import re
from collections.abc import Generator, Sequence
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, from_json

from scalebox.core.errors import RequestError
from scalebox.core.plain import MAX_CONTAINERS, outside_strings

ModelT = TypeVar("ModelT", bound=BaseModel)

_PLACE: Final = re.compile(r"line (\d+) column (\d+)$")
_ABSENT: Final = object()
MAX_MEMBERS: Final = 1_000_000
"""Members of all objects of a document together."""
MAX_TESTS: Final = 20_000
"""Tests of one problem."""
_LARGE_BYTES: Final = 1 << 20
_TESTS: Final = (
    ("problem", "tests"),
    ("tests",),
    ("config", "provided_data", "test_cases"),
    ("config", "provided_data", "test"),
)
"""Where requests have their tests: a list of them, or columns."""
_NESTED: Final = frozenset({list, dict})
_HINTS: Final = {
    "extra_forbidden": "remove it; the fields are listed at /docs",
    "missing": "add it",
    "union_tag_not_found": "say which kind it is",
    "int_type": "write a JSON integer, without quotes",
    "float_type": "write a JSON number, without quotes",
    "string_type": "write a JSON string",
    "bool_type": "write true or false",
    "list_type": "write a JSON array",
    "dict_type": "write a JSON object",
    "model_type": "write a JSON object",
    "finite_number": "write a finite number",
}


class JsonError(RequestError):
    """The body is no JSON that we take: malformed, not UTF-8, NaN, a lone surrogate, too deep, out of range."""


def parse_json(body: bytes) -> object:
    """Parse one JSON document strictly. A number beyond a double becomes infinite; see ``is_finite``.

    Raises:
        JsonError: not JSON, not UTF-8, NaN or Infinity, a lone surrogate, more than 200 levels, an integer of more
            than 4300 digits, a key twice in one object, or more than one document should hold.
    """
    members = outside_strings(body, b":")
    if members > MAX_MEMBERS or body.count(b"[") + body.count(b"{") > MAX_CONTAINERS:
        _refuse_size(body, members)
    try:
        with _uncollected(len(body)):
            tree = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise _explain(body, str(error)) from None
    if members != _members(tree):  # the parser keeps the last of two
        raise _said_twice(body)
    return tree


@contextlib.contextmanager
def _uncollected(size: int) -> Generator[None, None, None]:
    """Without garbage collection while a large document is read: there is none, and each looks at the whole tree again.

    One call reads it all and keeps every other thread waiting, so its length matters.
    """
    if size < _LARGE_BYTES or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _refuse_size(body: bytes, members: int) -> None:
    """Refuse what would cost far more to hold than to send, and stop every other thread while it is read."""
    containers = outside_strings(body, b"[", b"{")
    for found, most, words in ((members, MAX_MEMBERS, "members"), (containers, MAX_CONTAINERS, "arrays and objects")):
        if found > most:
            hint = "send the tests in several problems, or large values as text"
            raise JsonError(f"the JSON has {found} {words}; at most {most} are taken", hint=hint, code="too_complex")


def _members(tree: object) -> int:
    """Members of all objects in a tree."""
    found = 0
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            found += len(item)
            waiting.extend(item.values())
        elif isinstance(item, list) and not _NESTED.isdisjoint(map(type, item)):
            waiting.extend(item)
    return found


def _said_twice(body: bytes) -> JsonError:
    twice: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                twice.append(key)
            seen.add(key)

    json.loads(body, object_pairs_hook=note, strict=False)
    key = twice[0][:200]
    return JsonError(
        f"the key {key!r} occurs twice in one object", field=key, hint="give it once", code="duplicate_key"
    )


def _explain(body: bytes, message: str) -> JsonError:
    if "recursion limit" in message:
        return JsonError("the JSON is nested more than 200 levels deep", hint="flatten it", code="too_deep")
    if "number out of range" in message:
        hint = 'integers have at most 4300 digits; in a call value write a longer one as {"$int": "0x..."}'
        return JsonError("a number in the body has too many digits", hint=hint, code="number_too_long")
    if "hex escape" in message and not _is_truncated(body):
        hint = "pair it, or send the bytes base64-encoded in the field's _base64 form"
        return JsonError(f"the body has a lone surrogate: {message}", hint=hint, code="lone_surrogate")
    if "unicode code point" in message:
        hint = "encode the body as UTF-8; send other bytes base64-encoded in the field's _base64 form"
        return JsonError(f"the body is not UTF-8: {message}", hint=hint, code="invalid_utf8")
    if _at(body, message).lstrip(b"-").startswith((b"NaN", b"Inf")):
        hint = 'JSON has no NaN and no Infinity; in a call value write {"$float": "nan"}'
        return JsonError(f"the body has a number that is not finite: {message}", hint=hint, code="not_finite")
    return JsonError(f"the body is not JSON: {message}", hint="send one JSON document", code="invalid_json")


def _is_truncated(body: bytes) -> bool:
    return not body.rstrip().endswith((b"}", b"]", b'"'))


def _at(body: bytes, message: str) -> bytes:
    """The few bytes from the place that the parser complained about."""
    place = _PLACE.search(message)
    if place is None:
        return b""
    start = 0
    for _ in range(int(place[1]) - 1):
        start = body.find(b"\n", start) + 1
    column = start + int(place[2]) - 1
    return body[max(0, column - 1) : column + 8].lstrip(b" :,[")


def is_finite(tree: object) -> bool:
    """False where a number in the tree is beyond a double, such as 1e999, which the parser reads as infinite."""
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float) and not math.isfinite(item):
            return False
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
    return True


def validate(model: type[ModelT], tree: object) -> ModelT:
    """Check a tree against a model.

    Raises:
        RequestError: the first fault, with the field as the client wrote it.
    """
    for path in _TESTS:
        _refuse_many(tree, path)
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        raise _first_fault(error.errors(include_url=False, include_context=False)[0], tree) from None


def _refuse_many(tree: object, path: Sequence[str]) -> None:
    for part in path:
        tree = _child(tree, part)
    columns = tree.values() if isinstance(tree, dict) else [tree]
    count = max((len(column) for column in columns if isinstance(column, list)), default=0)
    if count > MAX_TESTS:
        hint = f"a problem has at most {MAX_TESTS}; send several"
        raise RequestError(f"there are {count} tests", field=".".join(path), hint=hint, code="too_many_tests")


def _first_fault(item: ErrorDetails, tree: object) -> RequestError:
    kind = item["type"]
    field = field_path(item["loc"], tree, missing=kind == "missing")
    if kind == "union_tag_not_found":
        field = f"{field}.kind" if field else "kind"
    message = "there is no such field" if kind == "extra_forbidden" else item["msg"]
    return RequestError(message, field=field or None, hint=_HINTS.get(kind), code=kind)


def field_path(location: Sequence[int | str], tree: object, *, missing: bool = False) -> str:
    """The dotted path of a pydantic location, without the union tags that the client never wrote."""
    path: list[str] = []
    current = tree
    for number, part in enumerate(location):
        inside = _child(current, part)
        if inside is not _ABSENT:
            current = inside
        elif not (missing and number == len(location) - 1):
            continue
        path.append(str(part))
    return ".".join(path)


def _child(tree: object, part: int | str) -> object:
    if isinstance(tree, dict):
        return tree.get(part, _ABSENT)
    if isinstance(tree, list) and isinstance(part, int) and part < len(tree):
        return tree[part]
    return _ABSENT
