"""What a compiler's message quotes of test code is left out: it may hold answers, and a program chooses what its errors point at. Pure."""

from __future__ import annotations

import re
from typing import Final

_MARGIN: Final = re.compile(r"\s*(?:\d+\s*)?(?:[|│]\s?)?[>+~]?\s*")
"""Before a quoted line: its number and a rule, as most compilers have them."""
_MARKED: Final = re.compile(r"(?<=[`'\u2018])[^`'\u2018\u2019\n]++(?=[`'\u2019])")
"""What stands between the marks that compilers put around code."""
_OF_EXPRESSIONS: Final = re.compile(r"[(=\"]")
"""A name alone has none of these."""
_SHORTEST: Final = 4
"""Characters; what is shorter tells nothing."""
LEFT_OUT: Final = "(test code)"


def without_quotes(message: str, compiled: str, own: str) -> str:
    """The message with ``LEFT_OUT`` for each line, and each expression between quotation marks, of what is not the program's own.

    Args:
        message: of the compiler.
        compiled: everything that was compiled.
        own: what the program's author wrote of it, or was shown.
    """
    whole, known = _plain(compiled), _plain(own)

    def foreign(piece: str) -> bool:
        bare = _plain(piece).removeprefix("...").removesuffix("...").strip()
        return len(bare) >= _SHORTEST and bare in whole and bare not in known

    def told(line: str) -> str:
        margin = _MARGIN.match(line)
        start = margin.end() if margin else 0
        if foreign(line[start:]):
            return line[:start] + LEFT_OUT
        return _MARKED.sub(
            lambda match: LEFT_OUT if _OF_EXPRESSIONS.search(match[0]) and foreign(match[0]) else match[0], line
        )

    return "\n".join(map(told, message.split("\n")))


def _plain(text: str) -> str:
    """With one blank for any white space, as compilers print tabs in several ways."""
    return " ".join(text.split())
