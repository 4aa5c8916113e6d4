"""Slots, cells and submissions in simulated time. The cells of `hybrid` and `submission` ask the judge's own policy.

A cell is a set of slots behind one event loop. A case first passes the loop, one at a time, then occupies a slot for its
own time and the overhead. Who may start what on a free slot is the scheme:

- `hybrid`: the policy of the service: submissions first, idle slots widen;
- `submission`: the same without widening: one slot a submission;
- `case`: every case is queued for itself, first come, first served;
- `chunk`: cases go in fixed chunks, each run to its end on one slot, as in ScaleBox as published.

Under stop-on-failure the first failure decides. What then still runs is cut off, but for chunks, which are not.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from scalebox.core.submission import Priority
from scalebox.core.tenant import Tenant
from scalebox.judge.policy import Policy, Ticket

Scheme = Literal["hybrid", "submission", "case", "chunk"]
Balancer = Literal["least", "random"]
SCHEMES: Final[Sequence[Scheme]] = ("hybrid", "submission", "case", "chunk")
CHUNK_CASES: Final = 6
COMPILE: Final = -1
"""The number of the step before the cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A submission and its problem, as far as time is concerned."""

    name: str
    first_seconds: float
    """Before the first case: compiling."""
    cases: Sequence[float]
    """Seconds of the program, in the order in which they are started."""
    fails: Sequence[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What a case costs beside the program."""

    slot_seconds: float
    """On its slot."""
    loop_seconds: float
    """In the cell's event loop, which does one thing at a time."""


@dataclass(eq=False, slots=True)
class Work:
    """One submission under way."""

    task: Task
    came: float
    stop: bool
    priority: Priority = Priority.TRAINING
    tenant: str = "default"
    expected: float = 0.0
    """Slot seconds that the policy is told to expect."""
    compiled: bool = False
    taken: int = 0
    done: int = 0
    known: bool = False
    ticket: Ticket | None = None
    running: dict[int, float] = field(default_factory=dict)
    """Number of the event that ends it -> when the loop turned to it."""

    @property
    def left(self) -> int:
        """Steps that nobody has taken."""
        return 0 if self.known else len(self.task.cases) - self.taken + (not self.compiled and not self.running)


@dataclass(slots=True, kw_only=True)
class Figures:
    """What a simulation found."""

    span: float = 0.0
    busy: float = 0.0
    """Slot seconds."""
    waste: float = 0.0
    """Of them: of what ended, or was cut off, after the outcome was known."""
    latencies: list[tuple[Work, float]] = field(default_factory=list)

    def percentile(self, share: float, chosen: Callable[[Work], bool] = lambda _: True) -> float:
        """Of the latencies of those chosen."""
        found = sorted(seconds for work, seconds in self.latencies if chosen(work))
        return found[min(len(found) - 1, int(share * len(found)))]


class Clock:
    """Events in the order of their time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._numbers = itertools.count()
        self._heap: list[tuple[float, int, Callable[[int], None]]] = []

    def at(self, time: float, then: Callable[[int], None]) -> int:
        """Call with the number that this returns."""
        number = next(self._numbers)
        heapq.heappush(self._heap, (time, number, then))
        return number

    def run(self) -> None:
        """Until nothing is left to happen."""
        while self._heap:
            self.now, number, then = heapq.heappop(self._heap)
            then(number)


class Cell(Protocol):
    """Slots behind one event loop."""

    here: int

    def arrive(self, work: Work) -> None:
        """Take a submission."""
        ...


class Engine:
    """What all cells share: the clock, the costs, what was found, and who is told of an outcome."""

    def __init__(self, clock: Clock, costs: Costs, figures: Figures) -> None:
        self.clock = clock
        self.costs = costs
        self.figures = figures
        self.told: Callable[[Work], None] = lambda _: None

    def seconds(self, work: Work, number: int) -> float:
        """Of a step on its slot, without the loop."""
        return work.task.first_seconds if number == COMPILE else work.task.cases[number] + self.costs.slot_seconds

    def conclude(self, work: Work) -> None:
        """The outcome is known."""
        work.known = True
        self.figures.latencies.append((work, self.clock.now - work.came))
        self.figures.span = max(self.figures.span, self.clock.now)
        self.told(work)

    def cut_off(self, began: float) -> None:
        """Count what ran for nothing; it may still have waited for the loop."""
        ran = max(0.0, self.clock.now - began)
        self.figures.busy += ran
        self.figures.waste += ran

    def finish(self, work: Work, number: int) -> bool:
        """Count a step that ended; whether the outcome follows from it."""
        if number == COMPILE:
            work.compiled = True
            return not work.task.cases
        work.done += 1
        return work.done == len(work.task.cases) or (work.stop and work.task.fails[number])


class PolicyCell:
    """Slots handed out by the judge's own policy; the moves are those of `scalebox.judge.spread`."""

    def __init__(self, engine: Engine, slots: int, *, widen: bool, tenants: Iterable[Tenant] = ()) -> None:
        self.here = 0
        self._engine = engine
        self._widen = widen
        self._policy = Policy(slots, tenants)
        self._works: dict[Ticket, Work] = {}
        self._loop_free = 0.0

    def arrive(self, work: Work) -> None:
        """Take a submission."""
        now = self._engine.clock.now
        self.here += 1
        work.ticket = self._policy.enter(work.tenant, work.priority, now, expected=work.expected)
        self._works[work.ticket] = work
        self._policy.ask(work.ticket, now)
        self._hand_on()

    def _hand_on(self) -> None:
        while (ticket := self._policy.grant(self._engine.clock.now)) is not None:
            self._start(self._works[ticket], ticket)

    def _start(self, work: Work, ticket: Ticket) -> None:
        now = self._engine.clock.now
        number = COMPILE
        if work.compiled:
            number = work.taken
            work.taken += 1
            if not work.left:
                self._stop_waiting(ticket)
            elif self._widen and not ticket.wanting:
                self._policy.ask(ticket, now)
        began = max(now, self._loop_free)
        self._loop_free = began + self._engine.costs.loop_seconds
        end = self._loop_free + self._engine.seconds(work, number)
        work.running[self._engine.clock.at(end, lambda event: self._end(work, ticket, number, event))] = began

    def _end(self, work: Work, ticket: Ticket, number: int, event: int) -> None:
        if event not in work.running:  # cut off
            return
        now = self._engine.clock.now
        self._engine.figures.busy += now - work.running.pop(event)
        if self._engine.finish(work, number):
            for began in work.running.values():
                self._engine.cut_off(began)
                self._policy.release(ticket, now)
            work.running.clear()
            self._leave(work, ticket)
        elif work.left and not self._policy.wanted(ticket, now):
            self._start(work, ticket)
            self._hand_on()
            return
        elif work.left and not ticket.wanting:
            self._policy.ask(ticket, now)
        elif not work.left:
            self._stop_waiting(ticket)
        self._policy.release(ticket, now)
        self._hand_on()

    def _leave(self, work: Work, ticket: Ticket) -> None:
        self.here -= 1
        del self._works[ticket]
        self._stop_waiting(ticket)
        self._engine.conclude(work)

    def _stop_waiting(self, ticket: Ticket) -> None:
        while ticket.wanting:
            self._policy.withdraw(ticket, self._engine.clock.now)


class QueueCell:
    """First come, first served, in fixed pieces of so many cases."""

    def __init__(self, engine: Engine, slots: int, *, piece: int, cuts_off: bool) -> None:
        self.here = 0
        self._engine = engine
        self._piece = piece
        self._cuts_off = cuts_off
        self._free = slots
        self._queue: deque[tuple[Work, range]] = deque()
        self._loop_free = 0.0

    def arrive(self, work: Work) -> None:
        """Take a submission."""
        self.here += 1
        self._queue.append((work, range(COMPILE, COMPILE + 1)))
        self._hand_on()

    def _hand_on(self) -> None:
        while self._free and self._queue:
            work, numbers = self._queue.popleft()
            if not work.known:
                self._free -= 1
                self._start(work, numbers, self._engine.clock.now)

    def _start(self, work: Work, numbers: range, now: float) -> None:
        began = max(now, self._loop_free)
        self._loop_free = began + self._engine.costs.loop_seconds * len(numbers)
        end = self._loop_free + sum(self._engine.seconds(work, number) for number in numbers)
        work.running[self._engine.clock.at(end, lambda event: self._end(work, numbers, event))] = began

    def _end(self, work: Work, numbers: range, event: int) -> None:
        if event not in work.running:  # cut off
            return
        now = self._engine.clock.now
        began = work.running.pop(event)
        self._engine.figures.busy += now - began
        self._free += 1
        if work.known:
            self._engine.figures.waste += now - began
        elif any([self._engine.finish(work, number) for number in numbers]):
            self._cut_off(work)
            self.here -= 1
            self._engine.conclude(work)
        elif numbers[0] == COMPILE:
            count = len(work.task.cases)
            starts = range(0, count, self._piece)
            self._queue.extend((work, range(start, min(start + self._piece, count))) for start in starts)
        self._hand_on()

    def _cut_off(self, work: Work) -> None:
        if not self._cuts_off:
            return
        for began in work.running.values():
            self._engine.cut_off(began)
            self._free += 1
        work.running.clear()


class Nodes:
    """Independent cells behind a balancer."""

    def __init__(self, cells: Sequence[Cell], balancer: Balancer, chance: random.Random) -> None:
        self._cells = cells
        self._balancer = balancer
        self._chance = chance
        self._heap = [(0, number) for number in range(len(cells))]
        self._where: dict[Work, int] = {}

    def arrive(self, work: Work) -> None:
        """Send a submission to a cell."""
        number = self._chance.randrange(len(self._cells)) if self._balancer == "random" else self._least()
        self._where[work] = number
        self._cells[number].arrive(work)
        heapq.heappush(self._heap, (self._cells[number].here, number))

    def left(self, work: Work) -> None:
        """Note that a submission has left its cell."""
        number = self._where.pop(work)
        heapq.heappush(self._heap, (self._cells[number].here, number))

    def _least(self) -> int:
        """The cell with the fewest submissions; entries that are no longer true are passed over."""
        while self._cells[self._heap[0][1]].here != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][1]


def make_cell(scheme: Scheme, engine: Engine, slots: int, tenants: Iterable[Tenant] = ()) -> Cell:
    """A cell of a scheme."""
    match scheme:
        case "hybrid" | "submission":
            return PolicyCell(engine, slots, widen=scheme == "hybrid", tenants=tenants)
        case "case":
            return QueueCell(engine, slots, piece=1, cuts_off=True)
        case "chunk":
            return QueueCell(engine, slots, piece=CHUNK_CASES, cuts_off=False)


def simulate(
    scheme: Scheme,
    arrivals: Iterable[Work],
    *,
    slots: int,
    costs: Costs,
    nodes: int = 1,
    balancer: Balancer = "least",
    clients: int | None = None,
    tenants: Iterable[Tenant] = (),
) -> Figures:
    """Judge submissions.

    Args:
        scheme: who may start what.
        arrivals: in the order of their time.
        slots: of each node.
        costs: of a case.
        nodes: independent cells.
        balancer: sends each submission to the cell with the fewest, or to any.
        clients: where given, so many at once send one after the other and the times of arrival do not count.
        tenants: beside the default one.
    """
    clock = Clock()
    engine = Engine(clock, costs, Figures())
    named = list(tenants)
    cells = [make_cell(scheme, engine, slots, named) for _ in range(nodes)]
    balanced = Nodes(cells, balancer, random.Random(1))  # noqa: S311 - to be the same twice
    coming = iter(arrivals)

    def arrive(work: Work) -> None:
        balanced.arrive(work)
        if clients is None:
            send()

    def send() -> None:
        work = next(coming, None)
        if work is not None:
            work.came = work.came if clients is None else clock.now
            clock.at(work.came, lambda _: arrive(work))

    def told(work: Work) -> None:
        balanced.left(work)
        if clients is not None:
            send()

    engine.told = told
    for _ in range(clients or 1):
        send()
    clock.run()
    return engine.figures
