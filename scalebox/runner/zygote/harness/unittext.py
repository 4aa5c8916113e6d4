"""What can be told of pytest's test files from their text alone: what can never cross, which tests there are, which skip themselves.

Never looks at the program: which tests must run, and whether they need the program's own process, must not be its to decide.
"""

from __future__ import annotations

import builtins

from scalebox.runner.zygote.harness import testcode
from scalebox.runner.zygote.harness.names import words
from scalebox.runner.zygote.harness.testcode import FILENAME, ONLY_AST, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SHARED_WORLD = (
    "caplog",
    "environ",
    "mocker",
    "monkeypatch",
    "pytester",
    "recwarn",
    "runpy",
    "spec_from_file_location",
    "testdir",
    "tmp_path",
    "tmpdir",
    "warns(",
)
"""Text of test files that shares an environment, logs or warnings with the program, or files by what pytest has for them."""
_SKIPS = words("expectedFailure skip skipIf skipUnless skipif xfail")


def unsupported(code: str, modules: frozenset[str]) -> str | None:
    """Why a test file needs the program in its own process, or None where nothing in its text says so."""
    for text in _SHARED_WORLD:
        if text in code:
            return f"the test code uses {text.strip('(')}"
    return testcode.unsupported(code, modules)


class FileTests:
    """The tests of one file.

    Args:
        path: of the file; begins the name of each test.
        code: its text; it compiles.
        modules: what the program is called where the file imports it.
    """

    def __init__(self, path: str, code: str, modules: frozenset[str]) -> None:
        self.names: list[str] = []
        """As pytest names them, without parameters; those under a condition are left out."""
        self.excused: set[str] = set()
        """Those of them that skip themselves, or say that they fail, without asking the program."""
        self._modules = modules
        body: Sequence[object] = compile(code, FILENAME, "exec", ONLY_AST, dont_inherit=True).body
        self._known = _imported(body, modules)
        marks = [value for node in body for value in _module_marks(node)]
        self._note(path, body, marks, inside=False)

    def _note(self, place: str, body: Sequence[object], marks: list[object], *, inside: bool) -> None:
        for node in body:
            kind = type(node).__name__
            name = str(getattr(node, "name", ""))
            own = [*marks, *getattr(node, "decorator_list", ())]
            if kind in {"FunctionDef", "AsyncFunctionDef"} and name.startswith("test"):
                if any("fixture" in _said(decorator) for decorator in own):
                    continue
                test = f"{place}::{name}"
                if test not in self.names:
                    self.names.append(test)
                if any(self._excuses(decorator) for decorator in own):
                    self.excused.add(test)
            elif kind == "ClassDef" and not inside and _holds_tests(node):
                self._note(f"{place}::{name}", node.body, own, inside=True)  # type: ignore[attr-defined]  # a ClassDef

    def _excuses(self, mark: object) -> bool:
        """Whether a decorator skips a test, and is made of nothing that the program could have a say in."""
        if not _said(mark) & _SKIPS:
            return False
        names = {node.id for node in walk(mark) if type(node).__name__ == "Name"}  # type: ignore[attr-defined]  # a Name
        return all(name in self._known or hasattr(builtins, name) for name in names)


def _said(node: object) -> set[str]:
    """The names and attributes in an expression."""
    return {str(getattr(one, "attr", None) or getattr(one, "id", "")) for one in walk(node)}


def _imported(body: Sequence[object], modules: frozenset[str]) -> set[str]:
    """The names that imports bind, none of them from the program, and nothing else binds."""
    found: set[str] = set()
    bound: set[str] = set()
    for node in (one for statement in body for one in walk(statement)):
        kind = type(node).__name__
        if kind == "Import":
            names = [alias for alias in node.names if alias.name.partition(".")[0] not in _heads(modules)]  # type: ignore[attr-defined]
            found.update((alias.asname or alias.name).partition(".")[0] for alias in names)
        elif kind == "ImportFrom" and node.level == 0 and (node.module or "") not in modules:  # type: ignore[attr-defined]
            found.update(alias.asname or alias.name for alias in node.names)  # type: ignore[attr-defined]  # an import
        elif kind == "ImportFrom":
            bound.update(alias.asname or alias.name for alias in node.names)  # type: ignore[attr-defined]  # an import
        elif kind == "Name" and type(node.ctx).__name__ != "Load":  # type: ignore[attr-defined]  # a Name
            bound.add(node.id)  # type: ignore[attr-defined]  # a Name
        elif kind in {"FunctionDef", "AsyncFunctionDef", "ClassDef"}:
            bound.add(node.name)  # type: ignore[attr-defined]  # a definition
    return found - bound - {"*"}


def _heads(modules: frozenset[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def _module_marks(node: object) -> Iterator[object]:
    """What ``pytestmark`` is assigned at the top of a file."""
    if type(node).__name__ == "Assign" and any(getattr(target, "id", "") == "pytestmark" for target in node.targets):  # type: ignore[attr-defined]
        yield from getattr(node.value, "elts", None) or [node.value]  # type: ignore[attr-defined]  # an Assign


def _holds_tests(node: object) -> bool:
    """Whether pytest looks for tests in a class: by its name, or by the name of what it derives from."""
    body: list[object] = node.body  # type: ignore[attr-defined]  # a ClassDef
    if any("__test__" in _said(target) for one in body for target in getattr(one, "targets", ())):
        return False  # whatever it says, it is not told by the name
    bases = {name for base in node.bases for name in _said(base)}  # type: ignore[attr-defined]  # a ClassDef
    if any(name.endswith("TestCase") for name in bases):
        return True
    names = {str(getattr(one, "name", "")) for one in body}
    return node.name.startswith("Test") and "__init__" not in names  # type: ignore[attr-defined]


def module_names(paths: Mapping[str, str]) -> set[str]:
    """What the modules of Python files may be called."""
    stems = [path.removesuffix(".py") for path in paths if path.endswith(".py")]
    return {name for stem in stems for name in (stem.replace("/", "."), stem.rpartition("/")[2])}
