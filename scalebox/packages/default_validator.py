"""Flags of Kattis' default output validator to a checker. Pure; refuses a flag it does not know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.problem import CheckerSpec

_CASE: Final = "case_sensitive"
_SPACE: Final = "space_change_sensitive"
_ABSOLUTE: Final = "float_absolute_tolerance"
_RELATIVE: Final = "float_relative_tolerance"
_BOTH: Final = "float_tolerance"
_TOLERANCES: Final = (_ABSOLUTE, _RELATIVE, _BOTH)


@dataclass(slots=True)
class _Read:
    case_sensitive: bool = False
    space_sensitive: bool = False
    absolute: float | None = None
    relative: float | None = None


def checker_of(flags: Sequence[str]) -> CheckerSpec:
    """The checker that compares as the default validator does with these flags: tokens in any case, unless they say more.

    Raises:
        ValueError: an unknown flag, or a tolerance that is missing, negative or not finite; in words.
    """
    read = _read(list(flags))
    if read.absolute is None and read.relative is None:
        return CheckerSpec(
            name="tokens",
            case_sensitive=read.case_sensitive,
            exact_integers=False,
            space_sensitive=read.space_sensitive,
        )
    return CheckerSpec(
        name="floats",
        case_sensitive=read.case_sensitive,
        absolute=read.absolute or 0.0,
        relative=read.relative or 0.0,
        mode="rel" if read.absolute is None else "abs" if read.relative is None else "either",
        exact_integers=False,
        space_sensitive=read.space_sensitive,
    )


def _read(flags: list[str]) -> _Read:
    read = _Read()
    while flags:
        flag = flags.pop(0)
        if flag == _CASE:
            read.case_sensitive = True
        elif flag == _SPACE:
            read.space_sensitive = True
        elif flag in _TOLERANCES:
            tolerance = _tolerance(flag, flags.pop(0) if flags else "")
            read.absolute = read.absolute if flag == _RELATIVE else tolerance
            read.relative = read.relative if flag == _ABSOLUTE else tolerance
        else:
            msg = (
                f"the default validator has no flag {flag[:40]!r}; it knows {', '.join((_CASE, _SPACE, *_TOLERANCES))}"
            )
            raise ValueError(msg)
    return read


def _tolerance(flag: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        msg = f"{flag} {text[:40]!r} is no tolerance; a finite number, zero or more, must follow the flag"
        raise ValueError(msg)
    return value
