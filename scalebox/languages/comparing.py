"""Rewrite the comparisons that test code asserts, so that the harness makes them. Pure text: what is not plainly one comparison stays as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from scalebox.languages.definition import Comparison

_TOKEN: Final = re.compile(
    r"""
      (?P<skip>(?P<text>//[^\n]*+ | /\*(?:[^*]|\*(?!/))*+(?:\*/|\Z) | "(?:[^"\\\n]|\\.)*+"? | `[^`]*+`? | '(?:[^'\\\n]|\\.){1,12}+') | \w++ | \s++)
    | (?P<open>[(\[{]) | (?P<close>[)\]}])
    | (?P<operator>[=!<>]=(?!=) | && | \|\| | =>)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_UNCLEAR: Final = frozenset({"&&", "||", "=>", "=", "?", ":", ",", ";", "&", "|", "^", "!="})
"""Beside one of these, left and right of a comparison are not what stands before and behind it."""
_BINARY: Final = frozenset("+-*/%!~<>")
"""Before a call of `equals` each would bind its result, or only a part of what stands left of it."""

_NAME: Final = re.compile(r"[\w.:\s]+")


def compared(text: str, comparison: Comparison, entry: str) -> str:
    """The text with each assertion of one comparison replaced; ``entry`` is a name that no program can have."""
    parts: list[str] = []
    done = seen = 0
    for found in comparison.asserts.finditer(text):
        start = found.end() + 1
        if found.end() < seen or text[found.end() : start] != "(":
            continue
        end, marks = _inside(text, start)
        if end is None:
            break
        seen = end
        instead = _instead(text[start:end], [(at - start, mark) for at, mark in marks], comparison, entry)
        if instead is not None:
            parts += [text[done:start], instead]
            done = end
    return "".join([*parts, text[done:]])


def without_text(code: str) -> str:
    """Test code without its comments, strings and characters."""
    return "".join(" " if token["text"] else token[0] for token in _TOKEN.finditer(code))


def without_comments(code: str) -> str:
    """A program without its comments."""
    return "".join(" " if token[0].startswith(("//", "/*")) else token[0] for token in _TOKEN.finditer(code))


def _inside(text: str, start: int) -> tuple[int | None, Sequence[tuple[int, str]]]:
    """Where the parenthesis opened before ``start`` is closed, and what stands between at its own depth."""
    depth = 0
    marks: list[tuple[int, str]] = []
    for token in _TOKEN.finditer(text, start):
        if token["open"]:
            marks += [(token.start(), "(")] if depth == 0 else []
            depth += 1
        elif token["close"]:
            if depth == 0:
                return token.start(), marks
            depth -= 1
            marks += [(token.start(), ")")] if depth == 0 else []
        elif depth == 0 and not token["skip"]:
            marks.append((token.start(), token[0]))
    return None, marks


def _instead(inner: str, marks: Sequence[tuple[int, str]], comparison: Comparison, entry: str) -> str | None:
    equal = [at for at, mark in marks if mark == "=="]
    if comparison.by_operator and len(equal) == 1 and not any(mark in _UNCLEAR for _, mark in marks):
        left, right = inner[: equal[0]], inner[equal[0] + 2 :]
        return None if left.strip() == "null" else _said(comparison.by_operator, left, right, entry)
    if not comparison.method or len(marks) < 3 or marks[-1][1] != ")" or inner[marks[-1][0] + 1 :].strip():
        return None
    opened, dot = marks[-2][0], marks[-3]
    if dot[1] != "." or inner[dot[0] + 1 : opened].strip() != comparison.method:
        return None
    if any(mark in _BINARY or mark in _UNCLEAR or mark == "==" for _, mark in marks[:-3]):
        return None
    left, right = inner[: dot[0]], inner[opened + 1 : marks[-1][0]]
    if _NAME.fullmatch(left) and any(mark == "," for _, mark in _inside(inner, opened + 1)[1]):
        return None  # a class's own `equals`, of two values
    return _said(comparison.by_method, left, right, entry)


def _said(instead: str, left: str, right: str, entry: str) -> str:
    texts = {"left": left.strip(), "right": right.strip(), "entry": entry}
    return re.sub(r"\{(left|right|entry)\}", lambda slot: texts[slot[1]], instead)
