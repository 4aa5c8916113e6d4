"""Changed Python programs: one small fault each, found in the syntax tree. Pure and deterministic; runs nothing."""

from __future__ import annotations

import ast
import copy
from typing import Final

from scalebox.synthesis.mutation.spread import spread

_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
_NAMES: Final = {"min": "max", "max": "min", "sorted": "list", "any": "all", "all": "any"}


def python_mutants(source: str, most: int) -> list[tuple[str, str]]:
    """So many mutants at most, spread over the program, each with what was changed in words; none where the source is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    places = [node for node in ast.walk(tree) if _changes(node)]
    every = [(number, kind) for number, node in enumerate(places) for kind in range(len(_changes(node)))]
    return [_mutant(tree, number, kind) for number, kind in spread(every, most)]


def _mutant(tree: ast.Module, number: int, kind: int) -> tuple[str, str]:
    mutant = copy.deepcopy(tree)
    node = [other for other in ast.walk(mutant) if _changes(other)][number]
    words = f"line {getattr(node, 'lineno', 0)}: {_changes(node)[kind]}"
    _apply(node, kind)
    return ast.unparse(ast.fix_missing_locations(mutant)), words


_CONDITIONS: Final = (ast.If, ast.While, ast.IfExp)
_CALLS: Final = frozenset({"append", "add", "sort", "reverse", "pop"})
_SMALL: Final = 10**6


def _changes(node: ast.AST) -> list[str]:
    """What can be changed at a node."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in _COMPARISONS:
            return ["another comparison"]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATORS and not _is_formatting(node):
            return ["another operator"]
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and abs(value) < _SMALL:
            return ["a constant one more", "a constant one less"]
        case ast.Name(id=name) if name in _NAMES:
            return [f"{_NAMES[name]} for {name}"]
        case ast.BoolOp():
            return ["and for or, or the other way round"]
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in _CALLS:
            return ["a call left out"]
        case _:
            return ["a condition negated"] if isinstance(node, _CONDITIONS) else []


def _is_formatting(node: ast.AST) -> bool:
    """Whether an operator puts texts together, where another one only raises."""
    sides = [getattr(node, name, None) for name in ("left", "right", "value")]
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _apply(node: ast.AST, kind: int) -> None:
    """Change a node in place."""
    match node:
        case ast.Compare():
            node.ops[0] = _COMPARISONS[type(node.ops[0])]()
        case ast.BinOp() | ast.AugAssign():
            node.op = _OPERATORS[type(node.op)]()
        case ast.Constant(value=int() as value):
            node.value = value - 1 if kind else value + 1
        case ast.If() | ast.While() | ast.IfExp():
            node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)
        case ast.Name():
            node.id = _NAMES[node.id]
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.Expr():
            node.value = ast.Constant(value=None)
        case _:
            raise AssertionError(node)
