"""Which of several blocks of one language is the program, or which together. Looks at names only; never at how a block was fenced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from scalebox.core.submission import Parts
from scalebox.extraction.blocks import Block
from scalebox.extraction.names import (
    begins_program,
    bound_names,
    called_names,
    defined_names,
    free_names,
    reads_input,
    with_headings_first,
    without_imports,
    writes_output,
)

_TEST_NAMES: Final = ("test", "setup", "teardown")
_OF_DEFINITION: Final = re.compile(r"[ \t@}#]|(?:async[ \t]+)?(?:def|class|function)\b")
"""How lines of a definition begin in languages that need none to begin a program."""
_IMPORT: Final = re.compile(r"[ \t]*(?:(?:import|from|using|use|require)\b(?![ \t]*[({]).*|#[ \t]*include\b.*|)$")
_TYPE: Final = re.compile(r"(?<!\w)[A-Z]\w*")
_EXCERPT_LINES: Final = 1
"""Of so many lines a program is an excerpt where they are those of an earlier, longer one, though it reads and writes."""
_MOST_PIECES: Final = 12
"""Blocks from the end that are looked at."""


def answering(
    pool: Sequence[Block], parts: Parts, entry: str | None, *, started: bool = True
) -> tuple[Block, str | None]:
    """The last block, or an earlier one or several together and the reason."""
    if parts is Parts.ALL and len(pool) > 1:
        return _joined(pool), "joined"
    chosen, reason = _answering(pool, parts, entry, started=started)
    at = next((place for place, block in enumerate(pool) if block is chosen), 0)
    apart = parts is Parts.AUTO and at > 0 and _Piece(pool[at - 1]).only_imports and not _Piece(chosen).imports
    return (_joined([pool[at - 1], chosen]), "joined") if apart else (chosen, reason)


def _answering(pool: Sequence[Block], parts: Parts, entry: str | None, *, started: bool) -> tuple[Block, str | None]:
    last = pool[-1]
    if entry:
        defining = [block for block in pool if entry in defined_names(block.source)]
        if defining and last is not defining[-1]:
            return defining[-1], "entry-fenced"
        return last, None
    pieces = [_Piece(block) for block in pool[-_MOST_PIECES:]]
    whole = _without_excerpts(pieces, started=started)
    *earlier, end = whole
    last = end.block
    needed = _needed(earlier, end)
    if not needed:
        return last, None if len(whole) == len(pieces) else "before-excerpt"
    if parts is Parts.AUTO and (end.begins or _completes(needed, end)):
        joined = _joined([*(piece.block for piece in needed), last])
        return replace(joined, source=with_headings_first(joined.source)) if end.begins else joined, "joined"
    if end.begins:
        return last, None
    if end.stands_beside(needed):
        return last, None
    main = next((piece for piece in reversed(needed) if piece.defined), needed[0])
    return main.block, "before-usage"


@dataclass(frozen=True)
class _Piece:
    """A block and its names."""

    block: Block

    @cached_property
    def defined(self) -> frozenset[str]:
        """Functions and types, those of tests aside."""
        return frozenset(name for name in self._defined if not name.lower().startswith(_TEST_NAMES))

    @cached_property
    def bound(self) -> frozenset[str]:
        """Variables, parameters and imports."""
        return bound_names(self.block.source)

    @cached_property
    def reads(self) -> bool:
        """Whether it reads the input."""
        return reads_input(self.block.source)

    @cached_property
    def writes(self) -> bool:
        """Whether it writes."""
        return writes_output(self.block.source)

    @cached_property
    def only_tests(self) -> bool:
        """Whether it defines tests and nothing else."""
        return bool(self._defined) and not self.defined and not self.reads

    @cached_property
    def _defined(self) -> frozenset[str]:
        return defined_names(self.block.source)

    @cached_property
    def _called(self) -> frozenset[str]:
        return called_names(self.block.source)

    @cached_property
    def calls(self) -> frozenset[str]:
        """Names of functions that an earlier piece may have to provide."""
        return self._called - self.bound - self.defined if self.defined else self._called

    @cached_property
    def variables(self) -> frozenset[str]:
        """Names of variables likewise; none of a piece that reads, or whose functions may use what is bound after them."""
        return frozenset() if self.defined or self.reads else free_names(self.block.source)

    @cached_property
    def begins(self) -> bool:
        """Whether it has what a program of a language that asks for one begins with: a function ``main`` or its like."""
        return begins_program(self.block.source)

    @cached_property
    def types(self) -> frozenset[str]:
        """What it names as types are named and does not define, where it begins a program."""
        return frozenset(_TYPE.findall(self.block.source)) - self.defined if self.begins else frozenset()

    @cached_property
    def only_imports(self) -> bool:
        """Whether it holds imports alone."""
        return all(map(_IMPORT.match, filter(str.strip, self.block.source.split("\n"))))

    @cached_property
    def imports(self) -> bool:
        """Whether it imports anything."""
        return any(map(_IMPORT.match, filter(str.strip, self.block.source.split("\n"))))

    @cached_property
    def lines(self) -> str:
        """Its lines without indentation and blank ones, each between two line feeds."""
        return "\n" + "".join(f"{line.strip()}\n" for line in self.block.source.split("\n") if line.strip())

    @property
    def only_defines(self) -> bool:
        """Whether it has nothing but definitions that stand at the left edge, so that none of it is ever run."""
        return bool(self._defined) and all(map(_OF_DEFINITION.match, filter(str.strip, self.block.source.split("\n"))))

    @property
    def works(self) -> bool:
        """Whether it can be a program: it reads and writes."""
        return self.reads and self.writes

    @property
    def does_nothing(self) -> bool:
        """Whether it can be none: it defines tests only, or nothing, and neither reads nor writes."""
        return self.only_tests or not (self.defined or self.reads or self.writes)

    def stands_beside(self, others: Sequence[_Piece]) -> bool:
        """Whether it reads the input by itself and calls nothing of the others, or imports it where another reads too."""
        imported = self.bound if any(piece.reads for piece in others) else frozenset[str]()
        return self.reads and not any((self._called - imported) & piece.defined for piece in others)


def _without_excerpts(pieces: Sequence[_Piece], *, started: bool) -> Sequence[_Piece]:
    """The pieces less those at the end that tell of an earlier program.

    Such a piece does not begin a program where an earlier one does and one is wanted that can be started, or repeats lines of an earlier
    one and is no program either.
    """
    for count in range(len(pieces), 1, -1):
        end, earlier = pieces[count - 1], pieces[: count - 1]
        apart = started and not end.begins and any(piece.begins for piece in earlier)
        whole = end.works and not end.only_defines and end.lines.count("\n") > _EXCERPT_LINES + 1
        repeats = not (end.begins or whole) and any(
            (piece.works or piece.begins) and end.lines in piece.lines and end.lines != piece.lines for piece in earlier
        )
        if not (apart or repeats):
            return pieces[:count]
    return pieces[:1]


def _needed(earlier: Sequence[_Piece], end: _Piece) -> list[_Piece]:
    """The nearest earlier pieces without which the last is none; none where it stands alone."""
    if end.defined and not end.begins:
        return []
    if end.begins:
        earlier = [piece for piece in earlier if not piece.begins]  # another's main is a draft
    calls, variables = end.calls | end.types, end.variables
    found: list[_Piece] = []
    for piece in reversed(earlier):
        binds = piece.defined | piece.bound
        if calls & piece.defined or variables & binds:
            found.append(piece)
            calls = (calls - piece.defined) | piece.calls
            variables = (variables - binds) | piece.variables
    if not found and end.does_nothing:
        found = [piece for piece in reversed(earlier) if piece.works or (end.only_tests and piece.defined)][:1]
    return found[::-1]


def _completes(needed: Sequence[_Piece], end: _Piece) -> bool:
    """Whether the last piece reads the input and none before it does, or likewise writes, where they do more than define."""
    if end.only_tests:
        return False
    reads, writes = any(piece.reads for piece in needed), any(piece.writes for piece in needed)
    begun = reads or not any(piece.defined for piece in needed)
    return (end.reads and not reads) or (end.writes and not writes and begun)


def _joined(parts: Sequence[Block]) -> Block:
    """One block of several; what one defines the next need not import."""
    source = ""
    for part in parts:
        own = without_imports(part.source, defined_names(source))
        source += own if own.endswith("\n") else f"{own}\n"
    return replace(parts[-1], source=source)
