"""How a compiled Python program travels from the box that compiled it to the boxes that run it. Runs in boxes only.

A marshalled code object is the cheap way, with the warnings the compiler printed in front, to be printed again by
every run, as `python3 main.py` would. Marshalling may change the order in which a set literal is iterated; a program
with such a literal travels as source and is compiled anew in each box.
"""

from __future__ import annotations

import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_SOURCE = b"S"
_WARNING = b"W"
_LENGTH = 8
CODE_TYPE = 0xE3
"""How a marshalled code object begins (TYPE_CODE with FLAG_REF in CPython's marshal.c): compiled without a warning."""


class _Text:
    """A stand-in for standard error that keeps what is written."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> int:
        """Keep a piece."""
        self.parts.append(text)
        return len(text)

    def flush(self) -> None:
        """There is nothing to flush."""


def pack_code(source: bytes, filename: str) -> bytes:
    """Compile a source for `unpack_code`.

    Raises:
        Whatever the compiler raises.
    """
    errors, told = sys.stderr, _Text()
    sys.stderr = told  # all that the warnings module asks of it
    try:
        code = compile(source, filename, "exec", dont_inherit=True)
    finally:
        sys.stderr = errors
    data = marshal.dumps(code)
    if not _same_order(code, marshal.loads(data)):  # ruff: ignore[suspicious-marshal-usage] - made a line above
        return _SOURCE + source
    warnings = "".join(told.parts).encode("utf-8", "backslashreplace")
    if not warnings and data[0] == CODE_TYPE:
        return data
    return _WARNING + len(warnings).to_bytes(_LENGTH, "little") + warnings + data


def unpack_code(made: bytes, filename: str) -> CodeType:
    """The code object, after printing what the compiler would have."""
    if made[0] == CODE_TYPE:  # nearly always
        plain: CodeType = marshal.loads(made)  # noqa: S302 - inside the box, of the program's own making
        return plain
    if made[:1] == _SOURCE:
        return compile(made[1:], filename, "exec", dont_inherit=True)
    start = 1 + _LENGTH
    end = start + int.from_bytes(made[1:start], "little")
    sys.stderr.write(made[start:end].decode("utf-8", "replace"))
    code: CodeType = marshal.loads(memoryview(made)[end:])  # ruff: ignore[suspicious-marshal-usage] - inside the box, of the program's own making
    return code


def _same_order(first: object, second: object) -> bool:
    """Whether two constants iterate alike, at any depth."""
    if isinstance(first, frozenset) and isinstance(second, frozenset):
        return list(first) == list(second)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return all(map(_same_order, first, second))
    if hasattr(first, "co_consts") and hasattr(second, "co_consts"):
        return _same_order(first.co_consts, second.co_consts)
    return True
