"""Guesses at what is code and what is prose, by the look of single lines. Knows no language in particular; never parses.

Every guess reads a line once. A line inside a triple-quoted string or a block comment is part of the code around it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

STRING_QUOTES: Final = ('"""', "'''")
_LONGEST_LINE: Final = 300
"""Characters of a line that are looked at."""

_CODE: Final = re.compile(
    r"""
    (?:
        (?:import|from|package|using|use|require|include|open|module)\s+[\w.:*{}"'<>/ ,;]+ $
      | <\?(?:php\b|=).* | \?> $
      | \#\s*(?:include|define|pragma|ifdef|ifndef|endif|if|undef)\b | \#!
      | (?:async\s+)?(?:def|fn|func|fun|sub|function)\s+[\w:.<>]+\s*[({<] | (?:pub|export|private|public|protected|static)\s+\w+
      | (?:class|struct|interface|trait|impl|enum|namespace|object|record)\s+[\w<>]+\b[^.?!]*[:{]?\s* $
      | (?:if|elif|else|while|for|with|try|except|finally|switch|match|case|do|loop|unless|until|foreach)\b.*[:{]\s*(?:[\#/].*)? $
      | (?:for\s.+\sin\s.+|with\s.+\sas\s.+|(?:el)?if\s.+|while\s.+|except\s.+|try|else):\s+[\w.]+(?:$|[\[(.=+*/-].*|\s[=+*/-].*)
      | (?:if|elif|while|for|foreach|until|unless)\s*[\[(].* | (?:else|try|finally|do|then|fi|done|esac|end|begin)\s*[:;{]? $
      | (?:return|raise|throw|yield|assert|del|global|nonlocal|break|continue|pass|await)\b(?:\s+[^.?!]*)? $
      | (?:let|const|var|val|my|our|local|declare|readonly|export)\s+[\w$@%&({\[] | (?:echo|printf|print|puts|read|say)\s+[-"'$\w]
      | (?:template|typedef)\b | @\w+
      | [\w.$@%*&\[\]"'>:-]+(?:\s*,\s*[\w.$@%*\[\]"']+)*\s*(?:[-+*/|&^%.]|//|\*\*|<<|>>|:)?=(?!=)\s*\S.*
      | \w+\s*:\s*[\w\[\], .|]+\s*=\s*\S.*
      | [\w.:$>-]+!?\(.*\)[;,]?\s*(?:[\#/].*)? $
      | .*[;{}]\s*(?:(?://|\#|/\*).*)? $
      | [\])}]+[;,)]*\s* $
    )
    """,
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"\s*(?:#|//|/\*|\*|--|;;|%)")
_PROSE_START: Final = re.compile(r"(?:[-*>]\s+|\d+[.)]\s+)?[*_'\"]{0,3}(?P<letter>[A-Za-z])")
_LABEL: Final = re.compile(r"[*_]{0,2}[A-Z][\w ]*[*_]{0,2}:(?:\s|[*_]|$)")
_WORD: Final = re.compile(r"[*_('\"]*[A-Z]?[a-z\u2019'-]*[*_)'\"]*[,.:;!?]*[*_]*")
_SENTENCE_END: Final = re.compile(r"[\w)*`][.:!?]\W*$")
_LONG_SENTENCE: Final = 6
_STRING: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_DANGLING: Final = tuple("=+-*/,([{:.\\|&<")
_DELIMITERS: Final = (('"""', '"""'), ("'''", "'''"), ("/*", "*/"))
_BRACKETS: Final = ("()", "[]", "{}")


class Look(enum.Enum):
    """What a line looks like."""

    BLANK = enum.auto()
    CODE = enum.auto()
    INSIDE = enum.auto()
    """Part of a string or comment that began on an earlier line, or indented."""
    COMMENT = enum.auto()
    PROSE = enum.auto()
    OTHER = enum.auto()


_FIRM: Final = frozenset({Look.CODE, Look.INSIDE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Consecutive lines without prose."""

    source: str
    code_lines: int
    whole: bool
    """Whether all of the text is in it, blank lines aside."""


def looks_like_code(text: str) -> bool:
    """Whether there is at least one line of code and no more prose than code."""
    looks = _looks(text.split("\n"))
    code = sum(look is Look.CODE for look in looks)
    return code > 0 and code >= sum(look is Look.PROSE for look in looks)


def is_all_code(text: str) -> bool:
    """Whether there is at least one line of code and none of prose."""
    looks = _looks(text.split("\n"))
    return Look.CODE in looks and Look.PROSE not in looks


def in_string(before: str) -> bool:
    """Whether a triple-quoted string is open where the text ends."""
    return any(before.count(quotes) % 2 for quotes in STRING_QUOTES)


def regions(text: str) -> list[Region]:
    """The stretches between lines of prose that hold at least one line of code."""
    lines = text.split("\n")
    looks = _looks(lines)
    whole = Look.PROSE not in looks
    found: list[Region] = []
    for start, end in _stretches(looks):
        code_lines = sum(look in {Look.CODE, Look.INSIDE} for look in looks[start:end])
        if Look.CODE in looks[start:end]:
            source = text if whole else "\n".join(lines[start:end]) + "\n"
            found.append(Region(source=source, code_lines=code_lines, whole=whole))
    return found


def looks_finished(source: str) -> bool:
    """Whether a source that nothing ends seems to be all there: its brackets match and its last line does not dangle."""
    bare = _STRING.sub("", source)
    if any(bare.count(pair[0]) != bare.count(pair[1]) for pair in _BRACKETS):
        return False
    return not bare.rstrip().endswith(_DANGLING)


def _looks(lines: Sequence[str]) -> list[Look]:
    looks = list(_each_look(lines))
    around = zip([Look.BLANK, *looks], looks, [*looks[1:], Look.BLANK], lines, strict=False)
    return [Look.OTHER if _is_misread(before, look, after, line) else look for before, look, after, line in around]


def _is_misread(before: Look, look: Look, after: Look, line: str) -> bool:
    """Whether a line like a sentence is wedged into code: prose keeps a blank line's distance, or introduces what follows."""
    if look is not Look.PROSE or after not in _FIRM:
        return False
    return before in _FIRM or not line.rstrip().endswith((".", ":", "!", "?"))


def _each_look(lines: Sequence[str]) -> Iterator[Look]:
    ends_with: str | None = None
    for line in lines:
        if ends_with:
            yield Look.INSIDE
            if ends_with in line:
                ends_with = None
            continue
        look = _look(line[:_LONGEST_LINE].rstrip())
        ends_with = None if look is Look.PROSE else _left_open(line)
        yield Look.CODE if ends_with and look is Look.OTHER else look


def _look(line: str) -> Look:
    if not line:
        return Look.BLANK
    if _CODE.match(" ".join(line.split())):  # runs of blanks would cost the pattern quadratic time
        return Look.CODE
    if line[0] in " \t":
        return Look.INSIDE
    if _COMMENT.match(line) and not line.startswith(("**", "* ")):
        return Look.COMMENT
    return Look.PROSE if _is_prose(line) else Look.OTHER


def _is_prose(line: str) -> bool:
    """Whether the line reads as a sentence or the label of one, in words or in a script without them."""
    if sum(character > "\u00ff" for character in line) * 2 > len(line):
        return True
    start = _PROSE_START.match(line)
    if not start:
        return False
    if _LABEL.match(line):
        return True
    words = line.split()
    natural = sum(bool(_WORD.fullmatch(word)) for word in words)
    ends = bool(_SENTENCE_END.search(line))
    if natural < 3 or natural < (0.5 if ends else 0.6) * len(words):
        return False
    return ends or start["letter"].isupper() or natural >= _LONG_SENTENCE


def _left_open(line: str) -> str | None:
    """What ends the string or comment that the line leaves open, if it does."""
    for opener, closer in _DELIMITERS:
        head, found, tail = line.rpartition(opener)
        if not found:
            continue
        if opener == closer and line.count(opener) % 2:
            return closer
        if opener != closer and closer not in tail and not head.rstrip().endswith(("'", '"')):
            return closer
    return None


def _stretches(looks: Sequence[Look]) -> Iterator[tuple[int, int]]:
    """Bounds of the runs without prose, what is not code at their edges left out where there is prose."""
    start = 0
    for end, look in enumerate([*looks, Look.PROSE]):
        if look is Look.PROSE:
            yield _trimmed(looks, start, end)
            start = end + 1


def _trimmed(looks: Sequence[Look], start: int, end: int) -> tuple[int, int]:
    while start < end and looks[start] in {Look.BLANK, Look.OTHER}:
        start += 1
    while start < end and looks[end - 1] in {Look.BLANK, Look.OTHER}:
        end -= 1
    return start, end
