"""``compare_values``: the value a call returned, against the answer. Never recurses, and calls no code of the program's.

Both sides are plain values (``scalebox.core.plain``), so equality is Python's own, with these differences:

* a list equals a tuple with equal items, at any depth outside sets and dict keys; a set equals a frozenset;
* NaN equals NaN (it is in the answer, so the problem declares it);
* where the answer's dict has string keys only, as every JSON object, the output's keys ``1``, ``2.5``, ``True`` and ``None``
  equal ``"1"``, ``"2.5"``, ``"true"`` and ``"null"``, unless the output has that string as well;
* a value of a language that tells fewer kinds apart is read as what the answer is: a list or a dict, a number or its digits;
* under a declared tolerance two numbers of which one is a float are equal when they are close enough, absolutely or relative to
  the answer; so are sets of numbers, taken in order. Two integers stay exact.
"""

from __future__ import annotations

import cmath
import json
import math
import re
import sys
from collections.abc import Iterator, Set
from typing import Final, NamedTuple, TypeGuard

from scalebox.checkers.excerpts import describe, printable
from scalebox.checkers.findings import accepted, rejected
from scalebox.core.plain import Form, Letter, Loose, Opaque
from scalebox.core.problem import Tolerance
from scalebox.core.result import CheckResult

NAME: Final = "values"

_Number = int | float | complex
_NUMBERS: Final = (int, float, complex)
_SIMPLE: Final = (int, float, complex, str, bytes, type(None))
_FALSE: Final = frozenset({"", "0"})
_TRUTHS: Final = _FALSE | {"1"}
_NUMBER: Final = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,5})?|[+-]?(?:[Ii]nf(?:inity)?|[Nn]a[Nn])", re.ASCII
)
_MOST_DIGITS: Final = 600
_LONGEST_KEY_BITS: Final = 1024
_PATH_STEPS: Final = 20


class _Path(NamedTuple):
    """Where a value is: the container it is in, and its subscript there."""

    parent: _Path | None
    step: object

    def __str__(self) -> str:
        steps: list[object] = []
        node: _Path | None = self
        while node is not None:
            steps.append(node.step)
            node = node.parent
        shown = "".join(f"[{describe(step)}]" for step in reversed(steps[-_PATH_STEPS:]))
        return f"value{shown}" if len(steps) <= _PATH_STEPS else f"value{shown}…"


class _Pair(NamedTuple):
    """Two values still to be compared."""

    output: object
    answer: object
    path: _Path | None


class _Difference(NamedTuple):
    """The first difference found."""

    pair: _Pair
    complaint: str


_Walk = Iterator[_Pair | _Difference]


def compare_values(output: object, answer: object, tolerance: Tolerance | None) -> CheckResult:
    """Compare the value of a call case with its answer, depth first, so that the difference named is the first."""
    walks: list[_Walk] = [iter([_Pair(output, answer, None)])]
    while walks:
        found = next(walks[-1], None)
        if found is None:
            walks.pop()
        elif isinstance(found, _Difference):
            place = str(found.pair.path or "value")
            return rejected(NAME, f"{place}: {found.complaint}", describe(found.pair.answer))
        else:
            walks.append(_inside(found, tolerance))
    return accepted(NAME)


def _inside(pair: _Pair, tolerance: Tolerance | None) -> _Walk:
    """What is left to compare inside two values, and how they differ."""
    output, answer = pair.output, pair.answer
    while isinstance(output, Loose):
        output = _settled(output, answer)
    if isinstance(output, (list, tuple)) and isinstance(answer, (list, tuple)):
        return _walk_items(pair, output, answer, tolerance)
    if isinstance(output, dict) and isinstance(answer, dict):
        return _walk_dicts(pair, output, answer)
    if isinstance(output, (set, frozenset)) and isinstance(answer, (set, frozenset)):
        return _walk_sets(pair, output, answer, tolerance)
    if _simple_equal(output, answer, tolerance):
        return iter(())
    if isinstance(output, Opaque):
        complaint = f"the output is a {printable(output.type_name[:64])}, which is no plain value"
    else:
        complaint = f"the output has {describe(output)} ({type(output).__name__}), the answer another value"
    return iter([_Difference(pair, complaint)])


def _settled(output: Loose, answer: object) -> object:
    """What a loose value is beside this answer."""
    items = output.items
    match output.form:
        case Form.SCALAR:
            return _spelled(str(items[0]), answer)
        case Form.LETTER:
            code = items[0]
            return answer if isinstance(answer, str) and len(answer) == 1 and ord(answer) == code else code
        case Form.VECTOR if not isinstance(answer, (list, tuple, dict)) and len(items) <= 1:
            return items[0] if items else None
        case Form.LIST0 | Form.LIST1 | Form.VECTOR if isinstance(answer, dict):
            return dict(enumerate(items, start=1 if output.form is Form.LIST1 else 0))
        case _:
            return items


def _spelled(text: str, answer: object) -> object:
    """A text as a truth value or a number, where the answer is one and the text spells one."""
    if isinstance(answer, bool):
        return text not in _FALSE if text in _TRUTHS else text
    if isinstance(answer, (int, float)) and _NUMBER.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS and text.lstrip("-").isdecimal() else float(text)
    return text


def _simple_equal(output: object, answer: object, tolerance: Tolerance | None) -> bool:
    if isinstance(output, _NUMBERS) and isinstance(answer, _NUMBERS):
        return _numbers_equal(output, answer, tolerance)
    return isinstance(output, _SIMPLE) and type(output) is type(answer) and output == answer


def _walk_items(
    pair: _Pair,
    output: list[object] | tuple[object, ...],
    answer: list[object] | tuple[object, ...],
    tolerance: Tolerance | None,
) -> _Walk:
    if len(output) != len(answer):
        yield _Difference(pair, f"the output has {len(output)} items, the answer {len(answer)}")
    for index, (ours, due) in enumerate(zip(output, answer, strict=False)):
        if not _simple_equal(ours, due, tolerance):
            yield _Pair(ours, due, _Path(pair.path, index))


def _walk_dicts(pair: _Pair, output: dict[object, object], answer: dict[object, object]) -> _Walk:
    if len(output) != len(answer):
        yield _Difference(pair, f"the output has {len(output)} keys, the answer {len(answer)}")
    from_json = all(isinstance(key, str) for key in answer)
    for key, ours in output.items():
        name = _json_key(key) if from_json and key not in answer else key
        if isinstance(key, Letter) and name not in answer and key in range(sys.maxunicode + 1):
            name = chr(key)
        if name not in answer or (name is not key and name in output):
            yield _Difference(pair, f"the output has the key {describe(key)}, the answer has not")
        else:
            yield _Pair(ours, answer[name], _Path(pair.path, key))


def _json_key(key: object) -> object:
    """The string that JSON makes of a key; the key itself where it makes none."""
    if isinstance(key, int) and key.bit_length() > _LONGEST_KEY_BITS:
        return key
    if key is None or isinstance(key, (int, float)):
        return json.dumps(key)
    return key


def _walk_sets(pair: _Pair, output: Set[object], answer: Set[object], tolerance: Tolerance | None) -> _Walk:
    if len(output) != len(answer):
        yield _Difference(pair, f"the output has {len(output)} members, the answer {len(answer)}")
    elif output != answer and not _numeric_sets_equal(output, answer, tolerance):
        extra = next(member for member in output if member not in answer)
        yield _Difference(pair, f"the output has the member {describe(extra)}, the answer has not")


def _numeric_sets_equal(output: Set[object], answer: Set[object], tolerance: Tolerance | None) -> bool:
    ours, due = _ordered(output), _ordered(answer)
    if ours is None or due is None or len(ours) != len(due):
        return False
    return all(_numbers_equal(number, other, tolerance) for number, other in zip(ours, due, strict=True))


def _ordered(members: Set[object]) -> list[int | float] | None:
    """The members from small to large, NaN left out; None where one is no real number."""
    if not all(_is_real(member) for member in members):
        return None
    return sorted(_reals(members))


def _reals(members: Set[object]) -> Iterator[int | float]:
    return (member for member in members if _is_real(member) and not (isinstance(member, float) and math.isnan(member)))


def _is_real(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _numbers_equal(output: _Number, answer: _Number, tolerance: Tolerance | None) -> bool:
    if output == answer:
        return True
    if isinstance(output, (float, complex)) and isinstance(answer, (float, complex)) and output != output:
        return _same_with_nan(complex(output), complex(answer))
    if tolerance is None or isinstance(output, bool) or isinstance(answer, bool):
        return False
    if isinstance(output, int) and isinstance(answer, int):
        return False
    return _within(output, answer, tolerance)


def _same_with_nan(output: complex, answer: complex) -> bool:
    parts = ((output.real, answer.real), (output.imag, answer.imag))
    return all(ours == due or (math.isnan(ours) and math.isnan(due)) for ours, due in parts)


def _within(output: _Number, answer: _Number, tolerance: Tolerance) -> bool:
    try:
        ours, due = complex(output), complex(answer)
    except OverflowError:
        return False  # an integer no float comes near to
    if not (cmath.isfinite(ours) and cmath.isfinite(due)):
        return False
    gap = math.hypot(ours.real - due.real, ours.imag - due.imag)
    relative = tolerance.relative * math.hypot(due.real, due.imag)
    return gap <= tolerance.absolute < math.inf or gap <= relative < math.inf
