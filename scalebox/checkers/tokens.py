"""``tokens``: the same words in the same order, whatever the layout. Folds case in ASCII only, and only when asked to.

The comparison is that of Kattis' default output validator, but sensitive to case unless the problem says otherwise. On request
the order does not count either.
"""

from __future__ import annotations

from dataclasses import replace

from scalebox.checkers import unordered
from scalebox.checkers.batches import Counts, Pairing, token_pieces
from scalebox.checkers.findings import accepted, token_count_differs, token_differs
from scalebox.checkers.spacing import check_spacing
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept where the tokens, split at ASCII white space, are equal: in order, unless ``spec.ordered`` is false."""
    if output == answer:
        return accepted(spec.name)
    if not spec.ordered:
        return unordered.check(replace(spec, unit="tokens"), output, answer)
    pairing = Pairing(output, answer, token_pieces, bytes.split if spec.case_sensitive else split_folded)
    for window in pairing.windows():
        if window.output != window.answer:
            pairs = enumerate(zip(window.output, window.answer, strict=True), window.first)
            number = next(number for number, (token, due) in pairs if token != due)
            return token_differs(spec.name, output, answer, number, "where the answer has another token")
    return settle(spec, output, answer, pairing.counts())


def settle(spec: CheckerSpec, output: bytes, answer: bytes, counts: Counts) -> CheckResult:
    """The last word once all pairs of tokens agree: on the number of tokens, and on the blanks where they count."""
    if counts.output != counts.answer:
        return token_count_differs(spec.name, output, answer, (counts.output, counts.answer))
    if spec.space_sensitive:
        return check_spacing(spec, output, answer)
    return accepted(spec.name)


def split_folded(piece: bytes) -> list[bytes]:
    """Tokens with A to Z in lower case; no other byte is touched."""
    return piece.lower().split()
