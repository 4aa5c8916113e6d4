"""``lines``: the same lines in the same order. Blanks at the end of a line and blank lines at the end never count."""

from __future__ import annotations

from typing import Final

from scalebox.checkers.batches import Pairing, line_pieces
from scalebox.checkers.excerpts import excerpt, first_difference
from scalebox.checkers.findings import accepted, rejected
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult

_LINE_BLANKS: Final = b" \t\r\f\v"


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept where each line equals the answer's, ASCII blanks at its end aside."""
    if output == answer:
        return accepted(spec.name)
    output, answer = (text.rstrip(_LINE_BLANKS + b"\n") for text in (output, answer))
    pairing = Pairing(output, answer, line_pieces, _split)
    for window in pairing.windows():
        if window.output == window.answer:
            continue
        for number, (line, due) in enumerate(zip(window.output, window.answer, strict=True), window.first + 1):
            if _key(spec, line) != _key(spec, due):
                return _line_differs(spec.name, number, line.rstrip(_LINE_BLANKS), due.rstrip(_LINE_BLANKS))
    counts = pairing.counts()
    if counts.output == counts.answer:
        return accepted(spec.name)
    if counts.output < counts.answer:
        detail = f"the output ends after {counts.output} of {counts.answer} lines"
        return rejected(spec.name, detail, excerpt(_line(answer, counts.output)))
    extra = excerpt(_line(output, counts.answer))
    place = f"line {counts.answer + 1}, column 1"
    return rejected(spec.name, f"{place}: the output goes on with '{extra}' after all {counts.answer} lines", None)


def _split(piece: bytes) -> list[bytes]:
    return piece.split(b"\n")


def _key(spec: CheckerSpec, line: bytes) -> bytes:
    line = line.rstrip(_LINE_BLANKS)
    return line if spec.case_sensitive else line.lower()


def _line_differs(name: str, number: int, line: bytes, due: bytes) -> CheckResult:
    at = first_difference(line, due)
    place = f"line {number}, column {at + 1}"
    if at == len(line):
        return rejected(name, f"{place}: the output's line ends too early: '{excerpt(line, at)}'", excerpt(due, at))
    return rejected(name, f"{place}: the output differs in '{excerpt(line, at)}'", excerpt(due, at))


def _line(text: bytes, number: int) -> bytes:
    """Line ``number`` (from 0) of the text."""
    for piece in line_pieces(text):
        count = piece.count(b"\n") + 1
        if number < count:
            return piece.split(b"\n", number + 1)[number]
        number -= count
    return b""
