"""The fenced block, whoever found it, and what its info string means. Pure values."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_ATTRIBUTE_START: Final = re.compile(r"[\s,;:{}()\[\]=]")
_VERSION: Final = re.compile(r"[-_ ]?\d[\d.]*$")
_LONGEST_FENCE: Final = 1000
"""Characters of a line that can still be a fence to us."""

_TAG_PREFIX: Final = "language-"
_FENCE_LINE: Final = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_CLOSING: Final = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})(?P<gap>[ \t]*)(?P<tail>.*)$")
_INFO: Final = re.compile(
    r"""
    \{[ ]*[.\w][^{}]*\}?
  | (?P<tag>[A-Za-z][\w+#-]*(?:[.:/][\w+#./-]*[\w+#-])?)
    (?:[ \t,;]*(?:[\[({].*|[\w-]+[ ]*=.*)|[ \t]+(?P<more>[\w./-]*\w))?
    """,
    re.VERBOSE,
)
"""A tag, perhaps with attributes or one more word."""


class Ending(enum.StrEnum):
    """How a block ends."""

    CLOSED = "closed"
    """By a closing fence, as CommonMark has it."""
    GLUED = "glued-closer"
    """By a closing fence at the end of a line of code."""
    UNCLOSED = "unclosed-fence"
    """By the next opening fence, or by the end of the text."""
    STRAY = "stray-closer"
    """By a closing fence; the opening one was not part of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block. ``source`` is the text between the fences, less the indentation of the fence."""

    tag: str
    """The first word of the info string, in lower case; empty where there is none."""
    source: str
    ending: Ending

    @property
    def blank(self) -> bool:
        """Whether there is nothing in it."""
        return not self.source.strip()


@dataclass(frozen=True, slots=True)
class FenceLine:
    """A line that can open or close a fenced block."""

    mark: str
    info: str

    def closes(self, opener: str) -> bool:
        """Whether it closes a block opened by ``opener`` (the mark)."""
        return not self.info and self.mark[0] == opener[0] and len(self.mark) >= len(opener)


def fence_line(line: str) -> FenceLine | None:
    """The line as a fence, if it is one; indentation and quotation marks do not matter."""
    if "```" not in line and "~~~" not in line:
        return None
    if len(line) > _LONGEST_FENCE:
        return None
    match = _FENCE_LINE.match(line.rstrip())
    return FenceLine(match["mark"], match["info"].strip()) if match else None


def closes_block(line: str, opener: str) -> bool:
    """Whether the line closes a block opened by ``opener`` (the mark): nothing follows its own mark that could be an info string.

    What follows may be a tag that encloses the block (``</answer>``), a bracket or a sentence. What could be either, such as
    one word, is an info string where it is written as one: next to the mark, or in lower case.
    """
    if opener not in line or len(line) > _LONGEST_FENCE:
        return False
    match = _CLOSING.match(line.rstrip())
    if not match or match["mark"][0] != opener[0] or len(match["mark"]) < len(opener) or opener in match["tail"]:
        return False
    info = _INFO.fullmatch(match["tail"])
    if not info or not info["tag"]:
        return not info
    if info["more"]:
        return bool(match["gap"]) or info["tag"][0].isupper()
    return bool(match["gap"]) and info["tag"][0].isupper()


def tag_of(info: str) -> str:
    """The first word of an info string in lower case: ``Python title="a.py"``, ``{.python}`` and ``python:a.py`` are ``python``."""
    text = info.strip().lower().lstrip("{.").removeprefix(_TAG_PREFIX)
    return _ATTRIBUTE_START.split(text, maxsplit=1)[0]


def language_of(tag: str, aliases: Mapping[str, str]) -> str | None:
    """The language a tag names, by itself, without its version (``c++17``) or as a file name (``main.py``)."""
    for name in (tag, _VERSION.sub("", tag), tag.rpartition(".")[2]):
        if name in aliases:
            return aliases[name]
    return None


def lines_of(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one."""
    *lines, last = text.split("\n")
    whole = [f"{line}\n" for line in lines]
    return [*whole, last] if last else whole
