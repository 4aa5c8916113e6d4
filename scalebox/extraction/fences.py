"""Fenced blocks of well-formed Markdown, as CommonMark reads it. Says so when the text is not well-formed; never repairs.

The reading is markdown-it-py's, cut down to the rules that can hold a fence (lists and quotations), so that HTML or a heading
next to a fence changes nothing. The text of a block is cut out of the original, line by line, so that tabs, trailing blanks,
NUL and CRLF stay.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scalebox.extraction.blocks import Block, Ending, closes_block, fence_line, tag_of
from scalebox.extraction.code_like import in_string

LARGEST_TEXT: Final = 1 << 16
"""Characters. A larger text is left to the loose reading, which is many times as fast."""

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_CONTAINER: Final = re.compile(r"[^ \t]")
_RULES: Final = ["fence", "blockquote", "list", "paragraph"]


def read_fences(text: str) -> list[Block] | None:
    """The fenced blocks in order; None where the text is not well-formed or too large.

    Not well-formed: a block that never ends, that holds the opening fence of another block or a closing one with more after it,
    that ends inside a string which goes on after it, or a fence that is none to CommonMark.
    """
    if len(text) > LARGEST_TEXT:
        return None
    lines = _LINE.findall(text)
    blocks: list[Block] = []
    for token in _parser().parse(text):
        if token.type != "fence":
            continue
        block = _block(token, lines)
        if block.ending is not Ending.CLOSED or not _sound(block, token.markup):
            return None
        blocks.append(block)
    if not blocks and ("```" in text or "~~~" in text):
        return None
    return blocks


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.enableOnly(_RULES)
    return parser


def _block(token: Token, lines: list[str]) -> Block:
    first, end = token.map or (0, 0)
    contents = token.content.removesuffix("\n").split("\n") if token.content else []
    originals = lines[first + 1 : first + 1 + len(contents)]
    prefix = _CONTAINER.sub(" ", re.split(r"[`~]", lines[first], maxsplit=1)[0])
    source = "".join(_original(content, line, prefix) for content, line in zip(contents, originals, strict=True))
    closed = end - first - 1 == len(contents) + 1
    return Block(tag=tag_of(token.info), source=source, ending=Ending.CLOSED if closed else Ending.UNCLOSED)


def _original(content: str, line: str, prefix: str) -> str:
    """What of the original line became ``content``, with its own line end."""
    body = line.rstrip("\r\n")
    candidates = (body.removeprefix(prefix), body[max(0, len(body) - len(content)) :])
    same = (text for text in candidates if text.replace("\0", "\ufffd").lstrip(" \t") == content.lstrip(" \t"))
    return next(same, content) + line[len(body) :]


def _sound(block: Block, mark: str) -> bool:
    if in_string(block.source):
        return False
    if mark not in block.source:
        return True
    return not any(_is_fence(line, mark) for line in block.source.split("\n"))


def _is_fence(line: str, mark: str) -> bool:
    """Whether the line would open a block like the one it stands in, or close that with more after it on the line."""
    fence = fence_line(line)
    if fence and not fence.info:
        return False
    return closes_block(line, mark) or bool(fence and fence.mark.startswith(mark))
