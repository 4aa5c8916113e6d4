"""How the source's file and what is started are called, where the source decides that. Pure text; never fails on any source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from scalebox.languages.masking import masked

_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_$]{1,100}")
"""Without the suffix; a request to a slot has room for 127 bytes with it."""
_BRACE: Final = re.compile(r"[{}]")
MOST_TEXT: Final = 1 << 18
"""Characters that are looked at; what a program is started by stands in the first of them or it is not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What one source's file is called, and what is started."""

    file: str
    main: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamingSpec:
    """Where a source says how it is to be called; each pattern's group ``name`` is the name."""

    package: re.Pattern[str] | None
    """The package, whose name comes before that of what is started; several are one within the other. With a brace at its end all
    of it stands in that brace."""
    type: re.Pattern[str]
    """A type declared outside of all braces."""
    public: re.Pattern[str] | None
    """Such a type that gives the file its name; None where the file may have any."""
    entry: re.Pattern[str]
    """What makes the type around it one that can be started. Outside of all braces it makes the type before it one if its group
    ``head`` took part, or what its group ``name`` names; else it stands in no type."""
    outside: str
    """What is started where the entry stands in no type; ``{stem}`` is the file's name without its suffix. Where a file is
    named so, an entry in no type comes before those in types."""
    prefer: re.Pattern[str]
    """All of the name of a type that is started wherever it is declared, the last one of such names: that of the harnesses, which stand last."""
    outside_named: re.Pattern[str] | None = None
    """What of the source, strings included, says that it is another."""
    nested: bool = False
    """Comments hold comments."""
    interpolated: re.Pattern[str] | None = None
    """What stands before a string in which ``${…}`` is code."""

    def names(self, source: str, source_name: str) -> Names:
        """What a source is called.

        Args:
            source: the text.
            source_name: the file's name where the source asks for none.
        """
        package, code = self._opened(source[:MOST_TEXT])
        depths = _depths(code)
        types = [found for found in self.type.finditer(code) if depths[found.start()] == 0]
        suffix = PurePosixPath(source_name).suffix
        public = None if self.public is None else _first_outside(self.public, code, depths)
        stem = PurePosixPath(source_name).stem
        if public is not None and _FILE_NAME.fullmatch(public):
            stem = public
        main = (
            self._harness(source)
            or self._started(code, depths, types, public)
            or self._outside(source, code).replace("{stem}", stem)
        )
        return Names(file=stem + suffix, main=package + main)

    def last(self, program: str, tests: str) -> str | None:
        """The type, with its package, of the last entry that lies in the tests that follow a program; None where none does."""
        text = f"{program}\n{tests}"
        package, code = self._opened(text[-MOST_TEXT:])
        depths = _depths(code)
        types = [found for found in self.type.finditer(code) if depths[found.start()] == 0]
        own = [found for found in self._entries(code, depths, types) if found[0] >= len(code) - len(tests)]
        return package + own[-1][1] if own else None

    def _opened(self, source: str) -> tuple[str, str]:
        """The package, with the dot behind it, and the code, without the braces that are around all of it."""
        code = self.code(source)
        if self.package is None:
            return "", code
        names: list[str] = []
        kept: list[str] = []
        at = 0
        closings: dict[int, int] | None = None
        solid = len(code.rstrip(" \t\r\n}"))
        for found in self.package.finditer(code):
            if "{" in code[at : found.start()]:
                break
            if found[0].endswith("{"):
                closings = _closings(code) if closings is None else closings
                if closings.get(found.end() - 1, len(code)) < solid:
                    break  # something stands behind it
            names.append(f"{found['name'].replace('`', '')}.")
            kept += [code[at : found.start()], " " * (found.end() - found.start())]
            at = found.end()
        return "".join(names), "".join([*kept, code[at:]])

    def code(self, source: str) -> str:
        """The source with blanks for comments, strings and characters."""
        return masked(source, nested=self.nested, interpolated=self.interpolated)

    def _outside(self, source: str, code: str) -> str:
        if self.outside_named is None:
            return self.outside
        named = (
            found
            for found in self.outside_named.finditer(source[:MOST_TEXT])
            if code[found.start() : found.start("name")].strip(" \t")
        )
        return next((found["name"] for found in named), self.outside)

    def _harness(self, source: str) -> str | None:
        """The type of a harness, if there is one.

        Looked for in the text's end, however long a program puts itself before it, and in what may be a comment too: comments nest in some
        languages, and one that looks as if it ended early may leave what follows.
        """
        names = [found["name"] for found in self.type.finditer(source[-MOST_TEXT:])]
        return next((name for name in reversed(names) if self.prefer.fullmatch(name)), None)

    def _started(
        self, code: str, depths: Sequence[int], types: Sequence[re.Match[str]], public: str | None
    ) -> str | None:
        """The type to start: the public one where it can be, else the first that can be."""
        if "{stem}" in self.outside and self._stands_alone(code, depths):
            return None
        able = [owner for _, owner in self._entries(code, depths, types)]
        return public if public in able else next(iter(able), None)

    def _stands_alone(self, code: str, depths: Sequence[int]) -> bool:
        """Whether an entry stands outside of all braces, in no type's head, and names nothing."""
        return any(
            depths[entry.start()] == 0 and not any(entry.groupdict().values()) for entry in self.entry.finditer(code)
        )

    def _entries(self, code: str, depths: Sequence[int], types: Sequence[re.Match[str]]) -> Sequence[tuple[int, str]]:
        """Where each entry stands, and the type that it makes one that can be started."""
        found: list[tuple[int, str]] = []
        for entry in self.entry.finditer(code):
            groups = entry.groupdict()
            in_head = groups.get("head") is not None
            owner = groups.get("name") or _owner(entry.start(), depths, types, in_head=in_head)
            if owner is not None:
                found.append((entry.start(), owner))
        return found


def _closings(code: str) -> dict[int, int]:
    """Where each brace that is closed is closed."""
    opened: list[int] = []
    closings: dict[int, int] = {}
    for found in _BRACE.finditer(code):
        if found[0] == "{":
            opened.append(found.start())
        elif opened:
            closings[opened.pop()] = found.start()
    return closings


def _depths(code: str) -> list[int]:
    """How many braces are open at each character."""
    depth = 0
    depths: list[int] = []
    for char in code:
        if char == "}":
            depth = max(depth - 1, 0)
        depths.append(depth)
        if char == "{":
            depth += 1
    return depths


def _first_outside(pattern: re.Pattern[str], code: str, depths: Sequence[int]) -> str | None:
    return next((found["name"] for found in pattern.finditer(code) if depths[found.start()] == 0), None)


def _owner(place: int, depths: Sequence[int], types: Sequence[re.Match[str]], *, in_head: bool) -> str | None:
    """The outermost type that a place belongs to: the last one before it, where it is in that one's head or braces."""
    before = bisect_left(types, place, key=re.Match.start)
    if before == 0 or (depths[place] == 0 and not in_head):
        return None
    return types[before - 1]["name"]
