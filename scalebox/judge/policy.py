"""Who gets the next slot, and who gives one back. Pure: no clock, no awaits; `scalebox.judge.scheduler` acts on it.

1. A slot goes to a submission that holds none before any other is widened.
2. Among those: the tenant furthest behind its weighted share, then that tenant's class furthest behind, then by arrival,
   where a submission counts as having come the later the more slot time it has used, or is expected to use; for what is only
   expected, no later than follows from what waited when it came.
3. What is idle then widens, in the same order.
4. A submission gives a slot back, between two cases, when it holds several and one without waits, or when one that waits
   comes before it: at once for a more urgent class, else after a slice.

Nobody starves: every tenant and class that waits is served at a speed that is its weight, and whoever has come is at last
the earliest. A decision costs the logarithm of what waits, and the number of tenants that wait.
"""

from __future__ import annotations

import enum
import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from scalebox.core.submission import Priority
from scalebox.core.tenant import DEFAULT_TENANT, Tenant
from scalebox.judge.share import SLICE_SECONDS, Level, Share

CLASS_WEIGHTS: Final[Mapping[Priority, float]] = MappingProxyType({
    Priority.INTERACTIVE: 16.0,
    Priority.EVALUATION: 4.0,
    Priority.TRAINING: 1.0,
})
"""Shares of a tenant's classes that wait at the same time."""
_RANKS: Final = {priority: rank for rank, priority in enumerate(Priority)}
LATER_PER_SECOND: Final = 3.0
"""How much later a submission counts as having come for each second of a slot that it has used, or is expected to use."""
LATER_PER_SECOND_AHEAD: Final = 2.0
"""For what it is expected to use, no more than this for each second that the slots will take for those that wait when it comes. Where
little waits, shorter ones gain little by going first, and the longer would be left over at the end, with slots that idle beside them."""
MOST_EXPECTED_SECONDS: Final = 20.0
"""No submission is expected to use more: so for that none waits longer than `LATER_PER_SECOND` times it for those that came after it."""
_MANY_STALE: Final = 64


class Wish(enum.Enum):
    """What a submission waits for."""

    FIRST = "first"
    WIDEN = "widen"


class Line:
    """Tickets in their order. Who has left is passed over; what is left over of them is bounded."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._heap: list[tuple[float, int, Ticket]] = []

    def put(self, ticket: Ticket, turn: float) -> None:
        """Let a ticket wait; one that left and comes back for the same turn keeps its entry."""
        if ticket.turns.get(self._wish) != turn:
            ticket.turns[self._wish] = turn
            heapq.heappush(self._heap, (turn, ticket.arrival, ticket))

    def head(self) -> Ticket | None:
        """The first that waits."""
        while self._heap and not self._waits(*self._heap[0]):
            self._drop(*heapq.heappop(self._heap))
        return self._heap[0][2] if self._heap else None

    def tidy(self, waiting: int) -> None:
        """Throw out who has left, where that is most of it; the cost is shared by all who left."""
        if len(self._heap) < 2 * waiting + _MANY_STALE:
            return
        for entry in self._heap:
            if not self._waits(*entry):
                self._drop(*entry)
        self._heap = [entry for entry in self._heap if self._waits(*entry)]
        heapq.heapify(self._heap)

    def _waits(self, turn: float, _: int, ticket: Ticket) -> bool:
        return ticket.wish is self._wish and ticket.turns.get(self._wish) == turn

    def _drop(self, turn: float, _: int, ticket: Ticket) -> None:
        if ticket.turns.get(self._wish) == turn:
            del ticket.turns[self._wish]


@dataclass(eq=False, slots=True, kw_only=True)
class Flow(Share):
    """One class of one tenant's submissions."""

    priority: Priority
    lines: Mapping[Wish, Line] = field(default_factory=lambda: {wish: Line(wish) for wish in Wish})
    ahead: float = 0.0
    """Slot seconds that those are expected to use yet that wait for their first slot."""


@dataclass(eq=False, slots=True, kw_only=True)
class Account(Share):
    """One tenant's submissions."""

    tenant: Tenant
    flows: Mapping[Priority, Flow] = field(
        default_factory=lambda: {name: Flow(weight=weight, priority=name) for name, weight in CLASS_WEIGHTS.items()}
    )
    level_of_flows: Level = field(default_factory=Level)

    def may_hold(self, released: int = 0) -> bool:
        """Whether it may hold one slot more, after it has released some."""
        return self.tenant.max_slots is None or self.slots - released < self.tenant.max_slots


@dataclass(eq=False, slots=True, kw_only=True)
class Ticket:
    """One submission's place in the order."""

    arrival: int
    account: Account = field(repr=False)
    flow: Flow = field(repr=False)
    came: float = 0.0
    """When it arrived."""
    deadline: float = math.inf
    """From then on it gets no slot."""
    expected: float = 0.0
    """Slot seconds that it is expected to use in all."""
    put_off: float = 0.0
    """How much later it counts as having come for that."""
    counted: float = 0.0
    """Its part of what waits in its class."""
    holding: int = 0
    """Slots it holds now."""
    wanting: int = 0
    """Slots it waits for."""
    used: float = 0.0
    """Slot seconds, up to its last change."""
    changed: float = 0.0
    """When the number of its slots changed last."""
    wish: Wish | None = None
    turns: dict[Wish, float] = field(default_factory=dict)
    """Of its newest entries in lines, of use or not."""

    def turn(self, now: float) -> float:
        """Its place among those of its class, lowest first."""
        return self.came + max(self.put_off, LATER_PER_SECOND * (self.used + self.holding * (now - self.changed)))

    def hold(self, more: int, now: float) -> None:
        """Hold so many slots more, or fewer."""
        self.used += self.holding * (now - self.changed)
        self.changed = now
        self.holding += more


class Policy:
    """The state of a queue before so many slots.

    Args:
        slots: to hand out.
        tenants: who share them; the default one is among them whether named or not.
    """

    def __init__(self, slots: int, tenants: Iterable[Tenant] = ()) -> None:
        named = {tenant.name: tenant for tenant in (Tenant(name=DEFAULT_TENANT), *tenants)}
        self.accounts = {name: Account(weight=tenant.weight, tenant=tenant) for name, tenant in named.items()}
        self.free = slots
        self._slots = slots
        self.queued = 0
        """Submissions that wait for their first slot."""
        self._arrivals = itertools.count()
        self._firsts = [0] * len(_RANKS)
        """The same by class, the most urgent first."""
        self._waiting: dict[Wish, set[Account]] = {wish: set() for wish in Wish}
        self._holding: set[Account] = set()
        self._level = Level()

    def account(self, tenant: str) -> Account:
        """Of a tenant; the default one's where the name is not known."""
        return self.accounts.get(tenant) or self.accounts[DEFAULT_TENANT]

    def enter(
        self, tenant: str, priority: Priority, now: float, deadline: float = math.inf, expected: float = 0.0
    ) -> Ticket:
        """A place in the order. It takes no room: how many may be here is not decided here."""
        account = self.account(tenant)
        flow = account.flows[priority]
        expected = min(expected, MOST_EXPECTED_SECONDS)
        return Ticket(
            arrival=next(self._arrivals),
            account=account,
            flow=flow,
            came=now,
            changed=now,
            deadline=deadline,
            expected=expected,
            put_off=min(LATER_PER_SECOND * expected, LATER_PER_SECOND_AHEAD * flow.ahead / self._slots),
        )

    def ask(self, ticket: Ticket, now: float) -> None:
        """Wait for one slot more."""
        ticket.wanting += 1
        self._place(ticket, now)

    def withdraw(self, ticket: Ticket, now: float) -> None:
        """Wait for one slot fewer."""
        if ticket.wanting:  # none is left of one whose deadline passed
            ticket.wanting -= 1
            self._place(ticket, now)

    def grant(self, now: float) -> Ticket | None:
        """Give a free slot to who is next; None where there is no slot, or nobody who may have it."""
        if not self.free:
            return None
        for wish in Wish:
            found = self._next(wish, now, lambda account: account.may_hold())
            if found is not None:
                self._give(found, now)
                return found
        return None

    def release(self, ticket: Ticket, now: float) -> None:
        """Take a slot back."""
        self.free += 1
        self._hold(ticket, -1, now)

    def wanted(self, ticket: Ticket, now: float) -> bool:
        """Whether the holder of a slot should give it back, asked between two cases."""
        if not self.queued:
            return False
        own = ticket.account
        if ticket.holding > 1:
            return any(account.may_hold(released=int(account is own)) for account in self._waiting[Wish.FIRST])
        rank = _RANKS[ticket.flow.priority]
        if now - ticket.changed < SLICE_SECONDS and not any(self._firsts[:rank]):
            return False
        best = self._next(Wish.FIRST, now, lambda account: account.may_hold(released=int(account is own)))
        if best is None:
            return False
        rank_of_best = _RANKS[best.flow.priority]
        if rank_of_best >= rank and now - ticket.changed < SLICE_SECONDS:
            return False
        if best.account is not own:
            return (own.claim(now, released=1), rank) > (best.account.claim(now), rank_of_best)
        if best.flow is not ticket.flow:
            return (ticket.flow.claim(now, released=1), rank) > (best.flow.claim(now), rank_of_best)
        return ticket.turn(now) > best.turn(now)

    def _give(self, ticket: Ticket, now: float) -> None:
        self._level.serve(ticket.account, now)
        ticket.account.level_of_flows.serve(ticket.flow, now)
        self.free -= 1
        ticket.wanting -= 1
        self._hold(ticket, 1, now)

    def _hold(self, ticket: Ticket, more: int, now: float) -> None:
        ticket.account.hold(more, now)
        ticket.flow.hold(more, now)
        ticket.hold(more, now)
        if ticket.account.slots:
            self._holding.add(ticket.account)
        else:
            self._holding.discard(ticket.account)
        self._place(ticket, now)

    def _next(self, wish: Wish, now: float, may_hold: Callable[[Account], bool]) -> Ticket | None:
        while claims := [(account.claim(now), account) for account in self._waiting[wish] if may_hold(account)]:
            lowest = min(claim for claim, _ in claims)
            heads = [self._head(account, wish, now) for claim, account in claims if claim == lowest]
            found = [ticket for ticket in heads if ticket is not None]
            if found:
                return min(found, key=lambda ticket: (ticket.turn(now), ticket.arrival))
        return None

    def _head(self, account: Account, wish: Wish, now: float) -> Ticket | None:
        """Who of a tenant is next. Those whose deadline passed are sent away on the way."""
        flows = [flow for flow in account.flows.values() if (flow.firsts if wish is Wish.FIRST else flow.widens)]
        for flow in sorted(flows, key=lambda flow: (flow.claim(now), _RANKS[flow.priority])):
            while (ticket := flow.lines[wish].head()) is not None:
                if ticket.deadline > now:
                    return ticket
                ticket.wanting = 0
                self._place(ticket, now)
        return None

    def _place(self, ticket: Ticket, now: float) -> None:
        """Put a ticket where it belongs after a change."""
        wish = None if not ticket.wanting else Wish.WIDEN if ticket.holding else Wish.FIRST
        if wish is ticket.wish:
            return
        old, ticket.wish = ticket.wish, wish
        if old is not None:
            self._count(ticket, old, -1)
            ticket.flow.lines[old].tidy(ticket.flow.firsts if old is Wish.FIRST else ticket.flow.widens)
        if wish is None:
            return
        if wish is Wish.FIRST and not ticket.account.firsts:
            self._level.join(ticket.account, self._waiting[wish] | self._holding, now)
        if wish is Wish.FIRST and not ticket.flow.firsts:
            ticket.account.level_of_flows.join(ticket.flow, ticket.account.flows.values(), now)
        self._count(ticket, wish, 1)
        ticket.flow.lines[wish].put(ticket, ticket.turn(now))

    def _count(self, ticket: Ticket, wish: Wish, more: int) -> None:
        """Keep the numbers of who waits, and the set of tenants that do."""
        account, flow = ticket.account, ticket.flow
        if wish is Wish.FIRST:
            self.queued += more
            self._firsts[_RANKS[flow.priority]] += more
            account.firsts += more
            flow.firsts += more
            ticket.counted = max(ticket.expected - ticket.used, 0.0) if more > 0 else ticket.counted
            flow.ahead = max(flow.ahead + more * ticket.counted, 0.0) if flow.firsts else 0.0
        else:
            account.widens += more
            flow.widens += more
        if account.firsts if wish is Wish.FIRST else account.widens:
            self._waiting[wish].add(account)
        else:
            self._waiting[wish].discard(account)
