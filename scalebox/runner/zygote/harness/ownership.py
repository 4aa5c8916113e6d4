"""Whose a name is that test code uses and nobody in it defines: Python's prelude's, or the program's. Told from the text alone.

The test code's own tools are not to be replaced by the program it judges: ``Counter`` around what the program returned is
Python's. A prelude name is the program's only where it is what the test is about: the entry point, the one name that the
test could want of a program, or a function called on constants only and compared with one.
"""

from __future__ import annotations

import builtins

from scalebox.runner.zygote.harness import prelude
from scalebox.runner.zygote.harness.names import words
from scalebox.runner.zygote.harness.testcode import Names

_SOMETIMES_DEFINED = words(
    "accumulate cache ceil chain comb combinations combinations_with_replacement cycle date digits factorial floor gcd groupby "
    "heapify heappop heappush hypot insort isqrt islice lcm log2 mean median nlargest nsmallest pairwise perm permutations product "
    "randint reduce sqrt takewhile xor zip_longest"
)
"""Prelude names that functions of programs often bear; the others are hardly ever what a test is about."""


class Ownership:
    """Decides for one piece of test code."""

    def __init__(self, code: str, entry_point: str | None, *, has_entry: bool) -> None:
        """Read the text.

        Args:
            code: the test code; it compiles.
            entry_point: the function a case asks for.
            has_entry: whether the test code is handed the function.
        """
        self.names = Names(code)
        self._entry_point = entry_point
        free = self.names.loaded - self.names.bound
        foreign = {name for name in free if self._is_foreign(name)}
        shared = {name for name in free if name in prelude.ORIGIN}
        self._on_trial: set[str] = set()
        self._alone = False
        if foreign or has_entry or self.names.program:
            self._on_trial = _called_on_constants(self.names) & shared
        else:
            likely = shared if len(shared) == 1 else shared & _SOMETIMES_DEFINED
            self._on_trial = likely or shared
            self._alone = len(self._on_trial) == 1

    def _is_foreign(self, name: str) -> bool:
        return not name.startswith("__") and self.names.is_foreign(name) and not self._is_base(name)

    def _is_base(self, name: str) -> bool:
        return (name in prelude.MODULES or name in prelude.ALIASES) and name in self.names.bases

    def is_prelude_s(self, name: str) -> bool:
        """Whether the program is not even asked for the name."""
        if name == self._entry_point:
            return False
        return self._is_base(name) or (name in prelude.ORIGIN and name not in self._on_trial)

    def is_program_s(self, name: str) -> bool:
        """Whether nobody but the program may define the name: else a program without it would be tested by Python's."""
        return name == self._entry_point or (self._alone and name in self._on_trial)

    def stars(self, public: list[str]) -> list[str]:
        """Those of the program's public names that a star import brings into the test code."""
        return [
            name
            for name in public
            if not hasattr(builtins, name)
            and name not in prelude.MODULES
            and name in self.names.loaded - self.names.bound
            and not self.is_prelude_s(name)
        ]


def _called_on_constants(names: Names) -> set[str]:
    """The names that are only ever called, on constants alone, to be compared with a constant."""
    tried: dict[str, int] = {}
    for node in names.nodes:
        if type(node).__name__ != "Compare" or len(node.comparators) != 1:  # type: ignore[attr-defined]  # a Compare
            continue
        if type(node.ops[0]).__name__ != "Eq":  # type: ignore[attr-defined]  # a Compare
            continue
        left, right = node.left, node.comparators[0]  # type: ignore[attr-defined]  # a Compare
        for call, other in ((left, right), (right, left)):
            name = _name_called(call)
            if name is not None and _is_constant(other) and not _is_truth(other):
                tried[name] = tried.get(name, 0) + 1
    loads: dict[str, int] = {}
    for node in names.nodes:
        if type(node).__name__ == "Name":
            loads[node.id] = loads.get(node.id, 0) + 1  # type: ignore[attr-defined]  # a Name
    return {name for name, times in tried.items() if loads[name] == times}


def _name_called(node: object) -> str | None:
    if type(node).__name__ != "Call" or type(node.func).__name__ != "Name":  # type: ignore[attr-defined]  # a Call
        return None
    values = [*node.args, *(keyword.value for keyword in node.keywords)]  # type: ignore[attr-defined]  # a Call
    return str(node.func.id) if all(map(_is_constant, values)) else None  # type: ignore[attr-defined]  # a Name


def _is_constant(node: object) -> bool:
    match type(node).__name__:
        case "Constant":
            return True
        case "Tuple" | "List" | "Set":
            return all(map(_is_constant, node.elts))  # type: ignore[attr-defined]  # it has elements
        case "Dict":
            return all(map(_is_constant, [*node.keys, *node.values]))  # type: ignore[attr-defined]  # a Dict
        case "UnaryOp":
            return _is_constant(node.operand)  # type: ignore[attr-defined]  # a UnaryOp
        case _:
            return False


def _is_truth(node: object) -> bool:
    return type(node).__name__ == "Constant" and type(node.value) in {bool, type(None)}  # type: ignore[attr-defined]
