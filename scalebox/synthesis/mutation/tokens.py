"""Changed programs of any language that looks like C: one operator or number exchanged each. Pure; knows tokens, not grammar.

What does not compile is no mutant: it prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

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


def token_mutants(source: str) -> Iterator[tuple[str, str]]:
    """Mutants and what was changed in each, in words."""
    skipped = [match.span() for match in _SKIPPED.finditer(source)]
    for match in _TOKEN.finditer(source):
        if any(start <= match.start() < end for start, end in skipped):
            continue
        text = match.group()
        others = [_EXCHANGED[text]] if match["int"] is None else [str(int(text) + 1), str(abs(int(text) - 1))]
        line = source.count("\n", 0, match.start()) + 1
        for other in others:
            if other != text:
                yield source[: match.start()] + other + source[match.end() :], f"line {line}: {other} for {text}"
