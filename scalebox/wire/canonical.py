"""One text for each problem, and its id: the SHA-256 of that text. Pure: it neither reads nor keeps anything.

The text is the problem's JSON without white space, in UTF-8, and

- a field that has its default is left out, as is a test's name where it is its index, and a checker without options is its name;
- bytes are base64, whichever way they came; numbers that may have fractions are written as such (``1.0``);
- keys are sorted, but not those of a call's values, whose order a program sees; members of a set are sorted by their text.

So the order of keys, white space, escapes, base64 or text, and spelt-out defaults change nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final

from pydantic_core import to_json

from scalebox.core.errors import RequestError
from scalebox.core.problem import Problem
from scalebox.wire import v1
from scalebox.wire.convert_client import problem_body
from scalebox.wire.convert_v1 import problem_of
from scalebox.wire.fields import decode_base64, encode_base64
from scalebox.wire.parse import parse_json, validate

Tree = dict[str, Any]
_ID: Final = re.compile(r"sha256:[0-9a-f]{64}")
_SETS: Final = ("$set", "$frozenset")
_BYTES: Final = ("input", "answer")


def id_of(text: bytes) -> str:
    """The id of the problem with this canonical text."""
    return "sha256:" + hashlib.sha256(text).hexdigest()


def check_id(problem_id: str, field: str) -> str:
    """An id as it must look.

    Raises:
        RequestError: it does not.
    """
    if _ID.fullmatch(problem_id):
        return problem_id
    message = f"{problem_id[:100]!r} is no id of a problem"
    hint = "write sha256: and 64 hexadecimal digits in lower case, as POST /v1/problems answers"
    raise RequestError(message, field=field, hint=hint, code="invalid_problem_id")


def read_problem(body: bytes) -> tuple[Problem, bytes]:
    """The problem in a body that is nothing but the problem, and its canonical text.

    Raises:
        RequestError: it is not one.
    """
    model = validate(v1.ProblemV1, parse_json(body))
    try:
        problem = problem_of(model)
    except RequestError as error:
        field = None if error.field is None else error.field.removeprefix("problem.")
        raise RequestError(error.message, field=field, hint=error.hint, code=error.code) from None
    return problem, _text(model)


def canonical_text(problem: Problem) -> bytes:
    """The canonical text of a problem at hand.

    Raises:
        RequestError: it has what the HTTP API does not know.
    """
    return _text(validate(v1.ProblemV1, problem_body(problem)))


def _text(model: v1.ProblemV1) -> bytes:
    tree = model.model_dump(exclude_defaults=True)
    tree["tests"] = [_test(test, number) for number, test in enumerate(tree["tests"])]
    _shorten(tree, "checker", default="tokens")
    if "interactor" in tree:
        tree["interactor"] = _sorted(tree["interactor"])
    for name in ("groups", "limits"):
        if name in tree:
            tree[name] = _sorted(tree[name])
    text = to_json(dict(sorted(tree.items())))
    if any(b'{"%b":' % tag.encode() in text for tag in _SETS):
        tree["tests"] = [_test_with_sets(test) for test in tree["tests"]]
        text = to_json(dict(sorted(tree.items())))
    return text


def _test(test: Tree, number: int) -> Tree:
    if test.get("name") == str(number):
        del test["name"]
    for name in _BYTES if test["kind"] != "call" else ():
        text, encoded = test.pop(name, None), test.pop(f"{name}_base64", None)
        data = text.encode() if text is not None else decode_base64(encoded or "", name)
        if data or test["kind"] == "stdio":
            test[f"{name}_base64"] = encode_base64(data)
    if test["kind"] == "unit":
        test["files"] = dict(sorted(test["files"].items()))
    elif "files" in test:
        files = {path: encode_base64(decode_base64(data, path)) for path, data in test["files"].items()}
        test["files"] = dict(sorted(files.items()))
    if "tolerance" in test:
        test["tolerance"] = _sorted(test["tolerance"])
    _shorten(test, "checker")
    return dict(sorted(test.items()))


def _shorten(tree: Tree, name: str, default: str | None = None) -> None:
    """Write the checker in a tree the short way where it has no options; leave the default one out."""
    checker = tree.get(name)
    if isinstance(checker, dict):
        tree[name] = checker["name"] if set(checker) == {"name"} else _sorted(checker)
    if checker is not None and tree[name] == default:
        del tree[name]


def _sorted(tree: Tree) -> Tree:
    """A tree of ours, its keys sorted at every depth."""
    return {key: _sorted(value) if isinstance(value, dict) else value for key, value in sorted(tree.items())}


def _test_with_sets(test: Tree) -> Tree:
    if test["kind"] != "call":
        return test
    ordered = {key: _ordered(value) if key in {"args", "answer"} else value for key, value in test.items()}
    if "kwargs" in test:  # names of parameters, of which one may be that of a tag
        ordered["kwargs"] = {name: _ordered(value) for name, value in test["kwargs"].items()}
    return ordered


def _ordered(value: object) -> object:
    """A value whose sets are written in the order of their members' text."""
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {key: _ordered(item) for key, item in value.items()}
    if len(inner) == 1:
        [(tag, items)] = inner.items()
        if tag in _SETS and isinstance(items, list):
            by_text: Callable[[object], bytes] = to_json
            return {tag: sorted(items, key=by_text)}
    return inner
