"""Wrong variants of a reference program: small, deterministic changes of its syntax tree. Pure; never runs a program.

The classic operators of mutation testing: a changed constant, arithmetic operator, comparison, connective, bound, condition or return
value, one change a mutant. Some mutants are equivalent to the reference; a plain run tells.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from acceptance.syntax import parse

ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One changed program and what was changed, with its line."""

    source: str
    change: str


Change = Callable[[ast.AST], str | None]
"""Changes a node, though nothing below it, and says how; or returns None and leaves it."""


def change_constant(node: ast.AST) -> str | None:
    """``n`` to ``n + 1``, a flipped truth value, a longer string."""
    if not isinstance(node, ast.Constant):
        return None
    match node.value:
        case bool():
            node.value = not node.value
        case int() | float():
            node.value += 1
        case str():
            node.value += "x"
        case _:
            return None
    return "constant"


def change_operator(node: ast.AST) -> str | None:
    """Another arithmetic operator."""
    if not isinstance(node, (ast.BinOp, ast.AugAssign)) or type(node.op) not in ARITHMETIC:
        return None
    node.op = ARITHMETIC[type(node.op)]()
    return "operator"


def change_comparison(node: ast.AST) -> str | None:
    """An open bound closed or the reverse, equality negated."""
    if not isinstance(node, ast.Compare):
        return None
    node.ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
    return "comparison"


def change_connective(node: ast.AST) -> str | None:
    """``and`` for ``or`` and the reverse."""
    if not isinstance(node, ast.BoolOp):
        return None
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return "connective"


def change_bound(node: ast.AST) -> str | None:
    """A ``range`` one longer."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and node.args):
        return None
    index = 0 if len(node.args) == 1 else 1
    longer = ast.BinOp(left=node.args[index], op=ast.Add(), right=ast.Constant(1))
    node.args = [*node.args[:index], longer, *node.args[index + 1 :]]
    return "bound"


def change_condition(node: ast.AST) -> str | None:
    """A negated condition."""
    if not isinstance(node, (ast.If, ast.IfExp)):
        return None
    node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)
    return "condition"


def change_return(node: ast.AST) -> str | None:
    """Nothing returned."""
    if not isinstance(node, ast.Return) or node.value is None:
        return None
    node.value = ast.Constant(None)
    return "return"


CHANGES: Final[tuple[Change, ...]] = (
    change_constant,
    change_operator,
    change_comparison,
    change_connective,
    change_bound,
    change_condition,
    change_return,
)


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of the functions and classes of a program, in an order that is mixed but the same in every run.

    Raises:
        SyntaxError: the source is no Python.
    """
    tree = parse(source)
    sites = [
        (index, change) for index, node in enumerate(_nodes(tree)) for change in CHANGES if change(copy.copy(node))
    ]
    sites.sort(key=lambda site: hashlib.sha256(f"{source}{site[0]}{site[1].__name__}".encode()).digest())
    for index, change in sites:
        changed = copy.deepcopy(tree)
        node = _nodes(changed)[index]
        what = change(node)
        yield Mutant(
            source=ast.unparse(ast.fix_missing_locations(changed)),
            change=f"{what} in line {getattr(node, 'lineno', 0)}",
        )


def _nodes(tree: ast.Module) -> list[ast.AST]:
    """The nodes worth changing: inside definitions, but no docstrings, annotations or parts of f-strings."""
    found: list[ast.AST] = []
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            _collect(statement, found)
    return found


def _collect(node: ast.AST, found: list[ast.AST]) -> None:
    found.append(node)
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases"}:
            continue
        children = value if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and not _is_text(child):
                _collect(child, found)


def _is_text(node: ast.AST) -> bool:
    """Whether a node is a statement that only is a string: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
