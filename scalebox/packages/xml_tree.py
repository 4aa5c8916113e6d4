"""XML without its dangers: a document type declaration, and with it every entity, is refused; nesting is bounded."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder  # noqa: S405 - only builds the tree; the reading is done here
from xml.parsers import expat

_MAX_DEPTH: Final = 64


def parse(text: str) -> Element:
    """The root element of a document.

    Raises:
        ValueError: no well-formed XML, a document type declaration, or nesting too deep; in words.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            msg = f"nests more than {_MAX_DEPTH} elements deep"
            raise ValueError(msg)
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        msg = f"is not XML: {expat.errors.messages[error.code]} in line {error.lineno}"
        raise ValueError(msg) from None
    return builder.close()


def _refuse_doctype(*_: object) -> None:
    msg = "has a document type declaration, which is refused"
    raise ValueError(msg)
