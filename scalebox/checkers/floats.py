"""``floats``: tokens, where numbers need only be close. NaN, infinities, hexadecimal and ``1_0`` are never numbers here.

A token is a number when it is decimal text: sign, digits, point, exponent, all ASCII. Then, by the form of the answer's token:

* with a point or an exponent: the output's token must be a number within the tolerance (``3`` for ``3.0`` is);
* an integer, under ``exact_integers`` (the default): integer text must be the same integer, however padded; text with a point
  or an exponent must be within the tolerance and the answer must be the integer nearest to it, so that no tolerance ever
  accepts another integer; without ``exact_integers`` the tolerance decides alone, as in Kattis' default validator;
* anything else: the tokens must be equal, so ``inf`` and ``nan`` match only themselves.

The tolerance is absolute, relative to the answer, or either. What binary floating point cannot decide is decided in decimal.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, Overflow
from typing import Final

from scalebox.checkers.batches import Pairing, Window, token_pieces
from scalebox.checkers.decisions import same_decision
from scalebox.checkers.findings import accepted, token_differs
from scalebox.checkers.tokens import settle, split_folded
from scalebox.core.problem import CheckerSpec
from scalebox.core.result import CheckResult

_NUMBER: Final = re.compile(rb"[+-]?(?:\d+(\.\d*)?|(\.\d+))([eE][+-]?\d+)?")
_NUMBER_BYTES: Final = b"0123456789+-.eE"
_LONGEST_BINARY: Final = 400
"""Longer tokens go straight to decimal arithmetic, which reads them in linear time."""

_ROUNDING: Final = 2.0**-48
_SMALLEST: Final = 1e-300
_SURE: Final = 0.999
_SURELY_NEAREST: Final = 0.49
_EXACT: Final = Context(prec=64, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[InvalidOperation, Overflow])
_HALF: Final = Decimal("0.5")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bounds:
    """The tolerance, in binary and in decimal."""

    absolute: float
    relative: float
    exact_absolute: Decimal
    exact_relative: Decimal
    exact_integers: bool

    @staticmethod
    def of(spec: CheckerSpec) -> _Bounds:
        absolute = 0.0 if spec.mode == "rel" else spec.absolute
        relative = 0.0 if spec.mode == "abs" else spec.relative
        return _Bounds(
            absolute=absolute,
            relative=relative,
            exact_absolute=Decimal(repr(absolute)),
            exact_relative=Decimal(repr(relative)),
            exact_integers=spec.exact_integers,
        )


def check(spec: CheckerSpec, output: bytes, answer: bytes) -> CheckResult:
    """Accept where each token equals the answer's or is a number close enough to it."""
    if output == answer:
        return accepted(spec.name)
    pairing = Pairing(output, answer, token_pieces, bytes.split if spec.case_sensitive else split_folded)
    bounds = _Bounds.of(spec)
    for window in pairing.windows():
        if window.output == window.answer or _surely_close(window, bounds):
            continue
        for number, (token, due) in enumerate(zip(window.output, window.answer, strict=True), window.first):
            if token != due and not (
                _close(token, due, bounds) or (spec.decisions_any_case and same_decision(token, due))
            ):
                return token_differs(spec.name, output, answer, number, _complaint(spec, token))
    return settle(spec, output, answer, pairing.counts())


def _surely_close(window: Window, bounds: _Bounds) -> bool:
    """A quick yes for a window of nothing but numbers, well within the tolerance; no means look closely.

    Of these bytes alone, what ``float`` reads is exactly a number as this module means it.
    """
    both = b"".join(window.output), b"".join(window.answer)
    if any(text.translate(None, _NUMBER_BYTES) for text in both):
        return False
    if max(map(len, window.output)) > _LONGEST_BINARY or max(map(len, window.answer)) > _LONGEST_BINARY:
        return False
    try:
        numbers = list(map(float, window.output))
        numbers_due = list(map(float, window.answer))
    except ValueError:
        return False
    absolute, relative = bounds.absolute * _SURE, bounds.relative * _SURE
    for number, number_due, token, due in zip(numbers, numbers_due, window.output, window.answer, strict=True):
        if token == due:
            continue
        size = abs(number_due)
        gap = abs(number - number_due) + size * _ROUNDING + _SMALLEST
        if not (gap <= absolute or gap <= size * relative < math.inf):
            return False
        if bounds.exact_integers and _is_integer(due) and (gap > _SURELY_NEAREST or _is_integer(token)):
            return False
    return True


def _is_integer(number: bytes) -> bool:
    """Whether the text of a number is that of an integer."""
    return not (b"." in number or b"e" in number or b"E" in number)


def _close(token: bytes, due: bytes, bounds: _Bounds) -> bool:
    """Whether two tokens that are not equal as text are numbers close enough to each other."""
    ours, theirs = _NUMBER.fullmatch(token), _NUMBER.fullmatch(due)
    if not ours or not theirs:
        return False
    if theirs.lastindex is None and bounds.exact_integers:
        if ours.lastindex is None:
            return _integer(token) == _integer(due)
        return _within(token, due, bounds) and _nearest(token, due)
    return _within(token, due, bounds)


def _integer(token: bytes) -> tuple[bool, bytes]:
    """Sign and digits of integer text, without padding; linear, unlike a conversion to ``int``."""
    digits = token.lstrip(b"+-").lstrip(b"0")
    return bool(digits) and token.startswith(b"-"), digits


def _within(token: bytes, due: bytes, bounds: _Bounds) -> bool:
    if len(token) > _LONGEST_BINARY or len(due) > _LONGEST_BINARY:
        return _within_exactly(token, due, bounds)
    ours, theirs = float(token), float(due)
    size = abs(theirs)
    gap, bound = abs(ours - theirs), max(bounds.absolute, bounds.relative * size)
    doubt = (abs(ours) + size + bound) * _ROUNDING + _SMALLEST
    if gap + doubt <= bound < math.inf:
        return True
    if gap - doubt > bound:
        return False
    return _within_exactly(token, due, bounds)  # on the edge, or not finite


def _within_exactly(token: bytes, due: bytes, bounds: _Bounds) -> bool:
    ours, theirs = _decimal(token), _decimal(due)
    if ours is None or theirs is None:
        return False
    try:
        gap = _EXACT.abs(_EXACT.subtract(ours, theirs))
        return gap <= bounds.exact_absolute or gap <= _EXACT.multiply(bounds.exact_relative, _EXACT.abs(theirs))
    except Overflow:
        return False


def _nearest(token: bytes, due: bytes) -> bool:
    """Whether integer ``due`` is the integer nearest to ``token``."""
    if len(token) <= _LONGEST_BINARY and len(due) < 12:
        rough = abs(float(token) - float(due))
        if abs(rough - 0.5) > 0.01:
            return rough <= _SURELY_NEAREST
    ours, theirs = _decimal(token), _decimal(due)
    return ours is not None and theirs is not None and _EXACT.abs(_EXACT.subtract(ours, theirs)) < _HALF


def _decimal(token: bytes) -> Decimal | None:
    """The number exactly; None where its exponent has more digits than any real one."""
    try:
        value = Decimal(token.decode("ascii"))
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _complaint(spec: CheckerSpec, token: bytes) -> str:
    if not _NUMBER.fullmatch(token):
        return "where the answer has another token"
    bounds = {"abs": f"{spec.absolute:g} absolute", "rel": f"{spec.relative:g} relative"}
    tolerance = bounds.get(spec.mode) or " or ".join(bounds.values())
    return f"which is not the answer's number (tolerance {tolerance}; integers {'exact' if spec.exact_integers else 'too'})"
