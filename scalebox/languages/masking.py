"""Which of a source's characters are code: comments, strings and characters become blanks. Pure text; never fails, and takes time in proportion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    r"""
      (?P<line>//[^\n]*+)
    | (?P<comment>/\*)
    | (?P<raw>\"{3})
    | (?P<string>")
    | (?P<character>'(?:\\.[^'\n]*|[^'\\\n])')
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_TEMPLATE: Final = re.compile(rf"{_TOKEN.pattern}|(?P<open>\{{)|(?P<close>\}})", _TOKEN.flags)
_COMMENT: Final = re.compile(r"/\*|\*/")
_IN_STRING: Final = re.compile(r'(?P<end>"|\n)|(?P<template>\$\{)|\\.', re.DOTALL)
_IN_RAW: Final = re.compile(r'(?P<end>"{3,}+)|(?P<template>\$\{)')
_IN_BLOCK: Final = re.compile(r'(?P<end>"{3})|\\.', re.DOTALL)


def masked(code: str, *, nested: bool = False, interpolated: re.Pattern[str] | None = None) -> str:
    """The source with blanks for what is no code.

    A string that is not closed ends with its line, a text block or comment with the source. A backslash in a text block is one where strings hold text alone.

    Args:
        code: the text.
        nested: comments hold comments.
        interpolated: what stands before a string whose ``${…}`` is code again, in which braces and strings may be; blanks take
            its place, too. None where strings hold text alone.
    """
    kept: list[str] = []
    at = 0
    for start, end in _Masks(code, nested, interpolated):
        kept += [code[at:start], " " * (end - start)]
        at = end
    return "".join([*kept, code[at:]])


@dataclass(slots=True)
class _String:
    """A string that is open."""

    text: re.Pattern[str]
    """What ends its text, for now or for good."""
    has_templates: bool
    braces: int = 0
    """How many are open in the template that is looked at; 0 in its text."""


class _Masks:
    """The places of a text that are no code, in order."""

    def __init__(self, code: str, nested: bool, interpolated: re.Pattern[str] | None) -> None:
        self._code = code
        self._nested = nested
        self._interpolated = interpolated

    def __iter__(self) -> Iterator[tuple[int, int]]:
        at = 0
        while token := _TOKEN.search(self._code, at):
            at = self._after(token)
            yield token.start(), at

    def _after(self, token: re.Match[str]) -> int:
        """Where a token, with what it begins, ends."""
        match token.lastgroup:
            case "comment":
                return self._comment(token.end())
            case "raw" | "string":
                return self._string(token)
            case _:
                return token.end()

    def _comment(self, at: int) -> int:
        depth = 1
        while mark := _COMMENT.search(self._code, at):
            at = mark.end()
            if mark[0] == "*/":
                depth -= 1
            elif self._nested:
                depth += 1
            if depth == 0:
                return at
        return len(self._code)

    def _string(self, opening: re.Match[str]) -> int:
        """The end of a string, with the strings that its templates hold."""
        strings = [self._opened(opening)]
        at = opening.end()
        while strings:
            step = self._in_template if strings[-1].braces else self._in_text
            at = step(strings, at)
        return at

    def _in_text(self, strings: list[_String], at: int) -> int:
        mark = strings[-1].text.search(self._code, at)
        if mark is None:
            strings.clear()
            return len(self._code)
        if mark.lastgroup == "end":
            strings.pop()
            return mark.start() if mark[0] == "\n" else mark.end()
        strings[-1].braces += mark.lastgroup == "template" and strings[-1].has_templates
        return mark.end()

    def _in_template(self, strings: list[_String], at: int) -> int:
        token = _IN_TEMPLATE.search(self._code, at)
        if token is None:
            strings.clear()
            return len(self._code)
        match token.lastgroup:
            case "open":
                strings[-1].braces += 1
            case "close":
                strings[-1].braces -= 1
            case "raw" | "string":
                strings.append(self._opened(token))
            case _:
                return self._after(token)
        return token.end()

    def _opened(self, opening: re.Match[str]) -> _String:
        before = self._code[max(opening.start() - 1, 0) : opening.start()]
        block = _IN_BLOCK if self._interpolated is None else _IN_RAW
        return _String(
            text=_IN_STRING if opening.lastgroup == "string" else block,
            has_templates=self._interpolated is not None and self._interpolated.fullmatch(before) is not None,
        )
