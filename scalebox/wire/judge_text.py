"""One text for each judge that is a program, and back. Pure.

It is what v1 has in ``checker``, without what has its default, keys sorted; a judge of one nameless file is its ``source``.
"""

from __future__ import annotations

import hashlib

from pydantic_core import to_json

from scalebox.core.errors import RequestError
from scalebox.core.problem import ProgramChecker
from scalebox.wire import v1
from scalebox.wire.convert_client import Body, checker_body
from scalebox.wire.convert_v1 import program_checker
from scalebox.wire.parse import parse_json, validate


def judge_tree(checker: ProgramChecker) -> Body:
    """A judge as v1 has it.

    Raises:
        RequestError: it has what the HTTP API does not know.
    """
    model = validate(v1.ProgramCheckerV1, checker_body(checker))
    tree = model.model_dump(exclude_defaults=True)
    files = tree.get("files", {})
    if len(files) == 1 and "." not in tree["entry"]:
        del tree["files"], tree["entry"]
        tree["source"] = next(iter(files.values()))
    if tree.get("order") == ["input", "answer", "output"]:
        del tree["order"]
    return dict(sorted(tree.items()))


def judge_text(checker: ProgramChecker) -> str:
    """The text of a judge.

    Raises:
        RequestError: it has what the HTTP API does not know.
    """
    return to_json(judge_tree(checker)).decode()


def digest_of(text: str) -> str:
    """Tells judges apart by their texts."""
    return hashlib.sha256(text.encode()).hexdigest()


def judge_from_tree(tree: object, field: str = "checker") -> ProgramChecker:
    """The judge that a tree describes.

    Raises:
        RequestError: it describes none.
    """
    try:
        return program_checker(validate(v1.ProgramCheckerV1, tree), field)
    except RequestError as error:
        inner = error.field
        where = field if not inner or inner.startswith(field) else f"{field}.{inner}"
        raise RequestError(error.message, field=where, hint=error.hint, code=error.code) from None


def judge_from_text(text: str) -> ProgramChecker:
    """The judge in a text.

    Raises:
        RequestError: there is none in it.
    """
    return judge_from_tree(parse_json(text.encode()))
