"""Splits what a model thought from what it answered. Looks at marks alone, never at what is said between them.

A mark counts where a line begins with the opening one, outside a fenced block; in a block it belongs to the program. What
stands before a closing mark that nothing opened is thought: the opening one was in the prompt. A closing mark in quotation marks
counts for nothing, nor does one inside a triple-quoted string that ends before the next fence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from scalebox.extraction.blocks import FenceLine, closes_block, fence_line, lines_of
from scalebox.extraction.code_like import STRING_QUOTES

_MARKS: Final = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
)
_CLOSERS: Final = {opener.lower(): re.compile(re.escape(closer), re.IGNORECASE) for opener, closer in _MARKS}
_OPENER: Final = re.compile(rf"[ \t]*(?P<mark>{'|'.join(re.escape(opener) for opener, _ in _MARKS)})", re.IGNORECASE)
_CLOSER: Final = re.compile("|".join(re.escape(closer) for _, closer in _MARKS), re.IGNORECASE)
_CLOSER_OR_QUOTED: Final = re.compile(
    rf"(?P<closer>{_CLOSER.pattern})|(?<!\w)[bfru]{{0,2}}(?:\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]+`)", re.IGNORECASE
)
ANY_MARK: Final = re.compile("|".join(re.escape(mark) for marks in _MARKS for mark in marks), re.IGNORECASE)
_FINAL_CHANNEL: Final = "<|channel|>final<|message|>"
_SPECIAL_END: Final = re.compile(r"(?:\s*(?:<\|[a-z_]{1,30}\|>|</s>|<end_of_turn>|<eos>))+\s*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A completion, taken apart."""

    answer: str
    unclosed_thought: str | None
    """The thought that never ends, without its mark."""


def split_thinking(text: str) -> Spoken:
    """Separate the answer from the thoughts."""
    text = text.rpartition(_FINAL_CHANNEL)[2]
    end = _SPECIAL_END.search(text, max(0, len(text) - 200))
    if end:
        text = f"{text[: end.start()]}\n"
    if not ANY_MARK.search(text):
        return Spoken(answer=text, unclosed_thought=None)
    return _Splitter().split(text)


class _Splitter:
    """Goes through the lines once, keeping those that answer."""

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._thought: list[str] = []
        self._closer: re.Pattern[str] | None = None
        """What ends the thought that is open."""
        self._fence: FenceLine | None = None
        """What opened the block that is open."""
        self._own_mark = False
        """The open block holds an opening mark of its own."""
        self._quotes = dict.fromkeys(STRING_QUOTES, 0)
        """Of the open block."""
        self._doubt: int | None = None
        """Kept lines up to a closing mark in a string that is still open."""

    def split(self, text: str) -> Spoken:
        """Read the text."""
        for line in lines_of(text):
            at = 0
            while at < len(line):
                at = self._step(line, at)
        self._drop_draft()
        thought = "".join(self._thought) if self._closer else None
        return Spoken(answer="".join(self._kept), unclosed_thought=thought)

    def _step(self, line: str, at: int) -> int:
        """Read the line from ``at`` on; returns where to go on."""
        if self._closer:
            return self._think(line, at, self._closer)
        if self._fence:
            return self._take_fenced(line, self._fence)
        return self._take_plain(line, at)

    def _think(self, line: str, at: int, closer: re.Pattern[str]) -> int:
        end = closer.search(line, at)
        if not end:
            self._thought.append(line[at:])
            return len(line)
        self._closer = None
        self._thought.clear()
        return end.end()

    def _take_fenced(self, line: str, opener: FenceLine) -> int:
        fence = fence_line(line)
        if fence and self._doubt is not None:
            self._drop_draft()
            self._open(fence)
        elif _CLOSER.fullmatch(line.strip()) and not self._own_mark:
            self._doubt = len(self._kept) + 1
        elif closes_block(line, opener.mark):
            self._fence = None
        self._own_mark = self._own_mark or bool(_OPENER.match(line))
        self._kept.append(line)
        self._follow_string(line)
        return len(line)

    def _follow_string(self, line: str) -> None:
        for quotes in STRING_QUOTES:
            self._quotes[quotes] += line.count(quotes)
        in_string = any(count % 2 for count in self._quotes.values())
        if self._doubt == len(self._kept) and not in_string:
            self._drop_draft()
        elif not in_string:
            self._doubt = None

    def _drop_draft(self) -> None:
        """Forget a draft that was never finished, if the doubtful mark ended one."""
        if self._doubt is None:
            return
        del self._kept[: self._doubt]
        self._doubt = None
        self._fence = None

    def _open(self, fence: FenceLine | None) -> None:
        self._fence = fence
        self._own_mark = False
        self._quotes = dict.fromkeys(STRING_QUOTES, 0)

    def _take_plain(self, line: str, at: int) -> int:
        opener = _OPENER.match(line, at)
        if opener:
            self._closer = _CLOSERS[opener["mark"].lower()]
            return opener.end()
        closer = _closer_in(line, at)
        if closer:
            self._kept.clear()
            return closer.end()
        self._open(fence_line(line[at:]))
        self._kept.append(line[at:])
        return len(line)


def _closer_in(line: str, at: int) -> re.Match[str] | None:
    """The first closing mark that does not stand in quotation marks."""
    if not _CLOSER.search(line, at):
        return None
    return next((match for match in _CLOSER_OR_QUOTED.finditer(line, at) if match["closer"]), None)
