"""A submission made ready to run: what lies in the work folder, what is started, and how. Immutable, shared by cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from scalebox.core.result import CompileResult
from scalebox.languages.definition import Language
from scalebox.runner.memory_file import Manifest, MemoryFile
from scalebox.runner.zygote import protocol, shelf

_ON_DEMAND: Final = re.compile(
    rb"\b(?:import|from)[ \t]+(?:[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*(?:"
    + "|".join(shelf.ON_DEMAND).encode()
    + rb")\b"
)
"""Takes time in proportion to the text: after each keyword it goes on for as long as a list of names does."""
_READ_ONLY: Final = 0o444
_EXECUTABLE: Final = 0o555


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A compiled or prepared submission."""

    language: Language
    version: str
    """Of the toolchain that made it."""
    file: MemoryFile
    """What lies in the work folder: the source, or the compiler's artifact."""
    file_name: str
    code: MemoryFile | None
    """Python's code object; None where programs are executed."""
    manifest: MemoryFile | None
    """What a box without anything special is told; None for a Python program, which needs no telling."""
    compiled: CompileResult
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Further files that must lie in the work folder when it runs: relative path -> content."""

    needs: int = 0
    """What a slot is to load for it first (`protocol.LIBRARY`)."""

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return sum(file.size for file in self._files()) + sum(map(len, self.beside.values()))

    @property
    def files(self) -> int:
        """Descriptors held open."""
        return len(self._files())

    def _files(self) -> list[MemoryFile]:
        return [file for file in (self.file, self.manifest, self.code) if file is not None]

    @property
    def place(self) -> tuple[str, int, int]:
        """Name, descriptor and mode of the file in the work folder."""
        mode = _READ_ONLY if self.file_name == self.language.source_name else _EXECUTABLE
        return self.file_name, self.file.fd, mode


def library_of(source: bytes) -> int:
    """Whether a Python source seems to import what a slot has ready on demand; a wrong guess costs time and nothing else."""
    return protocol.LIBRARY if _ON_DEMAND.search(source) else 0


def manifest(content: Mapping[str, object]) -> MemoryFile:
    """What a box is told, in the form it reads."""
    return Manifest(content)
