"""Tags that enclose code where no fence does: ``<answer>``, ``<pre><code>``, ``[PYTHON]``, ``\\begin{lstlisting}``. Never looks into a string.

A tag opens at the beginning of a line or after prose, and closes at the end of a line or before prose; one with quotation marks or
brackets beside it, or inside a triple-quoted string, belongs to the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from scalebox.extraction.code_like import in_string

_BESIDE: Final = r"[^\"'(){}=;`\n]{0,200}"
_NAMES: Final = r"answer|final_answer|solution|code|pre|program"
_OPENING: Final = (
    rf"(?:<(?:{_NAMES})(?:[ \t][^<>\n]{{0,200}})?>|\[[A-Za-z][\w+#]{{0,20}}\]"
    r"|\\begin\{(?:lstlisting|minted|verbatim)\}(?:\[[^\]\n]{0,200}\]|\{[^}\n]{0,40}\}){0,3})"
)
_CLOSING: Final = rf"(?:</(?:{_NAMES})>|\[/[A-Za-z][\w+#]{{0,20}}\]|\\end\{{(?:lstlisting|minted|verbatim)\}})"
_OPENER: Final = re.compile(
    rf"^{_BESIDE}?(?P<all>(?:{_OPENING}[ \t]*){{0,3}}(?P<last>{_OPENING}))", re.MULTILINE | re.IGNORECASE
)
_CLOSER: Final = re.compile(rf"{_CLOSING}(?={_BESIDE}$)", re.MULTILINE | re.IGNORECASE)
_TAG: Final = re.compile(rf"{_OPENING}|{_CLOSING}", re.IGNORECASE)
_MOST_TAGS: Final = 4
"""Openers from the end, and closers for each, that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosed:
    """What stands between tags."""

    source: str
    alone: bool
    """Whether nothing else is in the text, other tags aside."""


def enclosed(text: str, is_code: Callable[[str], bool]) -> Enclosed | None:
    """The code between the last tags that enclose code; None where there are no such tags."""
    openers = list(_OPENER.finditer(text))[-_MOST_TAGS:]
    for opener in reversed(openers):
        if in_string(text[: opener.start()]):
            continue
        inner = _inside(text, opener)
        if inner and is_code(inner.source):
            return inner
    source = before_closer(text)
    return Enclosed(source=source, alone=True) if source != text and is_code(source) else None


def before_closer(text: str) -> str:
    """The text up to the first closing tag that nothing in it opens, if there is one."""
    lowered = text.lower()
    for closer in _closers(text, 0, ""):
        opening = closer[0].lower().replace("/", "", 1).replace("\\end", "\\begin").removesuffix(">")
        if opening not in lowered[: closer.start()]:
            return text[: closer.start()]
    return text


def _inside(text: str, opener: re.Match[str]) -> Enclosed | None:
    start, tag = opener.end(), opener["last"]
    closer = next(_closers(text, start, _closing_of(tag)), None)
    if closer is None and tag.startswith("["):
        return None
    source = text[start : closer.start() if closer else len(text)]
    first, end, rest = source.partition("\n")
    source = f"{first.removeprefix(' ')}{end}{rest}" if first.strip() else rest
    around = text[: opener.start("all")] + (text[closer.end() :] if closer else "")
    return Enclosed(source=source, alone=not _TAG.sub("", around).strip())


def _closing_of(tag: str) -> str:
    """How the tag closes, in lower case."""
    if tag.startswith("\\"):
        return tag.lower().replace("\\begin", "\\end").partition("}")[0] + "}"
    name = re.split(r"[\s>\]]", tag[1:].lower(), maxsplit=1)[0]
    return f"[/{name}]" if tag.startswith("[") else f"</{name}>"


def _closers(text: str, start: int, tag: str) -> Iterator[re.Match[str]]:
    """The first closing tags from ``start`` on that no string holds; of one name, or of any where it is empty."""
    found = (match for match in _CLOSER.finditer(text, start) if tag in {"", match[0].lower()})
    return (match for match in islice(found, _MOST_TAGS) if not in_string(text[start : match.start()]))
