"""What a prompt itself defines: functions, constants and imports, for the test code to use as the problem wrote them.

The program may redefine them for itself, but not under the test code. Only what the program need not share is taken: no
class, whose instances the two sides would disagree on, no list or other object that the program may change, no function
that changes such a thing, and no stub that waits to be filled in.
"""

from __future__ import annotations

from scalebox.runner.zygote.harness.testcode import ONLY_AST, BrokenTest, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILENAME = "<prompt>"
_ENDS = ("", "\n    pass\n", "\n        pass\n")
"""What may complete a prompt that stops in the middle of a definition."""
_CONSTANTS = frozenset({bool, bytes, complex, float, frozenset, int, str, tuple, type(None)})
_FUNCTION = type(lambda: None)
_MODULE = type(__import__("sys"))


def definitions(
    prompt: str, entry_point: str | None, wanted: set[str], outer: Mapping[str, object]
) -> dict[str, object]:
    """The wanted names that the prompt defines, but for the entry point.

    Args:
        prompt: the beginning of a program.
        entry_point: the function that is asked for; without one the prompt's last definition is meant.
        wanted: the names the test code uses.
        outer: the globals that the prompt's code starts with.

    Raises:
        BrokenTest: the prompt's own code raised.
    """
    tree = _parsed(prompt)
    if tree is None:
        return {}
    body: list[object] = tree.body  # type: ignore[attr-defined]  # a Module
    if wanted.isdisjoint(name for node in body for name in _names(node)):
        return {}
    entry = (entry_point or "").rpartition(".")[2].removesuffix("()") or _last(body)
    kept = [node for node in body if _is_taken(node, entry)]
    names = {name for node in kept for name in _names(node)} & wanted
    if not names:
        return {}
    tree.body = kept  # type: ignore[attr-defined]  # a Module
    namespace = dict(outer)
    try:
        exec(compile(tree, FILENAME, "exec", dont_inherit=True), namespace)  # type: ignore[call-overload]  # ruff: ignore[exec-builtin] - the prompt is the problem's
    except Exception as error:
        raise BrokenTest(f"the prompt's own code raised {type(error).__name__}: {error}") from error
    return {name: namespace[name] for name in names if name in namespace and _may_be_apart(namespace[name])}


def _parsed(prompt: str) -> object | None:
    for end in _ENDS:
        try:
            text = prompt.rstrip() + end if end else prompt
            tree: object = compile(text, FILENAME, "exec", ONLY_AST, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            continue
        return tree
    return None


def _last(body: list[object]) -> str | None:
    names = [node.name for node in body if type(node).__name__ in _DEFINITIONS]  # type: ignore[attr-defined]
    return str(names[-1]) if names else None


_DEFINITIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "ClassDef"})
_STUBS = frozenset({"Pass", "Raise"})


def _is_taken(node: object, entry: str | None) -> bool:
    match type(node).__name__:
        case "Import" | "ImportFrom" | "Assign" | "AnnAssign":
            return True
        case "FunctionDef" | "AsyncFunctionDef":
            shares = any(type(inner).__name__ == "Global" for inner in walk(node))
            return node.name != entry and not shares and not _is_stub(node)  # type: ignore[attr-defined]
        case _:
            return False


def _is_stub(node: object) -> bool:
    return all(
        type(inner).__name__ in _STUBS or (type(inner).__name__ == "Expr" and type(inner.value).__name__ == "Constant")
        for inner in node.body  # type: ignore[attr-defined]  # a definition
    )


def _names(node: object) -> list[str]:
    match type(node).__name__:
        case "FunctionDef" | "AsyncFunctionDef":
            return [node.name]  # type: ignore[attr-defined]  # a definition
        case "Import" | "ImportFrom":
            return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]  # type: ignore[attr-defined]
        case _:
            return [inner.id for inner in walk(node) if _is_target(inner)]  # type: ignore[attr-defined]  # a Name


def _is_target(node: object) -> bool:
    return type(node).__name__ == "Name" and type(node.ctx).__name__ == "Store"  # type: ignore[attr-defined]


def _may_be_apart(value: object) -> bool:
    kind = type(value)
    return kind in _CONSTANTS or kind in {_FUNCTION, _MODULE, type} or callable(value)
