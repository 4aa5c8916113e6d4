"""How the built-in checkers word what they found. Details never contain anything of the answer but its length."""

from __future__ import annotations

from scalebox.checkers.batches import token_at, token_start
from scalebox.checkers.excerpts import excerpt, first_difference, position
from scalebox.core.result import CheckResult
from scalebox.core.verdict import Verdict


def accepted(name: str) -> CheckResult:
    """The output is right."""
    return CheckResult(verdict=Verdict.AC, name=name)


def rejected(name: str, detail: str, answer_excerpt: str | None) -> CheckResult:
    """The output is wrong, and ``detail`` says where."""
    return CheckResult(verdict=Verdict.WA, name=name, detail=detail, answer_excerpt=answer_excerpt)


def token_differs(name: str, output: bytes, answer: bytes, number: int, complaint: str) -> CheckResult:
    """Token ``number`` (from 0) of the output is wrong; ``complaint`` ends the sentence ``the output has '7' …``."""
    start = token_start(output, number)
    token = token_at(output, start)
    due = token_at(answer, token_start(answer, number))
    at = first_difference(token, due)
    detail = f"{token_place(output, start)}: the output has '{excerpt(token, at)}' {complaint}"
    return rejected(name, detail, excerpt(due, at))


def token_count_differs(name: str, output: bytes, answer: bytes, counts: tuple[int, int]) -> CheckResult:
    """All tokens agree until one side ends; ``counts`` are those of output and answer."""
    ours, due = counts
    if ours == 0:
        return rejected(name, f"the output has no token, the answer has {due}", _token_excerpt(answer, 0))
    if ours < due:
        return rejected(name, f"the output ends after {ours} of {due} tokens", _token_excerpt(answer, ours))
    start = token_start(output, due)
    extra = excerpt(token_at(output, start))
    return rejected(
        name, f"{token_place(output, start)}: the output goes on with '{extra}' after all {due} tokens", None
    )


def token_place(data: bytes, start: int) -> str:
    """``line 3, token 2 (column 5)`` for the token at offset ``start``."""
    line, column = position(data, start)
    number = len(data[start - column + 1 : start].split()) + 1
    return f"line {line}, token {number} (column {column})"


def _token_excerpt(data: bytes, number: int) -> str:
    return excerpt(token_at(data, token_start(data, number)))
