"""Reading the fields of a row: objects that may be kept as text, dotted paths, literals of Python. Never evaluates anything."""

from __future__ import annotations

import ast
from typing import Final

from pydantic_core import to_json

from scalebox.core.errors import RequestError
from scalebox.wire.parse import JsonError, parse_json

Tree = dict[str, object]

_CONTAINERS: Final = ("{", "[", "(")


def parse_line(line: bytes) -> Tree:
    """The JSON object of one line.

    Raises:
        RequestError: it is not one JSON object.
    """
    try:
        tree = parse_json(line)
    except JsonError as error:
        message = error.message.replace("the body", "the line")
        raise RequestError(message, hint="write one JSON object a line", code=error.code) from None
    if not isinstance(tree, dict):
        raise RequestError(f"the line is {kind_of(tree)}", hint="write one JSON object a line")
    return tree


def unpacked(value: object, field: str) -> object:
    """A value that may be kept as text: JSON, or what Python's ``repr`` makes of plain data.

    Raises:
        RequestError: it is text, and neither of the two.
    """
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value.encode())
    except JsonError as error:
        if value.lstrip().startswith(_CONTAINERS):
            literal = _literal(value)
            if literal is not None:
                return literal
        message = error.message.replace("the body", "the text")
        raise RequestError(message, field=field, hint="write JSON", code=error.code) from None


def _literal(text: str) -> object | None:
    """The plain data that a text is the literal of; None where it is none, or holds what is no text (a lone surrogate)."""
    try:
        value: object = ast.literal_eval(text)
        to_json(value, bytes_mode="base64")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value


def as_object(value: object, field: str) -> Tree:
    """The object in a value, which may be kept as text.

    Raises:
        RequestError: it is something else.
    """
    tree = unpacked(value, field)
    if isinstance(tree, dict):
        return tree
    raise RequestError(f"this is {kind_of(tree)}, where an object is due", field=field)


def as_list(value: object, field: str) -> list[object]:
    """The list in a value, which may be kept as text.

    Raises:
        RequestError: it is something else.
    """
    items = unpacked(value, field)
    if isinstance(items, list):
        return items
    raise RequestError(f"this is {kind_of(items)}, where a list is due", field=field)


def as_text(value: object, field: str) -> str:
    """Text, or the lines of one in a list, as some data sets keep inputs and outputs.

    Raises:
        RequestError: it is something else.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        return "\n".join(str(line) for line in value)
    raise RequestError(f"this is {kind_of(value)}, where text is due", field=field)


def dig(tree: Tree, path: str) -> object | None:
    """What lies at a dotted path; None where there is nothing. Objects on the way may be kept as text."""
    value: object = tree
    for name in path.split("."):
        if isinstance(value, str):
            try:
                value = unpacked(value, path)
            except RequestError:
                return None
        if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, dict):
            value = value.get(name)
        else:
            return None
    return value


def kind_of(value: object) -> str:
    """What a value is, in words of JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a {type(value).__name__}"
