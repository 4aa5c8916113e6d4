"""HumanEval+ and MBPP+: real argument types from JSON, and when an output equals the reference's. Pure; runs no program.

The rows are JSON, so tuples, sets and complex numbers of MBPP+ arrive as lists and strings. Each row of MBPP+ also carries the asserts
of the original problem, and those show the real types of the first inputs: the shape learned there is applied to all of them.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from acceptance.syntax import parse

MAX_DEPTH: Final = 24
"""Nesting to which lists are read as tuples."""
RELATIVE: Final = 1e-7
"""Relative tolerance that goes with every absolute one (the default of ``numpy.testing.assert_allclose``)."""
FLOATS_ABSOLUTE: Final = 1e-6
"""Absolute tolerance where the set declares none and the answer is made of floats."""

SET_EQUAL: Final = frozenset({
    "similar_elements",
    "find_char_long",
    "common_in_nested_lists",
    "extract_singly",
    "larg_nnum",
    "intersection_array",
    "find_dissimilar",
    "Diff",
})
"""Functions of MBPP+ whose outputs are compared as sets."""
NOT_NONE: Final = frozenset({"check_str", "text_match_three", "text_starta_endb"})
"""Functions of MBPP+ of which only matters whether they return something."""
ANY_OUTPUT: Final = frozenset({"are_equivalent", "sum_div"})
"""Functions of MBPP+ whose problem is ambiguous: the published rule accepts (nearly) any output."""


class Kind(enum.Enum):
    """What a JSON value stands for."""

    SAME = enum.auto()
    LIST = enum.auto()
    TUPLE = enum.auto()
    SET = enum.auto()
    DICT = enum.auto()
    NUMBER = enum.auto()
    COMPLEX = enum.auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The real type of a value and of what it holds; scalars inside containers keep their JSON type."""

    kind: Kind
    inner: Shape | None = None


SAME: Final = Shape(kind=Kind.SAME)


def shape_of(value: object) -> Shape:
    """The shape of a real value."""
    match value:
        case tuple():
            return Shape(kind=Kind.TUPLE, inner=_inner(value))
        case list():
            return Shape(kind=Kind.LIST, inner=_inner(value))
        case set() | frozenset():
            return Shape(kind=Kind.SET)
        case dict():
            return Shape(kind=Kind.DICT, inner=_inner(list(value.values())))
        case complex():
            return Shape(kind=Kind.COMPLEX)
        case int() | float():
            return Shape(kind=Kind.NUMBER)
        case _:
            return SAME


def _inner(values: Sequence[object]) -> Shape | None:
    shapes = [shape for shape in map(shape_of, values) if _rank(shape) > 0]
    return max(shapes, key=_rank, default=None)


def _rank(shape: Shape) -> int:
    """How much a shape tells: a deeper one more, and a set more than the empty dict that stands for an empty set."""
    match shape.kind:
        case Kind.SAME | Kind.NUMBER:
            return 0
        case Kind.DICT | Kind.COMPLEX:
            return 1
        case Kind.LIST | Kind.TUPLE | Kind.SET:
            return 2 + (_rank(shape.inner) if shape.inner else 0)


def convert(value: object, shape: Shape | None) -> object:
    """The value with the types of the shape."""
    if shape is None:
        return value
    if shape.kind is Kind.COMPLEX and isinstance(value, (str, int, float)):
        return complex(value)
    if shape.kind is Kind.NUMBER and isinstance(value, str):
        return float(value)
    if isinstance(value, dict):
        return {key: convert(item, shape.inner if shape.kind is Kind.DICT else None) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    items = [convert(item, shape.inner) for item in value]
    match shape.kind:
        case Kind.TUPLE:
            return tuple(items)
        case Kind.SET:
            return set(items) or {}  # the published rule turns an empty list into {}
        case _:
            return items


def calls_in(assertions: str, function: str) -> list[list[object]]:
    """The literal arguments of each first call of the function in the asserts, in order; a call that is not literal is left out."""
    calls = []
    for statement in parse(assertions).body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                calls.append(_literals(node.args))
                break
    return [call for call in calls if call is not None]


def _literals(nodes: Sequence[ast.expr]) -> list[object] | None:
    try:
        return [ast.literal_eval(node) for node in nodes]
    except ValueError:
        return None


def learn(calls: Sequence[Sequence[object]], arity: int) -> list[Shape]:
    """One shape for each argument, from calls with real types; the most telling one seen wins."""
    shapes = []
    for position in range(arity):
        seen = [shape_of(call[position]) for call in calls if position < len(call)]
        if SAME in seen:
            seen = [shape for shape in seen if shape.kind is not Kind.NUMBER]
        shapes.append(max(seen, key=_rank, default=SAME))
    return shapes


def readings(inputs: Sequence[Sequence[object]], assertions: str, function: str) -> list[list[list[object]]]:
    """The ways to read the inputs of a problem of MBPP+, the likeliest first: the caller takes the first its contract holds for.

    As its own asserts show; every list as a tuple, however deep; every scalar as a complex number.
    """
    arity = max((len(arguments) for arguments in inputs), default=0)
    shapes = learn(calls_in(assertions, function), arity)
    deep = Shape(kind=Kind.TUPLE)
    for _ in range(MAX_DEPTH):
        deep = Shape(kind=Kind.TUPLE, inner=deep)
    ways = [shapes, [deep] * arity, [Shape(kind=Kind.COMPLEX)] * arity]
    return [_read(inputs, way) for way in ways if _readable(inputs, way)]


def _read(inputs: Sequence[Sequence[object]], shapes: Sequence[Shape]) -> list[list[object]]:
    return [[convert(value, shape) for value, shape in zip(arguments, shapes, strict=False)] for arguments in inputs]


def _readable(inputs: Sequence[Sequence[object]], shapes: Sequence[Shape]) -> bool:
    try:
        _read(inputs, shapes)
    except (TypeError, ValueError):
        return False
    return True


def contract_program(row_source: str, function: str, contract: str) -> str:
    """A program whose ``function`` only checks the inputs, with the parameters of the reference; empty without a contract."""
    lines = [line for line in contract.splitlines() if line.strip()]
    if not lines:
        return ""
    node = next(n for n in parse(row_source).body if isinstance(n, ast.FunctionDef) and n.name == function)
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return f"import math\nimport re\ndef {function}({_bare(node.args)}):\n{contract}\n{indent}return True\n"


def _bare(parameters: ast.arguments) -> str:
    for parameter in [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]:
        parameter.annotation = None
    return ast.unparse(parameters)


def made_of_floats(answer: object) -> bool:
    """Whether the published rule compares this answer with a tolerance although the set declares none."""
    if isinstance(answer, (list, tuple)):
        return bool(answer) and isinstance(answer[0], float)
    return isinstance(answer, float)


def absolute_tolerance(declared: float, answer: object) -> float:
    """The absolute tolerance under which an output equals this answer; 0.0 means equality."""
    if declared == 0 and made_of_floats(answer):
        return FLOATS_ABSOLUTE
    return declared


def same(output: object, answer: object, declared: float, function: str) -> bool:
    """Whether the output equals the answer under the published rule."""
    if function in ANY_OUTPUT:
        return True
    if function in SET_EQUAL:
        return _as_set(output) == _as_set(answer)
    if function in NOT_NONE:
        return (output is not None and output is not False) == (answer is not None and answer is not False)
    return equal(output, answer, absolute_tolerance(declared, answer))


def _as_set(value: object) -> frozenset[str]:
    return frozenset(map(repr, value)) if isinstance(value, (list, tuple, set, frozenset)) else frozenset({repr(value)})


def equal(output: object, answer: object, absolute: float) -> bool:
    """Equality of plain data with a tolerance for numbers; a tuple equals a list."""
    if absolute and isinstance(output, (int, float)) and isinstance(answer, (int, float)):
        return output == answer or abs(output - answer) <= absolute + RELATIVE * abs(answer)
    if isinstance(output, (list, tuple)) and isinstance(answer, (list, tuple)):
        return len(output) == len(answer) and all(equal(o, a, absolute) for o, a in zip(output, answer, strict=True))
    if isinstance(output, Mapping) and isinstance(answer, Mapping):
        return output.keys() == answer.keys() and all(equal(output[key], answer[key], absolute) for key in answer)
    return output == answer
