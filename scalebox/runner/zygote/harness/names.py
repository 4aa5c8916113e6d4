"""Which names code refers to, told from its code objects alone; never runs any of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_CODE = type(compile("", "", "exec"))


def referred(code: CodeType) -> set[str]:
    """Every name the code or a function in it looks up: globals, and attributes too."""
    names: set[str] = set()
    waiting = [code]
    while waiting:
        current = waiting.pop()
        names.update(current.co_names)
        waiting.extend(constant for constant in current.co_consts if type(constant) is _CODE)
    return names
