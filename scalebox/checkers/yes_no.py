"""``yes_no``: one decision or several, each ``yes`` or ``no`` in any case, in order. Takes no other word for either of them."""

from __future__ import annotations

from typing import Final

from scalebox.checkers.batches import Pairing, token_pieces
from scalebox.checkers.findings import accepted, token_count_differs, token_differs
from scalebox.checkers.tokens import split_folded
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult
from scalebox.core.verdict import Verdict

_WORDS: Final = frozenset({b"yes", b"no"})


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept where the output states the answer's decisions and nothing else.

    An answer that states anything else is the problem's fault (JE), unless the output is the very same bytes.
    """
    if output == answer:
        return accepted(spec.name)
    if not all(_WORDS.issuperset(split_folded(piece)) for piece in token_pieces(answer)):
        detail = "the answer has a token that is neither yes nor no: this problem needs another checker"
        return CheckResult(verdict=Verdict.JE, name=spec.name, detail=detail)
    pairing = Pairing(output, answer, token_pieces, split_folded)
    for window in pairing.windows():
        if window.output == window.answer:
            continue
        pairs = enumerate(zip(window.output, window.answer, strict=True), window.first)
        number, token = next((number, token) for number, (token, due) in pairs if token != due)
        complaint = "where the answer has the other word" if token in _WORDS else "which is neither yes nor no"
        return token_differs(spec.name, output, answer, number, complaint)
    counts = pairing.counts()
    if counts.output != counts.answer:
        return token_count_differs(spec.name, output, answer, (counts.output, counts.answer))
    return accepted(spec.name)
