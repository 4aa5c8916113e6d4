"""Changed programs of any language that looks like C: one operator or number exchanged each. Pure; knows tokens, not grammar.

What does not compile is no mutant: it prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from scalebox.synthesis.mutation.spread import spread

_SKIPPED: Final = re.compile(
    r'//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL | re.MULTILINE
)
_TOKEN: Final = re.compile(
    r"(?P<op><=|>=|==|!=|&&|\|\||(?<= )<(?= )|(?<= )>(?= )|(?<=\w)<(?=\w+;)|\+\+|--|\+=|-=|(?<=[\w)\]] )[-+*/%](?= [\w(]))|\b(?P<word>min|max|true|false|break)\b|(?<![\w.])(?P<int>\d{1,5})(?![\w.])"
)
_EXCHANGED: Final = {
    "<=": "<", ">=": ">", "<": "<=", ">": ">=", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "++": "--", "--": "++",
    "+=": "-=", "-=": "+=", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/",
    "min": "max", "max": "min", "true": "false", "false": "true", "break": "continue",
}  # fmt: skip


def token_mutants(source: str, most: int) -> list[tuple[str, str]]:
    """So many mutants at most, spread over the program, each with what was changed in words."""
    return spread(list(_every(source)), most)


def _neighbours(number: int) -> list[str]:
    return [str(number + 1), str(number - 1)] if number else ["1"]


def _every(source: str) -> Iterator[tuple[str, str]]:
    skipped = [match.span() for match in _SKIPPED.finditer(source)]
    for match in _TOKEN.finditer(source):
        if any(start <= match.start() < end for start, end in skipped):
            continue
        text = match.group()
        others = [_EXCHANGED[text]] if match["int"] is None else _neighbours(int(text))
        line = source.count("\n", 0, match.start()) + 1
        for other in others:
            if other != text:
                yield source[: match.start()] + other + source[match.end() :], f"line {line}: {other} for {text}"
