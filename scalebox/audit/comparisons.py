"""One output under every built-in comparison, strictest first. Pure; the word of a stricter one never changes that of a laxer.

``tokens`` and ``floats`` are what data sets are usually judged by, beside ``exact``; the others tell what a problem that all
three reject may need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scalebox.checkers.catalogue import check
from scalebox.core.problem import CheckerSpec, Tolerance
from scalebox.core.verdict import Verdict

EXACT: Final = "exact"
TOKENS: Final = "tokens"
FLOATS: Final = "floats"
MAIN: Final = (EXACT, TOKENS, FLOATS)
"""The comparisons whose differences are kept."""
LOOSE: Final = 1e-4

RUNGS: Final[Mapping[str, CheckerSpec]] = MappingProxyType({
    EXACT: CheckerSpec(name="exact"),
    "lines": CheckerSpec(name="lines"),
    TOKENS: CheckerSpec(name="tokens"),
    "yes or no in any case": CheckerSpec(name="yes_no"),
    FLOATS: CheckerSpec(name="floats"),
    "tokens in any case": CheckerSpec(name="tokens", case_sensitive=False),
    "floats in any case": CheckerSpec(name="floats", case_sensitive=False),
    "floats, integers too": CheckerSpec(name="floats", exact_integers=False),
    "floats within 1e-4": CheckerSpec(name="floats", absolute=LOOSE, relative=LOOSE),
    "lines in any order": CheckerSpec(name="unordered"),
    "tokens of a line in any order": CheckerSpec(name="unordered", tokens_any_order=True),
    "tokens in any order": CheckerSpec(name="unordered", unit="tokens"),
})
"""Name for people -> checker, in the order in which they are to be preferred."""
ORDERLESS: Final = frozenset({"lines in any order", "tokens of a line in any order", "tokens in any order"})
"""They are told, but never suggested alone: that one right output has the answer's parts says nothing about wrong ones that have
them, too, such as a route or a grid in another order."""
VALUE_RUNGS: Final = frozenset({FLOATS, "floats in any case", "floats, integers too", "floats within 1e-4"})
"""What accepts the value of a call that is equal only within the tolerance."""
VALUE_TOLERANCE: Final = Tolerance(absolute=1e-6, relative=1e-6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first difference that a comparison found."""

    words: str
    answer: str | None = None
    """What the answer has there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What the comparisons say of one output."""

    accepts: frozenset[str]
    """Names of those that accept it."""
    differences: Mapping[str, Difference]
    """Of those of ``MAIN`` that do not."""


ACCEPTED: Final = Compared(accepts=frozenset(RUNGS), differences=MappingProxyType({}))
"""Of an output that is the answer."""


def compare(output: bytes, answer: bytes) -> Compared:
    """Hold an output against the answer under every comparison."""
    if output == answer:
        return ACCEPTED
    accepts: set[str] = set()
    differences: dict[str, Difference] = {}
    for name, spec in RUNGS.items():
        checked = check(spec, output, answer)
        if checked.verdict is Verdict.AC:
            accepts.add(name)
        elif name in MAIN:
            differences[name] = Difference(words=checked.detail or "it differs", answer=checked.answer_excerpt)
    return Compared(accepts=frozenset(accepts), differences=differences)
