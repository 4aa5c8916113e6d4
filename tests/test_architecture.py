"""What import-linter cannot see: how light a slot's parent is, who reads the environment, and what the wheel carries."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import scalebox

PACKAGE = Path(scalebox.__file__).parent

# Every one of these is inherited by every box and costs each fork. A new one needs a reason as good as the others'.
SLOT_IMPORTS = frozenset([
    "__future__",
    "_collections",
    "_collections_abc",
    "_ctypes",
    "_json",
    "_operator",
    "_socket",
    "_stat",
    "_struct",
    "array",
    "atexit",
    "collections",
    "collections.abc",
    "ctypes",
    "ctypes._endian",
    "errno",
    "fcntl",
    "gc",
    "genericpath",
    "itertools",
    "keyword",
    "mmap",
    "operator",
    "os",
    "os.path",
    "posixpath",
    "reprlib",
    "resource",
    "select",
    "stat",
    "struct",
    "types",
])

IMPORT_PARENT = """
import sys
before = set(sys.modules)
root = sys.argv[1]
for name in ("scalebox", "scalebox.sandbox", "scalebox.runner", "scalebox.runner.zygote", "scalebox.runner.zygote.harness"):
    package = type(sys)(name)
    package.__path__ = [root + name[8:].replace(".", "/")]
    sys.modules[name] = package
from scalebox.runner.zygote import parent
print(*sorted(set(sys.modules) - before))
"""

DATA = {PACKAGE / "cli" / "corpus", PACKAGE / "cli" / "demo_problems", PACKAGE / "languages" / "defs"}
"""Programs and texts, no modules."""
ABOVE = {PACKAGE / "cli", PACKAGE / "config.py", PACKAGE / "runner" / "zygote"}
"""The settings and what is above them; and what runs in a box, whose environment it sets."""


@pytest.fixture(scope="module")
def slot_modules() -> set[str]:
    """What a slot's parent has loaded when it starts to serve, beyond what the bare interpreter has."""
    command = [sys.executable, "-I", "-S", "-c", IMPORT_PARENT, str(PACKAGE)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """Our modules, parsed, without the programs that are data."""
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
        if not DATA.intersection(path.parents)
    }


def test_slot_imports_almost_nothing(slot_modules: set[str]) -> None:
    assert {name for name in slot_modules if name.partition(".")[0] != "scalebox"} <= SLOT_IMPORTS


def test_slot_imports_only_what_belongs_in_slots(slot_modules: set[str]) -> None:
    ours = {name for name in slot_modules if name.startswith("scalebox.")}
    assert not {name for name in ours if not f"{name}.".startswith(("scalebox.sandbox.", "scalebox.runner."))}
    assert not {name for name in ours if name.startswith("scalebox.runner.") and ".zygote" not in name}


def test_every_module_says_what_it_promises(trees: dict[Path, ast.Module]) -> None:
    silent = {path for path, tree in trees.items() if tree.body and not ast.get_docstring(tree)}
    assert not silent


def test_nobody_below_the_configuration_reads_the_environment(trees: dict[Path, ast.Module]) -> None:
    readers = {path for path, tree in trees.items() if reads_environment(tree)}
    assert {path for path in readers if not ABOVE.intersection((path, *path.parents))} == set()


def reads_environment(tree: ast.Module) -> bool:
    """True for ``os.environ`` and ``os.getenv``, however imported."""
    names = {"environ", "environb", "getenv", "getenvb"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names and ast.unparse(node.value) == "os":
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "os" and names & {alias.name for alias in node.names}:
            return True
    return False


def test_languages_are_told_apart_by_data(trees: dict[Path, ast.Module]) -> None:
    languages = {folder.name for folder in (PACKAGE / "languages" / "defs").iterdir()}
    compared = {
        (path, literal.value)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and "language" in ast.unparse(node)
        for literal in ast.walk(node)
        if isinstance(literal, ast.Constant)
    }
    assert not {(path, value) for path, value in compared if value in languages}
