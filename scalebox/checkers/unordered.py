"""``unordered``: the same lines, or tokens, in any order. Holds no more of the output than the answer has different elements.

A line is its tokens: blanks around and between them, and blank lines, never count. Elements are counted, so each must come as
often as in the answer, unless they are compared as sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from scalebox.checkers.batches import Pairing, line_pieces, token_pieces, token_start
from scalebox.checkers.excerpts import excerpt
from scalebox.checkers.findings import accepted, rejected, token_place
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult

_TO_SPACE: Final = bytes.maketrans(b"\t\r\f\v", b"    ")

Keys = Callable[[bytes], list[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    """What the elements are."""

    name: str
    pieces: Callable[[bytes], Iterator[bytes]]
    """Cuts a text where no element is torn."""
    keys: Keys
    """The elements of a piece; equal elements have equal keys."""
    each: Callable[[bytes], Iterator[tuple[int, bytes]]]
    """All elements of a text in order, each with the number, from 0, of its line or token."""
    place: Callable[[bytes, int], str]
    """Where the element of that number is."""

    def elements(self, text: bytes) -> Iterator[list[bytes]]:
        """All elements of a text, piece by piece."""
        return (self.keys(piece) for piece in self.pieces(text))


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept where output and answer have the same elements, ``spec.unit`` says which."""
    if output == answer:
        return accepted(spec.name)
    unit = _lines(spec) if spec.unit == "lines" else _tokens(spec)
    if _same_in_order(unit, output, answer):
        return accepted(spec.name)
    due: Counter[bytes] = Counter()
    for keys in unit.elements(answer):
        due.update(keys)
    ours: Counter[bytes] = Counter()
    batches = unit.elements(output)
    for keys in batches:
        ours.update(keys)
        if len(ours) > len(due):
            break
    else:
        if ours.keys() == due.keys() if spec.as_set else dict.__eq__(ours, due):
            return accepted(spec.name)
    for keys in batches:  # what is left after the break, to know what is missing
        ours.update(key for key in keys if key in due)
    return _differs(spec, unit, (output, answer), (ours, due))


def _same_in_order(unit: _Unit, output: bytes, answer: bytes) -> bool:
    """Whether the order is the answer's: common, and told several times as fast."""
    pairing = Pairing(output, answer, unit.pieces, unit.keys)
    if any(window.output != window.answer for window in pairing.windows()):
        return False
    counts = pairing.counts()
    return counts.output == counts.answer


def _lines(spec: CheckerSpec) -> _Unit:
    keys = _line_keys if spec.case_sensitive else _folded(_line_keys)
    if spec.tokens_any_order:
        keys = _sorted_inside(keys)

    def each(text: bytes) -> Iterator[tuple[int, bytes]]:
        number = 0
        for piece in line_pieces(text):
            for line in piece.split(b"\n"):
                for key in keys(line):
                    yield number, key
                number += 1

    return _Unit(name="line", pieces=line_pieces, keys=keys, each=each, place=lambda _, number: f"line {number + 1}")


def _tokens(spec: CheckerSpec) -> _Unit:
    keys: Keys = bytes.split if spec.case_sensitive else _folded(bytes.split)

    def each(text: bytes) -> Iterator[tuple[int, bytes]]:
        return enumerate(key for piece in token_pieces(text) for key in keys(piece))

    def place(text: bytes, number: int) -> str:
        return token_place(text, token_start(text, number))

    return _Unit(name="token", pieces=token_pieces, keys=keys, each=each, place=place)


def _line_keys(piece: bytes) -> list[bytes]:
    """The lines that are not blank, one space between their tokens; all lines of a piece are trimmed at once."""
    text = _single(piece.translate(_TO_SPACE), b" ")
    text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" \n")
    return _single(text, b"\n").split(b"\n") if text else []


def _single(text: bytes, byte: bytes) -> bytes:
    """The text with each run of ``byte`` cut to one; every round halves the runs."""
    while byte * 2 in text:
        text = text.replace(byte * 2, byte)
    return text


def _folded(keys: Keys) -> Keys:
    return lambda piece: keys(piece.lower())


def _sorted_inside(keys: Keys) -> Keys:
    return lambda piece: [b" ".join(sorted(line.split(b" "))) for line in keys(piece)]


def _differs(
    spec: CheckerSpec, unit: _Unit, texts: tuple[bytes, bytes], counts: tuple[Counter[bytes], Counter[bytes]]
) -> CheckResult:
    """Name the first element of the output that is too many; where there is none, the first of the answer that is missing."""
    output, answer = texts
    ours, due = counts
    if spec.as_set:
        ours, due = Counter(ours.keys()), Counter(due.keys())
    lacking = _first_beyond(spec, unit, answer, ours)
    missing = None if lacking is None else excerpt(lacking[1])
    surplus = None if ours.items() <= due.items() else _first_beyond(spec, unit, output, due)
    if surplus is not None:
        number, key = surplus
        complaint = (
            f"more often than the answer has that {unit.name}" if key in due else f"no {unit.name} of the answer"
        )
        detail = f"{unit.place(output, number)}: the output has '{excerpt(key)}', {complaint}"
        return rejected(spec.name, detail, missing)
    where = "" if lacking is None else unit.place(answer, lacking[0])
    several = " different" if spec.as_set else ""
    total = f"{due.total()}{several} {unit.name}s"
    return rejected(spec.name, f"the output has {ours.total()} of {total}; {where} of the answer is missing", missing)


def _first_beyond(spec: CheckerSpec, unit: _Unit, text: bytes, allowed: Counter[bytes]) -> tuple[int, bytes] | None:
    """The first element of the text that comes more often than is allowed; among sets, that is not allowed at all."""
    left = dict(allowed)
    for number, key in unit.each(text):
        if not left.get(key):
            return number, key
        if not spec.as_set:
            left[key] -= 1
    return None
