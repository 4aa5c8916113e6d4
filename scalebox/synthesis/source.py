"""Look at the text of a Python judge for what no judge needs: running text, leaving its box, chance and clocks. Pure; runs nothing.

The box stops what would be harmful; this is about judges whose word an output could change (``eval``), or that say one thing
today and another tomorrow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

_CALLS: Final = frozenset({"eval", "exec", "compile", "__import__", "input", "globals", "locals", "vars", "breakpoint"})
_NEVER: Final = frozenset({"eval", "exec", "__import__"})
"""Of these, names that no judge uses for something of its own."""
_MODULES: Final = frozenset({
    "asyncio", "builtins", "code", "ctypes", "datetime", "gc", "importlib", "inspect", "marshal", "multiprocessing", "pickle",
    "platform", "pty", "random", "runpy", "secrets", "shelve", "shutil", "signal", "socket", "subprocess", "tempfile", "threading", "time",
    "urllib", "uuid", "http", "_thread",
})  # fmt: skip
_HARMLESS_OS: Final = frozenset({"path", "stat", "fstat", "SEEK_SET", "SEEK_END", "linesep", "sep", "fspath"})
"""Of `os`; everything else leaves the judge's own business."""
_MODES: Final = frozenset("wax+")


def faults_of(source: str) -> list[str]:
    """What is wrong with the text, in sentences."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return [f"the judge is no Python: {error}"]
    return list(dict.fromkeys(_faults(tree)))


def _faults(tree: ast.AST) -> Iterator[str]:
    os_names = {"os"} | {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "os"
    }
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
                yield f"line {node.lineno} calls {name}, which no judge needs"
            case ast.Call(func=ast.Name(id="open"), args=[_, ast.Constant(value=str() as mode), *_]) if _MODES & set(
                mode
            ):
                yield f"line {node.lineno} opens a file to write to it"
            case ast.Name(id=name, ctx=ast.Load()) if name in _NEVER and id(node) not in called:
                yield f"line {node.lineno} gives {name} another name, which no judge needs"
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in os_names and name not in _HARMLESS_OS:
                yield f"line {node.lineno} uses os.{name}, which no judge needs"
            case _:
                yield from _imports(node)


def _imports(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            taken = [alias.name for alias in names if alias.name.split(".")[0] in _MODULES]
        case ast.ImportFrom(module="os", names=names):
            taken = [f"os.{alias.name}" for alias in names if alias.name not in _HARMLESS_OS]
        case ast.ImportFrom(module=str() as module) if module.split(".")[0] in _MODULES:
            taken = [module]
        case _:
            return
    for name in taken:
        yield f"line {getattr(node, 'lineno', 0)} imports {name}, which no judge needs"
