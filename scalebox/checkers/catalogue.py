"""Checker name and options to a checker. Refuses what it does not know; never guesses.

A new checker is a module with ``check(spec, output, answer)`` and a row in the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from scalebox.checkers import exact, floats, lines, tokens, unordered, yes_no
from scalebox.core.errors import RequestError
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult

Checker = Callable[[CheckerSpec, bytes, bytes], CheckResult]

CHECKERS: Final[Mapping[str, Checker]] = MappingProxyType({
    "exact": exact.check,
    "lines": lines.check,
    "tokens": tokens.check,
    "floats": floats.check,
    "unordered": unordered.check,
    "yes_no": yes_no.check,
})
MODES: Final = ("either", "abs", "rel")
UNITS: Final = ("lines", "tokens")

_DEFAULT: Final = CheckerSpec()
_ONLY_FOR: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "ordered": ("tokens",),
    "unit": ("unordered",),
    "as_set": ("unordered",),
    "tokens_any_order": ("unordered",),
    "space_sensitive": ("exact", "lines", "tokens", "floats"),
})
"""Option -> the checkers that honour it, where ignoring it would change what is accepted."""


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Compare one output with the answer.

    Raises:
        RequestError: there is no checker of that name.
    """
    return _checker(spec.name)(spec, output, answer)


def validate(spec: CheckerSpec) -> None:
    """Refuse a checker that cannot work, before anything runs.

    Raises:
        RequestError: an unknown name, mode or unit, a tolerance that is negative or not finite, an option the checker cannot honour.
    """
    _checker(spec.name)
    if spec.mode not in MODES:
        raise RequestError(f"unknown mode {spec.mode[:40]!r}", field="checker.mode", hint=f"one of {', '.join(MODES)}")
    for field, tolerance in (("abs", spec.absolute), ("rel", spec.relative)):
        if not (math.isfinite(tolerance) and tolerance >= 0):
            raise RequestError(
                f"{tolerance} is no tolerance", field=f"checker.{field}", hint="a finite number, zero or more"
            )
    if spec.unit not in UNITS:
        raise RequestError(f"unknown unit {spec.unit[:40]!r}", field="checker.unit", hint=f"one of {', '.join(UNITS)}")
    for option, names in _ONLY_FOR.items():
        if spec.name not in names and getattr(spec, option) != getattr(_DEFAULT, option):
            message = f"{spec.name} has no option {option}"
            raise RequestError(message, field=f"checker.{option}", hint=f"it belongs to {', '.join(names)}")
    _refuse_contradictions(spec)


def _refuse_contradictions(spec: CheckerSpec) -> None:
    if spec.name == "exact" and not spec.case_sensitive:
        raise RequestError(
            "exact compares bytes and cannot fold case",
            field="checker.case_sensitive",
            hint="use lines or tokens, or leave it true",
        )
    if spec.space_sensitive and not spec.ordered:
        message = "blanks cannot be compared between tokens in any order"
        raise RequestError(message, field="checker.space_sensitive", hint="leave it false, or leave ordered true")
    if spec.tokens_any_order and spec.unit == "tokens":
        message = "tokens that are compared by themselves have no order inside a line"
        raise RequestError(message, field="checker.tokens_any_order", hint="leave it false, or leave unit at lines")


def _checker(name: str) -> Checker:
    if name not in CHECKERS:
        raise RequestError(
            f"unknown checker {name[:40]!r}", field="checker.name", hint=f"one of {', '.join(sorted(CHECKERS))}"
        )
    return CHECKERS[name]
