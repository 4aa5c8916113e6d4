"""A submission made ready to run: what lies in the work folder, what is started, and how. Immutable, shared by cases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scalebox.core.limits import MIB, Limits
from scalebox.core.result import CompileResult, Exceeded, RunResult
from scalebox.languages.definition import Kind, Language
from scalebox.languages.naming import Names
from scalebox.runner.memory_file import Manifest, MemoryFile
from scalebox.runner.zygote import protocol, shelf

_ON_DEMAND: Final = re.compile(
    rb"\b(?:import|from)[ \t]+(?:[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*(?:"
    + "|".join(shelf.ON_DEMAND).encode()
    + rb")\b"
)
"""Takes time in proportion to the text: after each keyword it goes on for as long as a list of names does."""
_LAST_WORDS: Final = 1 << 16
"""Bytes of standard error in which a runtime is looked for saying why it ended."""
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
    names: Names
    """What the source asked to be called, and what is started."""
    code: MemoryFile | None
    """Python's code object; None where programs are executed."""
    manifest: MemoryFile | None
    """What a box without anything special is told, whatever its limits; None for a Python program, which needs no telling, and
    where how it is started depends on its limits."""
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
        mode = _READ_ONLY if self.language.compile is None else _EXECUTABLE
        return self.file_name, self.file.fd, mode

    def start(self, args: Sequence[str], limits: Limits) -> dict[str, object]:
        """What a box is told that executes the program.

        Args:
            limits: those of the program itself, without what its runtime may have besides.
        """
        memory_mb = max(limits.memory_bytes // MIB, 1)
        argv = self.language.argv(self.names, memory_mb)
        environment = dict(self.language.surroundings(self.names, memory_mb))
        return {"mode": "exec", "argv": [*argv, *args], "environment": environment}

    def told(self, limits: Limits) -> MemoryFile | None:
        """What a box without anything special is told."""
        if self.manifest is None and self.language.kind is Kind.EXEC:
            return manifest(self.start((), limits))
        return self.manifest

    def bounds(self, limits: Limits) -> Limits:
        """The limits of a box: the program's, and what the runtime needs besides."""
        runtime = self.language.runtime
        if not runtime.memory_mb and not runtime.processes:
            return limits
        return replace(
            limits,
            memory_bytes=limits.memory_bytes + runtime.memory_mb * MIB,
            processes=limits.processes + runtime.processes,
        )

    def understood(self, run: RunResult) -> RunResult:
        """A run whose end the runtime explains: where it says that memory ran out, that is the limit exceeded."""
        pattern = self.language.runtime.out_of_memory
        if pattern is None or run.exceeded is not None or run.exit_code == 0:
            return run
        if not pattern.search(run.stderr[-_LAST_WORDS:].decode("utf-8", "replace")):
            return run
        return replace(run, exceeded=Exceeded.MEMORY, reason="memory limit exceeded")


def library_of(source: bytes) -> int:
    """Whether a Python source seems to import what a slot has ready on demand; a wrong guess costs time and nothing else."""
    return protocol.LIBRARY if _ON_DEMAND.search(source) else 0


def manifest(content: Mapping[str, object]) -> MemoryFile:
    """What a box is told, in the form it reads."""
    return Manifest(content)
