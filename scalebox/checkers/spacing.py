"""Blanks between tokens, compared byte by byte. Never looks at the tokens themselves."""

from __future__ import annotations

import re
from typing import Final

from scalebox.checkers.excerpts import first_difference, position
from scalebox.checkers.findings import accepted, rejected
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult

_TOKENS: Final = re.compile(rb"[^ \t\n\r\f\v]+")


def check_spacing(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept where the white space before, between and after the tokens is equal; there are equally many tokens."""
    ours, due = _TOKENS.sub(b"x", output), _TOKENS.sub(b"x", answer)
    if ours == due:
        return accepted(spec.name)
    at = first_difference(ours, due)
    line, _ = position(ours, at)
    token = len(ours[ours.rfind(b"\n", 0, at) + 1 : at].split())
    return rejected(spec.name, f"line {line}, after token {token}: the white space differs from the answer's", None)
