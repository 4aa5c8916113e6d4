"""Fenced blocks of text that is not well-formed Markdown. Repairs what models get wrong, and always finds an end; linear time.

Repaired: a closing fence at the end of a line of code, with more after it on its line, or missing before the next opening fence
or the end; an opening fence at the end of a line of prose, or before the beginning of the text; a fence line inside a
triple-quoted string; code that is indented less than its fence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from scalebox.extraction.blocks import Block, Ending, FenceLine, closes_block, fence_line, language_of, lines_of, tag_of
from scalebox.extraction.code_like import STRING_QUOTES, is_all_code, looks_like_code

_GLUED_OPENER: Final = re.compile(r"[^`]*[^`\s][^`]*(?P<mark>`{3,})(?P<info>[A-Za-z][\w+#.-]*)\s*$")
_ENCLOSING: Final = re.compile(r"(?:</\w{1,40}>|\[/\w{1,40}\]|[}*_ \t])*")
_PREFIX: Final = re.compile(r"(?P<quote>[ \t]*>[ >]*)?(?P<indent>[ \t]*)")
_MARKS: Final = ("```", "~~~")


def read_loosely(text: str, aliases: Mapping[str, str]) -> list[Block]:
    """The fenced blocks in order."""
    return _Scanner(text, aliases).scan()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opener:
    mark: str
    tag: str
    quoted: bool
    indent: int
    written: bool
    """False where the opening fence is not in the text."""


class _Scanner:
    """Goes through the lines once; inside a block it remembers where the block may have ended already."""

    def __init__(self, text: str, aliases: Mapping[str, str]) -> None:
        self._text = text
        self._aliases = aliases
        self._blocks: list[Block] = []
        self._opener: _Opener | None = None
        self._body: list[str] = []
        self._quotes = dict.fromkeys(STRING_QUOTES, 0)
        self._glued: int | None = None
        """Lines of the body up to a glued closing fence."""
        self._passed: int | None = None
        """Lines of the body up to a closing fence that seemed to be inside a string."""
        self._nested = False
        """A block is open inside a string."""

    def scan(self) -> list[Block]:
        """Read the text."""
        lines = lines_of(self._text)
        self._begin(lines)
        for line in lines:
            if self._opener:
                self._inside(line, self._opener)
            else:
                self._outside(line)
        if self._opener:
            self._end(Ending.UNCLOSED)
        return self._blocks

    def _begin(self, lines: list[str]) -> None:
        """Open a block at once where code precedes a first fence that can only be a closing one."""
        before: list[str] = []
        for line in lines:
            first = self._opening(line)
            mark = first.mark if first and not first.info else next(filter(partial(closes_block, line), _MARKS), None)
            if mark and is_all_code("".join(before)):
                self._opener = _Opener(mark=mark, tag="", quoted=False, indent=0, written=False)
            if mark or first:
                return
            before.append(line)

    def _outside(self, line: str) -> None:
        fence = self._opening(line)
        if fence:
            self._open(fence, line)

    def _opening(self, line: str) -> FenceLine | None:
        """The fence that the line is, or that stands at the end of a line of prose."""
        fence = fence_line(line)
        if fence or "```" not in line:
            return fence
        glued = _GLUED_OPENER.match(line)
        if glued and language_of(tag_of(glued["info"]), self._aliases):
            return FenceLine(glued["mark"], glued["info"])
        return None

    def _inside(self, line: str, opener: _Opener) -> None:
        fence = fence_line(line)
        if fence and self._opens_another(fence, line, opener):
            self._opening_inside(fence, line, opener)
        elif closes_block(line, opener.mark):
            self._closing(fence, line)
        else:
            self._add(line, opener)

    def _opens_another(self, fence: FenceLine, line: str, opener: _Opener) -> bool:
        """Whether a fence with an info string opens a block although one is open."""
        if not fence.info or fence.mark[0] != opener.mark[0]:
            return False
        known = language_of(tag_of(fence.info), self._aliases) is not None
        if closes_block(line, opener.mark):
            return known and len(fence.info.split()) == 1
        return known or len(fence.mark) >= len(opener.mark)

    def _opening_inside(self, fence: FenceLine, line: str, opener: _Opener) -> None:
        if self._in_string() and self._passed is None:
            self._nested = True
            self._add(line, opener)
            return
        self._end(Ending.UNCLOSED)
        self._open(fence, line)

    def _closing(self, fence: FenceLine | None, line: str) -> None:
        if self._in_string():
            if not self._nested and self._passed is None:
                self._passed = len(self._body)
            self._nested = False
            self._body.append(line)
        elif self._glued is not None and not looks_like_code("".join(self._body[self._glued :])):
            self._end(Ending.UNCLOSED)
            if fence and not fence.info:
                self._open(fence, line)
        else:
            self._glued = None
            self._passed = None
            self._end(Ending.CLOSED)

    def _add(self, line: str, opener: _Opener) -> None:
        if self._glued is None and _ends_glued(line, opener.mark) and not self._in_string():
            self._glued = len(self._body) + 1
        for quotes in STRING_QUOTES:
            self._quotes[quotes] += line.count(quotes)
        self._body.append(line)

    def _in_string(self) -> bool:
        return any(count % 2 for count in self._quotes.values())

    def _open(self, fence: FenceLine, line: str) -> None:
        prefix = _PREFIX.match(line)
        quoted = bool(prefix and prefix["quote"])
        indent = len(prefix["indent"].expandtabs(4)) if prefix else 0
        self._opener = _Opener(mark=fence.mark, tag=tag_of(fence.info), quoted=quoted, indent=indent, written=True)

    def _end(self, ending: Ending) -> None:
        opener = self._opener
        if opener is None:
            return
        body = self._body
        if self._passed is not None:
            body, ending = body[: self._passed], Ending.CLOSED
        elif self._glued is not None:
            last = body[self._glued - 1].partition(opener.mark)[0]
            body = [*body[: self._glued - 1], f"{last}\n"]
            ending = Ending.GLUED
        if not opener.written:
            ending = Ending.STRAY
        source = "".join(_dedented(body, opener))
        self._blocks.append(Block(tag=opener.tag, source=source, ending=ending))
        self._opener, self._glued, self._passed, self._body = None, None, None, []
        self._nested = False
        self._quotes = dict.fromkeys(STRING_QUOTES, 0)


def _ends_glued(line: str, mark: str) -> bool:
    """Whether the line is code with a closing fence at its end, but for tags and brackets, and no other fence in it."""
    if line.count(mark) != 1:
        return False
    code, _, rest = line.rstrip().partition(mark)
    return bool(code.strip()) and _ENCLOSING.fullmatch(rest) is not None


def _dedented(body: list[str], opener: _Opener) -> list[str]:
    """The lines less the indentation of the fence, or less what all of them share of it."""
    if opener.quoted:
        body = [re.sub(r"^[ \t]*> ?", "", line) for line in body]
    indents = [len(line) - len(line.lstrip(" \t")) for line in body if line.strip()]
    width = min([opener.indent, *indents])
    return [line[width:] if line.strip() else line.lstrip(" \t") if width else line for line in body]
