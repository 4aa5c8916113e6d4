"""What can be told of test code from its text alone: whether it compiles, what it binds, what can never cross a channel.

Never looks at the program: whether a case falls back to one box must not be the program's to decide.
"""

from __future__ import annotations

import builtins

from scalebox.runner.zygote.harness import prelude
from scalebox.runner.zygote.harness.names import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

ONLY_AST = 0x400  # ast.PyCFONLY_AST; the module `ast` costs milliseconds
FILENAME = "<test>"
PROGRAM_MODULE = "solution"
"""What the program is called where test code imports it."""

_SHARED_WORLD = (
    "redirect_stdout",
    "redirect_stderr",
    "capsys",
    "capfd",
    "sys.stdout =",
    "sys.stderr =",
    "sys.stdin =",
    "sys.stdout=",
    "sys.stderr=",
    "sys.stdin=",
    "sys.argv =",
    "'sys.std",
    '"sys.std',
    "'builtins.",
    '"builtins.',
    "builtins.input",
    "builtins.print",
    "builtins.open",
    "inspect.",
    "os.environ[",
    ".seed(",
    "manual_seed(",
    "catch_warnings(",
    "assertWarns",
    "doctest.",
    "setrecursionlimit",
    "assertLogs(",
    "chdir(",
    "mkdir(",
    "makedirs(",
    "open(",
    "subprocess",
    "tempfile",
    "write_bytes",
    "write_text",
)
"""Text of test code that shares streams, files, an environment, random numbers or warnings with the program, or reads the program's source."""


class BrokenTest(Exception):
    """The test code does not compile, or lacks what its style asks for, or the problem's own code beside it fails."""


def compiled(code: str) -> CodeType:
    """The test code, compiled.

    Raises:
        BrokenTest: it does not compile.
    """
    try:
        return compile(code, FILENAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise BrokenTest(f"the test code does not compile: {type(error).__name__}: {error}") from error


def unsupported(code: str, modules: frozenset[str] = frozenset({PROGRAM_MODULE})) -> str | None:
    """Why the test code needs the program in its own process, or None where nothing in its text says so.

    Args:
        code: the test code; it compiles.
        modules: what the program is called where the test code imports it.
    """
    for text in _SHARED_WORLD:
        if text in code:
            return f"the test code uses {text.strip(' =(')}"
    if ("unittest.mock" in code or "import mock" in code) and "patch" in code:
        return "the test code uses unittest.mock.patch"
    uncompared = code.replace("]==", "").replace("] ==", "")
    changes = any(text in uncompared for text in _CHANGING)
    if not changes and "class " not in code:
        return None
    names = Names(code, modules)
    for node in names.nodes:
        changed = _changed(node, names) if changes else None
        if changed is not None:
            return f"the test code changes what {changed} holds"
        if type(node).__name__ == "ClassDef":
            for base in node.bases:  # type: ignore[attr-defined]  # every ClassDef has bases
                name = names.of_program(base)
                if name is not None:
                    return f"a class of the test code derives from {name}"
    return None


_CHANGERS = words(
    "add append appendleft clear discard extend insert pop popitem popleft remove reverse setdefault sort update"
)
_CHANGING = ("]=", "] =", "]+=", "] +=", "]-=", "] -=", "del ", *(f".{name}(" for name in _CHANGERS))


def _changed(node: object, names: Names) -> str | None:
    """The program's name whose value, of which a box apart has a copy, a node of the test code changes in place."""
    place: object = None
    if type(node).__name__ == "Subscript" and type(node.ctx).__name__ != "Load":  # type: ignore[attr-defined]  # a Subscript
        place = node.value  # type: ignore[attr-defined]  # a Subscript
    elif type(node).__name__ == "Call" and type(node.func).__name__ == "Attribute" and node.func.attr in _CHANGERS:  # type: ignore[attr-defined]
        place = node.func.value  # type: ignore[attr-defined]  # a Call
    path: list[str] = []
    while type(place).__name__ in {"Attribute", "Subscript"}:
        path.append(str(getattr(place, "attr", "")))
        place = place.value  # type: ignore[attr-defined]  # an Attribute or a Subscript
    if type(place).__name__ != "Name":
        return None
    found = names.of_program(place)
    if found in names.modules:
        found = path.pop() if path else None
        if found is None:
            return None
    if found is not None:
        is_class = found[:1].isupper() and not found.isupper()  # which has functions of such names
        return None if is_class and not path else found
    if not path:
        return None
    makers = names.values.get(_key(place), [])
    classes = [_class_called(maker, names) for maker in makers]
    return None if not classes or None in classes else classes[0]


class Names:
    """The names of some code that compiles: bound, loaded, called on."""

    def __init__(self, code: str, modules: frozenset[str] = frozenset({PROGRAM_MODULE})) -> None:
        self._modules = modules
        self.nodes = list(walk(compile(code, FILENAME, "exec", ONLY_AST, dont_inherit=True)))
        self.bound: set[str] = set()
        self.loaded: set[str] = set()
        self.bases: set[str] = set()
        """Names that something is an attribute of."""
        self.values: dict[str, list[object]] = {}
        """Name, or dot and attribute -> what is assigned to it; something that is no call where it is bound otherwise."""
        self.program: set[str] = set()
        """Names that the test code imports from the program, and the program's own where it imports that."""
        self.modules: set[str] = set()
        """Those of them that are the program itself."""
        self._assigned: set[int] = set()
        for node in self.nodes:  # a statement comes before what it holds
            self._note(node)

    def _note(self, node: object) -> None:
        match type(node).__name__:
            case "Name" | "Attribute":
                self._note_use(node)
            case "Assign":
                for target in node.targets:  # type: ignore[attr-defined]  # an Assign
                    self._assigned.add(id(target))
                    self._bind(target, node.value)  # type: ignore[attr-defined]  # an Assign
            case "FunctionDef" | "AsyncFunctionDef" | "ClassDef":
                self.bound.add(node.name)  # type: ignore[attr-defined]  # a definition
                self.values.setdefault(node.name, []).append(node)  # type: ignore[attr-defined]  # a definition
            case "arg":
                self.bound.add(node.arg)  # type: ignore[attr-defined]  # a parameter
                self.values.setdefault(node.arg, []).append(node)  # type: ignore[attr-defined]  # a parameter
            case "alias":
                self.bound.add((node.asname or node.name).partition(".")[0])  # type: ignore[attr-defined]  # of an import
            case "ImportFrom" if node.module in self._modules:  # type: ignore[attr-defined]  # an import
                self.program.update(alias.asname or alias.name for alias in node.names)  # type: ignore[attr-defined]
            case "Import":
                imported = [alias for alias in node.names if alias.name in self._modules]  # type: ignore[attr-defined]
                self.modules.update(alias.asname or alias.name for alias in imported)
                self.program |= self.modules
            case _:
                return

    def _note_use(self, node: object) -> None:
        is_name = type(node).__name__ == "Name"
        stored = type(node.ctx).__name__ != "Load"  # type: ignore[attr-defined]  # a Name or an Attribute
        if stored and id(node) not in self._assigned:
            self._bind(node, node)
        if is_name:
            (self.bound if stored else self.loaded).add(node.id)  # type: ignore[attr-defined]  # a Name
        elif type(node.value).__name__ == "Name":  # type: ignore[attr-defined]  # an Attribute
            self.bases.add(node.value.id)  # type: ignore[attr-defined]  # a Name

    def _bind(self, target: object, value: object) -> None:
        self.values.setdefault(_key(target), []).append(value)

    def is_foreign(self, name: str) -> bool:
        """Whether only the program can define the name."""
        return name not in self.bound and not hasattr(builtins, name) and name not in prelude.ORIGIN

    def of_program(self, node: object) -> str | None:
        """The name by which an expression means something of the program, or None."""
        if type(node).__name__ == "Name":
            name: str = node.id  # type: ignore[attr-defined]  # a Name
            return name if name in self.program or self.is_foreign(name) else None
        if type(node).__name__ == "Attribute" and type(node.value).__name__ == "Name":  # type: ignore[attr-defined]
            return node.attr if node.value.id in self.program else None  # type: ignore[attr-defined]  # an Attribute
        return None


def walk(node: object) -> Iterator[object]:
    """A node of a syntax tree and every node below it."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        for field in current._fields:  # type: ignore[attr-defined]  # a node
            value = getattr(current, field, None)
            if isinstance(value, list):
                waiting.extend(item for item in value if hasattr(item, "_fields"))
            elif hasattr(value, "_fields"):
                waiting.append(value)


_NEVER_TAKEN = words(
    "abs all any bool bytes callable dict enumerate filter float frozenset getattr hasattr hash id input int isinstance issubclass "
    "iter len list map next object open print range repr round set setattr sorted str tuple type vars zip"
)


def builtin_in_question(code: str, defined: list[str]) -> str | None:
    """The one builtin name that test code may mean the program's by.

    Args:
        code: the test code.
        defined: the names it refers to that the program defines.

    Where the test code refers to another name that the program defines, or could mean several builtins, its builtins are
    Python's: a program is not to replace ``abs`` under a tolerance.
    """
    names = Names(code)
    if any(names.is_foreign(name) for name in defined if name in names.loaded):
        return None
    builtin = {name for name in names.loaded - names.bound if hasattr(builtins, name)}
    meant = builtin if len(builtin) == 1 else builtin - _NEVER_TAKEN
    if len(meant) != 1:
        return None
    name = next(iter(meant))
    return name if name in defined else None


def built_classes(names: Names) -> set[str]:
    """The program's classes whose objects are what ``in`` is applied to, wherever it is applied to an object at all.

    What the program says to ``x in y`` is believed only where the text shows that ``y`` is an object made for it: ``y`` is a
    name or an attribute that is only ever bound to ``SomeClass(...)``, or such a call itself. Where ``y`` could be what a
    function returned, nothing is believed.
    """
    places = [place for node in names.nodes for place in _searched(node)]
    found: set[str] = set()
    for place in places:
        kind = type(place).__name__
        if kind in _DISPLAYS or _calls_builtin(place):
            continue
        makers = [place] if kind == "Call" else names.values.get(_key(place), [])
        classes = [_class_called(maker, names) for maker in makers]
        if not classes or None in classes:
            return set()
        found.update(filter(None, classes))
    return found


def final_exit(code: str) -> int | None:
    """The line on which the text ends by an exit of its own, as its last statement and under no condition."""
    last = compile(code, FILENAME, "exec", ONLY_AST, dont_inherit=True).body[-1]
    if type(last).__name__ != "Expr" or type(last.value).__name__ != "Call":
        return None
    func = last.value.func
    if type(func).__name__ == "Attribute":
        exits = func.attr == "exit" and type(func.value).__name__ == "Name" and func.value.id == "sys"
    else:
        exits = type(func).__name__ == "Name" and func.id in {"exit", "quit"}
    return int(last.lineno) if exits else None


def uses_own_class(names: Names) -> bool:
    """Whether a class that the test code defines is a value in it: not only called, derived from, caught or asked about."""
    own: set[str] = set()
    plain_uses: set[int] = set()
    for node in names.nodes:
        kind = type(node).__name__
        if kind == "ClassDef":
            own.add(node.name)  # type: ignore[attr-defined]  # a ClassDef
            plain_uses.update(map(id, node.bases))  # type: ignore[attr-defined]  # a ClassDef
        elif kind == "Assign" and type(node.value).__name__ == "Call" and _called(node.value) in _CLASS_MAKERS:  # type: ignore[attr-defined]
            own.update(map(_key, node.targets))  # type: ignore[attr-defined]  # an Assign
        elif kind == "Call":
            asks = _called(node) in _ASK_ABOUT_CLASSES
            uses = [node.func, *(inner for arg in node.args if asks for inner in walk(arg))]  # type: ignore[attr-defined]
            plain_uses.update(map(id, uses))
        elif kind == "ExceptHandler" and node.type is not None:  # type: ignore[attr-defined]  # a handler
            plain_uses.update(map(id, walk(node.type)))  # type: ignore[attr-defined]  # a handler
    loads = [node for node in names.nodes if type(node).__name__ == "Name" and type(node.ctx).__name__ == "Load"]  # type: ignore[attr-defined]
    return any(node.id in own and id(node) not in plain_uses for node in loads)  # type: ignore[attr-defined]  # a Name


def raised_lines(names: Names) -> frozenset[int]:
    """The lines on which a ``with`` itself raises, under no condition: for its context manager to see."""
    return frozenset(
        inner.lineno
        for node in names.nodes
        if type(node).__name__ in {"With", "AsyncWith"}
        for inner in node.body  # type: ignore[attr-defined]  # a with
        if type(inner).__name__ == "Raise"
    )


def only_asks_type(names: Names) -> bool:
    """Whether ``type`` is only ever called with one value."""
    asked = [node.func for node in names.nodes if type(node).__name__ == "Call" and len(node.args) == 1]  # type: ignore[attr-defined]
    loads = [node for node in names.nodes if type(node).__name__ == "Name" and node.id == "type"]  # type: ignore[attr-defined]
    return bool(loads) and "type" not in names.bound and all(any(node is func for func in asked) for node in loads)


_DISPLAYS = words(
    "Constant Dict DictComp GeneratorExp JoinedStr List ListComp Set SetComp Tuple",
)
_CLASS_MAKERS = words("Enum NewType TypedDict make_dataclass namedtuple type NamedTuple")
_ASK_ABOUT_CLASSES = words(
    "assertIsInstance assertNotIsInstance assertRaises assertRaisesRegex isinstance issubclass raises super"
)
_PLAIN_MAKERS = words("bytes dict dir frozenset globals list locals range repr set sorted str tuple vars")


def _searched(node: object) -> Iterator[object]:
    if type(node).__name__ == "Compare":
        for operation, right in zip(node.ops, node.comparators, strict=True):  # type: ignore[attr-defined]  # a Compare
            if type(operation).__name__ in {"In", "NotIn"}:
                yield right
    if type(node).__name__ == "Call" and len(node.args) > 1 and _called(node) in {"assertIn", "assertNotIn"}:  # type: ignore[attr-defined]
        yield node.args[1]  # type: ignore[attr-defined]  # a Call


def _called(node: object) -> str:
    func = node.func  # type: ignore[attr-defined]  # a Call
    return str(getattr(func, "id", None) or getattr(func, "attr", ""))


def _calls_builtin(node: object) -> bool:
    return type(node).__name__ == "Call" and type(node.func).__name__ == "Name" and node.func.id in _PLAIN_MAKERS  # type: ignore[attr-defined]


def _key(node: object) -> str:
    return str(getattr(node, "id", None) or f".{getattr(node, 'attr', '')}")


def _class_called(node: object, names: Names) -> str | None:
    if type(node).__name__ != "Call" or type(node.func).__name__ != "Name":  # type: ignore[attr-defined]  # a Call
        return None
    name: str = node.func.id  # type: ignore[attr-defined]  # a Name
    return name if name[:1].isupper() and (names.is_foreign(name) or name in names.program) else None
