"""What a program of a typed language is called with, and what must come of it; the programs are in a file for each language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A program, what it is called with, and what must come of it."""

    language: str
    source: str
    args: list[object]
    answer: object = None
    function: str = "f"
    mutated: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """The programs of one language."""

    everything: Row
    """Takes `MANY`, gives `VALUES`."""
    functions: list[Row]
    """What is called: a function or a method of the solution, of an object where it wants one; what it changes."""
    names: list[Row]
    """Right programs that call things as the harness might, print, and have a main."""
    failures: list[Row]
    """Early exits, crashes, arguments that do not fit, and what cannot be called: none has a value."""
    wrong: list[Row]
    """Programs that make things equal, or give an error for a value: compared is the value that they gave, and it is wrong."""


TEXT: Final = 'é"\\/\n\t\x01\x7f 😀'
MANY: Final[list[object]] = [
    [1, -2, 3],
    [[1, 2], []],
    -(2**63),
    0.1,
    [TEXT, ""],
    True,
    None,
    {"a": [7], "": []},
    {"$dict": [[3, "x"], [-4, TEXT]]},
]
"""Arguments for (ints, grid, 64 bits, real, words, truth, a number or nothing, lists by name, names by number)."""

VALUES: Final[list[object]] = [
    [3, -2, 1],
    [[1, 2], [], [9]],
    -(2**63),
    [0.1, 1e300, 1e-9, 3.0, {"$float": "nan"}, {"$float": "-inf"}],
    ["", TEXT],
    False,
    None,
    {"": [], "a": [7]},
    {"$dict": [[-4, TEXT], [3, "x"]]},
]
"""What comes of them: both lists turned round, a row more, the truth denied, further numbers; the rest as it went."""
