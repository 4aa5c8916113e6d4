"""``exact``: the output's bytes are the answer's bytes. Never normalises anything."""

from __future__ import annotations

from scalebox.checkers.excerpts import excerpt, first_difference, position
from scalebox.checkers.findings import accepted, rejected
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept exactly the answer's bytes."""
    if output == answer:
        return accepted(spec.name)
    at = first_difference(output, answer)
    if at == len(output):
        return rejected(spec.name, f"the output ends after {at} of {len(answer)} bytes", excerpt(answer, at))
    line, column = position(output, at)
    place = f"line {line}, column {column} (byte {at + 1})"
    if at == len(answer):
        return rejected(spec.name, f"{place}: the output goes on after all {at} bytes: '{excerpt(output[at:])}'", None)
    return rejected(spec.name, f"{place}: the output differs in '{excerpt(output, at)}'", excerpt(answer, at))
