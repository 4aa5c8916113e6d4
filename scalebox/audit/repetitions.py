"""Find cases that repeat the input of an earlier one. Pure; says nothing about which of two different answers is right."""

from __future__ import annotations

from collections.abc import Sequence

from scalebox.audit.measurement import Repetition
from scalebox.core.plain import PlainError, dumps
from scalebox.core.problem import AssertCase, CallCase, InteractiveCase, StdioCase, TestCase, UnitCase

Key = tuple[object, ...]


def repetitions(tests: Sequence[TestCase]) -> list[Repetition]:
    """The cases with an earlier case's input, in order, each with the first that has it."""
    seen: dict[Key, tuple[TestCase, Key]] = {}
    found: list[Repetition] = []
    for test in tests:
        try:
            given, answer = _parts(test)
        except PlainError:
            continue  # no call can be made of it, so the judge will refuse it
        earlier, due = seen.setdefault(given, (test, answer))
        if earlier is not test:
            found.append(Repetition(case=test.name, earlier=earlier.name, same_answer=due == answer))
    return found


def _parts(test: TestCase) -> tuple[Key, Key]:
    """What a case gives to the program, and what it wants of it."""
    match test:
        case StdioCase():
            files = tuple(sorted(test.files.items()))
            return ("stdio", test.input, tuple(test.args), files), (b" ".join(test.answer.split()),)
        case CallCase():
            given = dumps([list(test.args), dict(test.kwargs), test.mutated])
            return ("call", test.function, given), (dumps(test.answer),)
        case InteractiveCase():
            return ("interactive", test.input, tuple(test.args)), (test.answer,)
        case AssertCase():
            return ("assert", test.code, test.entry_point), ()
        case UnitCase():
            return ("unit", test.framework, test.program, tuple(sorted(test.files.items()))), ()
        case _:
            return ("unknown", test.name), ()
