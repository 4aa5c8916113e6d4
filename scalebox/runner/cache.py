"""Compiled programs by content, least recently used first to go; bytes and open files are bounded. Written by the service only."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

from scalebox.runner.program import Program


def content_key(parts: Sequence[str | bytes]) -> str:
    """A key for what a program is made of; no two lists of parts share one."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


class ProgramCache:
    """Least-recently-used programs.

    Args:
        limit_bytes: how much may be held; a larger program is not kept.
        limit_files: how many descriptors may be held; a program has up to three.
    """

    def __init__(self, limit_bytes: int, limit_files: int) -> None:
        self._limit = limit_bytes
        self._limit_files = limit_files
        self._held = 0
        self._held_files = 0
        self._programs: OrderedDict[str, Program] = OrderedDict()

    def get(self, key: str) -> Program | None:
        """The program made from that content."""
        program = self._programs.get(key)
        if program is not None:
            self._programs.move_to_end(key)
        return program

    def put(self, key: str, program: Program) -> None:
        """Keep a program, and let the longest unused go."""
        if program.size > self._limit or key in self._programs:
            return
        self._programs[key] = program
        self._held += program.size
        self._held_files += program.files
        while self._held > self._limit or self._held_files > self._limit_files:
            _, gone = self._programs.popitem(last=False)
            self._held -= gone.size
            self._held_files -= gone.files
