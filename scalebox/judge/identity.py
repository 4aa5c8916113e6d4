"""What a problem is, by content: problems with one key are judged alike. The memo keeps no problem alive, and never trusts that
what may change did not."""

from __future__ import annotations

import asyncio
import hashlib
import marshal
import operator
import weakref
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from scalebox.core.plain import as_plain
from scalebox.core.problem import (
    AssertCase,
    CallCase,
    CheckerSpec,
    InteractiveCase,
    Interactor,
    Problem,
    ProgramChecker,
    StdioCase,
    TestCase,
    UnitCase,
)
from scalebox.runner.memory_file import MARSHAL_VERSION

LARGE_BYTES: Final = 1 << 20
"""Problems from here on are hashed in a thread."""
_CONSTANTS: Final = frozenset({type(None), bool, int, float, complex, str, bytes})

_Container: TypeAlias = Sequence[object] | Mapping[str, object]


def problem_key(problem: Problem) -> bytes | None:
    """A key for cases, checkers, interactor, groups and limits; None where a value of a call is no plain data.

    Two keys may differ though nothing that matters does (a list for a tuple, the order of a mapping); one key is never
    given to two problems.
    """
    digest = hashlib.sha256()
    try:
        for part in _parts(problem):
            digest.update(b"%d:" % len(part))
            digest.update(part)
    except ValueError:  # `PlainError` is one; the other is of nesting too deep to write down
        return None
    return digest.digest()


def size_of(problem: Problem) -> int:
    """Bytes of input and answer, where cases have such."""
    return sum(len(case.input) + len(case.answer) for case in problem.tests if isinstance(case, StdioCase))


def _parts(problem: Problem) -> Iterator[bytes]:
    yield _text((problem.checker, problem.interactor, dict(problem.groups), problem.limits))
    for case in problem.tests:
        yield from _case(case)


def _case(case: TestCase) -> Iterator[bytes]:
    shared = (type(case).__name__, case.name, case.group, case.weight, _checker(case.checker))
    match case:
        case StdioCase():
            yield _text((*shared, list(case.args), dict(case.files)))
            yield case.input
            yield case.answer
        case CallCase():
            declared = (case.function, case.mutated, case.tolerance, list(case.arg_types), case.return_type)
            yield _text((*shared, declared))
            values = as_plain([list(case.args), dict(case.kwargs), case.answer])
            yield marshal.dumps(values, MARSHAL_VERSION)  # type: ignore[arg-type]  # plain data is
        case _:
            yield _text((*shared, case))


def _checker(checker: CheckerSpec | ProgramChecker | None) -> str | None:
    return None if checker is None else repr(checker)


def _text(value: object) -> bytes:
    """Names, numbers and texts as Python writes them, which tells any two of them apart."""
    return repr(value).encode("utf-8", "surrogatepass")


class Snapshot:
    """What the lists and dicts of a problem hold; they stay the caller's, who may change them. Make one with `Snapshot.of`."""

    def __init__(self, containers: Iterable[_Container]) -> None:
        changeable = [container for container in containers if type(container) is not tuple]
        self._empty = [container for container in changeable if not container]
        self._filled = [(container, _contents(container)) for container in changeable if container]

    @classmethod
    def of(cls, problem: Problem) -> Snapshot | None:
        """Of a problem as it is now; None where something in it could change unseen."""
        if not all(map(_is_settled, problem.tests)):
            return None
        return cls(_containers(problem))

    def holds(self) -> bool:
        """Whether all of it is still so, object by object: what is only equal (1 and True) may be judged otherwise."""
        return not any(self._empty) and all(_are_same(_contents(there), held) for there, held in self._filled)


def _are_same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(operator.is_, some, others))


def _contents(container: _Container) -> Sequence[object]:
    return [*container, *container.values()] if isinstance(container, Mapping) else list(container)


def _containers(problem: Problem) -> Iterator[_Container]:
    yield problem.tests
    yield problem.groups
    yield from _containers_of(problem.checker)
    yield from _containers_of(problem.interactor)
    for case in problem.tests:
        yield from _containers_of(case.checker)
        match case:
            case StdioCase():
                yield case.args
                yield case.files
            case CallCase():
                yield case.args
                yield case.kwargs
                yield case.arg_types
            case AssertCase():
                yield case.stop_tokens
            case UnitCase():
                yield case.files
                yield case.tests
            case InteractiveCase():
                yield case.args


def _containers_of(judge: CheckerSpec | ProgramChecker | Interactor | None) -> Iterator[_Container]:
    if isinstance(judge, (ProgramChecker, Interactor)):
        yield judge.program.files
        yield judge.flags
    if isinstance(judge, ProgramChecker):
        yield judge.order


def _is_settled(case: TestCase) -> bool:
    """Whether a case changes only where one of its lists or dicts gets or loses an object."""
    if isinstance(case, CallCase):
        return all(map(_is_constant, (*case.args, *case.kwargs.values(), case.answer)))
    return isinstance(case, (StdioCase, AssertCase, UnitCase, InteractiveCase))


def _is_constant(value: object) -> bool:
    return type(value) in _CONSTANTS or (type(value) is tuple and all(map(_is_constant, value)))


@dataclass(frozen=True, slots=True)
class _Known:
    problem: weakref.ref[Problem]
    snapshot: Snapshot
    key: bytes | None


@dataclass(frozen=True, slots=True)
class _Making:
    problem: Problem
    """Kept alive, so that no other takes its address meanwhile."""
    snapshot: Snapshot
    task: asyncio.Task[bytes | None]


class ProblemKeys:
    """Keys of problems that are judged again and again as one object, each hashed once."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._making: dict[int, _Making] = {}

    async def of(self, problem: Problem, make: Callable[[], Coroutine[Any, Any, bytes | None]]) -> bytes | None:
        """A problem's key.

        Args:
            problem: not to be changed until it is told; later it may be.
            make: gives the key where it is not known; many who ask at once wait for one. Where the problem could change
                unseen (`Snapshot.of`), that is each time.
        """
        number = id(problem)
        known = self._known.get(number)
        if known is not None and known.problem() is problem and known.snapshot.holds():
            return known.key
        making = self._making.get(number)
        if making is None or making.problem is not problem or making.task.done() or not making.snapshot.holds():
            snapshot = Snapshot.of(problem)
            if snapshot is None:
                return await make()
            task = asyncio.create_task(self._make(problem, snapshot, make))
            making = self._making[number] = _Making(problem, snapshot, task)
        return await asyncio.shield(making.task)

    async def _make(
        self, problem: Problem, snapshot: Snapshot, make: Callable[[], Coroutine[Any, Any, bytes | None]]
    ) -> bytes | None:
        number = id(problem)
        try:
            key = await make()
            if snapshot.holds():
                gone = weakref.ref(problem, lambda _: self._known.pop(number, None))
                self._known[number] = _Known(gone, snapshot, key)
            return key
        finally:  # here, not when the loop tells of the end: the address may be another's by then
            making = self._making.get(number)
            if making is not None and making.snapshot is snapshot:
                del self._making[number]
