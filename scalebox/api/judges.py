"""The registry of judges behind the service: which judge a problem gets, and the changes that clients make. Never blocks the event loop.

Theory of operation: the judges in use are a dictionary in memory, by the content of their problem's cases. A judgement looks its problem up
there before it begins and keeps the judge it found, which never changes; so what happens to a judge afterwards touches only
judgements that begin later. A task looks every second, in a thread, whether the registry's revision is another, and reads what is
active where it is; a change made through this process is seen at once. Counters are added up in memory and written by the
same task. Where no judge is in use, a judgement pays for one look at an empty dictionary.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, ParamSpec, TypeAlias, TypeVar

from scalebox.core.errors import RequestError, ScaleBoxError
from scalebox.core.problem import CheckerSpec, Problem, StdioCase
from scalebox.core.result import Judgement, JudgeName, Origin
from scalebox.core.verdict import Verdict
from scalebox.registry.entry import Use
from scalebox.synthesis.domain import problem_id
from scalebox.telemetry.logs import get_logger
from scalebox.wire.convert_legacy import FLOATS

if TYPE_CHECKING:  # the database's package takes a second to import, which most commands and services never need
    from scalebox.registry.store import Active, Registry

P = ParamSpec("P")
T = TypeVar("T")

LOOK_SECONDS: Final = 1.0
_DEFAULTS: Final = (CheckerSpec(), FLOATS)
"""What compares outputs where a request names nothing: v1's default, and that of the compatibility routes."""
_LARGE_BYTES: Final = 1 << 20
"""Cases from here on are hashed in a thread."""

OpenRegistry: TypeAlias = "Callable[[], Registry | None]"
"""Opens the registry; None where there is none yet. Blocks."""


class NoRegistry(RequestError):
    """This service has no registry of judges."""

    def __init__(self) -> None:
        hint = "make one with `scalebox judges import` or `synthesize`, or name one in SCALEBOX_JUDGES_URL"
        super().__init__("there is no registry of judges here", field="judge", hint=hint, code="not_offered")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A problem with the judge that is in use for it."""

    problem: Problem
    name: JudgeName


@dataclass(slots=True)
class _Known:
    """What was found out about a problem that is judged again and again as one object."""

    problem: weakref.ref[Problem]
    id: str
    active: Active | None = None
    chosen: Chosen | None = None


class Judges:
    """The judges in use.

    Args:
        open_registry: opens the registry; None where the service has none.
    """

    def __init__(self, open_registry: OpenRegistry | None) -> None:
        self._open = open_registry
        self._registry: Registry | None = None
        self._revision: int | None = None
        self._active: Mapping[str, Active] = {}
        self._known: dict[int, _Known] = {}
        self._uses: dict[str, Use] = {}
        self._fault: str | None = None
        self._turn = asyncio.Lock()
        self._log = get_logger("judges")

    # The judging path

    async def choose(self, problem: Problem) -> Chosen | None:
        """The problem with its judge in use; None where it has none, or brings a comparison of its own."""
        if not self._active or problem.interactor is not None or problem.checker not in _DEFAULTS:
            return None
        known = self._known.get(id(problem))
        if known is None or known.problem() is not problem:
            found = await _id_of(problem)
            if found is None:
                return None
            known = self._remember(problem, found)
        active = self._active.get(known.id)
        if active is None:
            return None
        if known.active is not active:  # else the very same problem again, whose key is known to the judge
            known.active = active
            known.chosen = Chosen(problem=replace(problem, checker=active.checker), name=active.name)
        return known.chosen

    def _remember(self, problem: Problem, found: str) -> _Known:
        number = id(problem)
        gone = weakref.ref(problem, lambda _: self._known.pop(number, None))
        known = self._known[number] = _Known(gone, found)
        return known

    def named(self, chosen: Chosen | None, judgement: Judgement) -> Judgement:
        """The judgement, which says whose it is; counted."""
        if chosen is None:
            return judgement
        use = Use(judgements=1)
        if judgement.origin is Origin.RUN:
            said = [case.check.said for case in judgement.cases if case.check and case.check.stage == "judge"]
            use = replace(
                use,
                accepted=said.count(Verdict.AC),
                refused=said.count(Verdict.WA),
                broken=said.count(Verdict.JE),
            )
        self._uses[chosen.name.id] = self._uses.get(chosen.name.id, Use()) + use
        return replace(judgement, judge=chosen.name)

    # Keeping up with the registry

    async def watch(self) -> None:
        """Keep up, until cancelled."""
        while self._open is not None:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.refresh()
            except Exception:  # ruff: ignore[blind-except] - a fault of ours must not end the watch without a word
                self._log.exception("the registry of judges was not read; what it said last holds")

    async def refresh(self) -> None:
        """Read what is in use, where that changed, and write what was counted. A registry that fails is logged, and what was read of it holds."""
        if self._open is None:
            return
        async with self._turn:
            try:
                await asyncio.to_thread(self._look)
                await self._write_uses()
            # It failed, cannot be reached, or holds what this version cannot read.
            except (ScaleBoxError, OSError) as error:
                if str(error) != self._fault:
                    self._log.warning(
                        "the registry of judges cannot be used; what it said last holds", error=str(error)
                    )
                self._fault = str(error)
            else:
                self._fault = None

    def _look(self) -> None:
        if self._registry is None:
            self._registry = None if self._open is None else self._open()
        if self._registry is None or self._registry.revision() == self._revision:
            return
        revision, active = self._registry.active()
        self._active = {one.problem_id: one for one in active}
        self._revision = revision
        self._log.info("judges in use", judges=len(active), revision=revision)

    async def _write_uses(self) -> None:
        uses, self._uses = self._uses, {}
        if not uses or self._registry is None:
            return
        try:
            await asyncio.to_thread(self._registry.note_uses, uses)
        except BaseException:
            for name, use in uses.items():
                self._uses[name] = self._uses.get(name, Use()) + use
            raise

    async def aclose(self) -> None:
        """Write what was counted, and close."""
        await self.refresh()
        if self._registry is not None:
            await asyncio.to_thread(self._registry.close)

    # What clients ask

    async def ask(self, work: Callable[[Registry], T], *, changes: bool = False) -> T:
        """The result of some work on the registry, in a thread.

        Args:
            work: blocks.
            changes: whether it may change which judges are in use.

        Raises:
            NoRegistry: there is none.
            RegistryError: it failed.
            RequestError: it says what the client did wrong.
        """
        await self.refresh()
        registry = self._registry
        if registry is None:
            raise NoRegistry
        result = await asyncio.to_thread(work, registry)
        if changes:
            await self.refresh()
        return result


async def _id_of(problem: Problem) -> str | None:
    """The id of a problem by its cases; None where not all of them are an input and an answer and nothing else.

    Arguments and files are no part of the id, so cases that have them are no known problem's.
    """
    tests = [case for case in problem.tests if isinstance(case, StdioCase) and not case.args and not case.files]
    if len(tests) != len(problem.tests):
        return None
    if sum(len(case.input) + len(case.answer) for case in tests) < _LARGE_BYTES:
        return problem_id(tests)
    return await asyncio.to_thread(problem_id, tests)
