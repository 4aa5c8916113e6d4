"""Who gets the next slot and who gives one back, on a clock that the tests turn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from scalebox.core.submission import Priority
from scalebox.core.tenant import Tenant
from scalebox.judge.policy import (
    CLASS_WEIGHTS,
    LATER_PER_SECOND,
    LATER_PER_SECOND_AHEAD,
    MOST_EXPECTED_SECONDS,
    Line,
    Policy,
    Ticket,
    Wish,
)
from scalebox.judge.share import SLICE_SECONDS

TENANTS = (Tenant(name="a"), Tenant(name="b", weight=3), Tenant(name="capped", max_slots=2))
INTERACTIVE, EVALUATION, TRAINING = Priority


def entered(
    policy: Policy, tenant: str = "a", priority: Priority = TRAINING, *, now: float = 0.0, expected: float = 0.0
) -> Ticket:
    """A submission that waits for a slot."""
    ticket = policy.enter(tenant, priority, now, expected=expected)
    policy.ask(ticket, now)
    return ticket


def granted(policy: Policy, now: float = 0.0) -> list[Ticket]:
    """Everybody who gets a slot now."""
    found = []
    while (ticket := policy.grant(now)) is not None:
        found.append(ticket)
    return found


def test_by_arrival_whoever_asks_first() -> None:
    policy = Policy(2, TENANTS)
    tickets = [policy.enter("a", TRAINING, 0.0) for _ in range(3)]
    for ticket in reversed(tickets):
        policy.ask(ticket, 0.0)
    assert granted(policy) == tickets[:2]


def test_a_first_slot_comes_before_any_second_one() -> None:
    policy = Policy(3, TENANTS)
    old = entered(policy)
    for _ in range(4):
        policy.ask(old, 0.0)
    young = entered(policy)
    assert granted(policy) == [old, young, old]


def test_widened_submission_gives_slots_back_down_to_one() -> None:
    policy = Policy(2, TENANTS)
    wide = entered(policy)
    policy.ask(wide, 0.0)
    assert granted(policy) == [wide, wide]
    assert not policy.wanted(wide, 0.1)
    late = entered(policy, now=0.2)
    assert policy.wanted(wide, 0.2)
    policy.release(wide, 0.2)
    assert granted(policy, 0.2) == [late]


def test_earlier_submission_keeps_its_slot_until_it_has_used_much() -> None:
    policy = Policy(1, TENANTS)
    long = entered(policy)
    assert granted(policy) == [long]
    short = entered(policy, now=30.0)
    assert not policy.wanted(long, 2.9)
    assert policy.wanted(long, 31.0)
    policy.ask(long, 31.0)
    policy.release(long, 31.0)
    assert granted(policy, 31.0) == [short]
    entered(policy, now=400.0)
    policy.release(short, 400.0)
    assert granted(policy, 400.0) == [long]  # its 31 s count as 93: it comes before who came 400 s later


def test_of_those_that_came_together_the_shorter_is_first() -> None:
    policy = Policy(1, TENANTS)
    tickets = [entered(policy, expected=seconds) for seconds in (3.0, 2.0, 0.1, 1.0)]
    first, *_ = granted(policy)
    assert first is tickets[0]  # nobody else was there when it came
    order = []
    for _ in range(3):
        policy.release(first, 0.0)
        [first] = granted(policy)
        order.append(first)
    assert order == [tickets[2], tickets[3], tickets[1]]


def test_longer_one_is_put_off_by_what_waits_when_it_comes_and_no_more() -> None:
    policy = Policy(2, TENANTS)
    assert not entered(policy, expected=7.0).turn(0.0)
    long = entered(policy, expected=9.0)
    assert long.turn(0.0) == pytest.approx(LATER_PER_SECOND_AHEAD * 7.0 / 2)
    assert entered(policy, expected=1.0).turn(0.0) == pytest.approx(LATER_PER_SECOND * 1.0)
    other = policy.enter("b", TRAINING, 0.0, expected=9.0)
    assert not other.turn(0.0)  # what waits for others is not before it
    assert len(granted(policy)) == 2
    assert policy.enter("a", TRAINING, 0.0, expected=9.0).turn(0.0) == pytest.approx(LATER_PER_SECOND_AHEAD * 9.0 / 2)
    policy.withdraw(long, 0.0)
    assert not policy.enter("a", TRAINING, 0.0, expected=9.0).turn(0.0)


def test_what_was_expected_and_is_used_counts_once() -> None:
    policy = Policy(1, TENANTS)
    entered(policy, expected=9.0)
    long = entered(policy, expected=2.0)
    for _ in range(2):
        [ticket] = granted(policy)
        policy.release(ticket, 0.0)
    assert ticket is long
    policy.ask(long, 0.0)
    assert granted(policy) == [long]
    assert long.turn(1.5) == pytest.approx(LATER_PER_SECOND * 2.0)
    assert long.turn(4.0) == pytest.approx(LATER_PER_SECOND * 4.0)


@given(others=st.lists(st.tuples(st.floats(0, 100), st.floats(0, 1e9)), max_size=30), expected=st.floats(0, math.inf))
def test_nobody_waits_forever_for_shorter_ones(others: list[tuple[float, float]], expected: float) -> None:
    """However many come, and however short: who came so much later stays behind."""
    policy = Policy(1, TENANTS)
    patient = policy.enter("a", TRAINING, 0.0, expected=expected)
    policy.ask(patient, 0.0)
    for came, seconds in sorted(others):
        policy.ask(policy.enter("a", TRAINING, came, expected=seconds), came)
    before = []
    while (ticket := policy.grant(100.0)) is not patient:
        assert ticket is not None
        before.append(ticket)
        policy.release(ticket, 100.0)
    assert all(ticket.came <= LATER_PER_SECOND * MOST_EXPECTED_SECONDS for ticket in before)


def test_short_submissions_behind_long_ones_wait_a_slice_for_each() -> None:
    policy = Policy(1, TENANTS)
    long = [entered(policy) for _ in range(10)]
    short = entered(policy, now=0.001)
    now = 0.0
    while short not in (running := granted(policy, now)):
        [ticket] = running
        while not policy.wanted(ticket, now):
            now += 0.05
        policy.ask(ticket, now)
        policy.release(ticket, now)
    assert now <= len(long) * (SLICE_SECONDS + 0.05 + 1e-9)


def test_more_urgent_class_gets_in_between_two_cases() -> None:
    policy = Policy(1, TENANTS)
    training = entered(policy)
    assert granted(policy) == [training]
    urgent = entered(policy, priority=INTERACTIVE, now=0.1)
    assert policy.wanted(training, 0.1)
    policy.ask(training, 0.1)  # what it has left
    policy.release(training, 0.1)
    assert granted(policy, 0.1) == [urgent]
    policy.release(urgent, 0.2)
    assert granted(policy, 0.2) == [training]


def test_less_urgent_class_gets_in_once_the_other_had_its_share() -> None:
    policy = Policy(1, TENANTS)
    urgent = entered(policy, priority=INTERACTIVE)
    assert granted(policy) == [urgent]
    entered(policy)
    assert not policy.wanted(urgent, SLICE_SECONDS / 2)
    assert policy.wanted(urgent, 2 * SLICE_SECONDS)


def test_other_tenant_gets_in_after_a_slice() -> None:
    policy = Policy(1, TENANTS)
    holder = entered(policy)
    assert granted(policy) == [holder]
    entered(policy, "default", now=0.1)
    assert not policy.wanted(holder, SLICE_SECONDS * 0.9)
    assert policy.wanted(holder, SLICE_SECONDS * 1.1)


def test_free_slots_are_spread_by_weight() -> None:
    policy = Policy(40, TENANTS)
    for tenant in ("a", "b"):
        for _ in range(100):
            entered(policy, tenant)
    names = [ticket.account.tenant.name for ticket in granted(policy)]
    assert (names.count("a"), names.count("b")) == (10, 30)


def test_quota_of_slots_binds_one_tenant_and_leaves_the_rest_to_others() -> None:
    policy = Policy(8, TENANTS)
    for _ in range(5):
        ticket = entered(policy, "capped")
        policy.ask(ticket, 0.0)
    wide = entered(policy)
    for _ in range(9):
        policy.ask(wide, 0.0)
    names = [ticket.account.tenant.name for ticket in granted(policy)]
    assert (names.count("capped"), names.count("a")) == (2, 6)
    assert not policy.wanted(wide, 5.0)  # nobody who waits may have what it would give back


def test_quota_of_slots_makes_widened_submissions_of_the_same_tenant_give_back() -> None:
    policy = Policy(8, TENANTS)
    wide = entered(policy, "capped")
    policy.ask(wide, 0.0)
    assert granted(policy) == [wide, wide]
    entered(policy, "capped")
    assert granted(policy) == []
    assert policy.wanted(wide, 0.0)


def test_time_in_which_nothing_was_asked_for_earns_no_credit() -> None:
    policy = Policy(1, TENANTS)
    now = 0.0
    for _ in range(1000):  # an hour and more of one tenant alone
        entered(policy, "a", now=now)
        [ticket] = granted(policy, now)
        now += 5.0
        policy.release(ticket, now)
    for _ in range(20):
        entered(policy, "a", now=now)
        entered(policy, "default", now=now)
    served = []
    for _ in range(20):
        [ticket] = granted(policy, now)
        served.append(ticket.account.tenant.name)
        now += 1.0
        policy.release(ticket, now)
    assert abs(served.count("a") - served.count("default")) <= 1


def test_deadline_in_the_queue() -> None:
    policy = Policy(1, TENANTS)
    late = policy.enter("a", INTERACTIVE, 0.0, deadline=3.0)
    policy.ask(late, 0.0)
    other = entered(policy)
    assert granted(policy, 3.0) == [other]
    assert (late.wanting, policy.queued) == (0, 0)
    policy.withdraw(late, 4.0)  # its task ends only now
    assert late.wanting == 0


def test_who_left_takes_no_room() -> None:
    policy = Policy(1, TENANTS)
    entered(policy)
    granted(policy)
    stays = [entered(policy) for _ in range(10)]
    for _ in range(2000):
        ticket = entered(policy)
        policy.withdraw(ticket, 0.0)
    line: Line = stays[0].flow.lines[Wish.FIRST]
    assert len(line._heap) < 100
    assert line.head() is stays[0]


CLASSES = st.sampled_from(list(Priority))
NAMES = st.sampled_from([tenant.name for tenant in TENANTS] + ["default"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    slots=st.integers(1, 6),
    weights=st.lists(st.sampled_from([0.5, 1.0, 2.0, 5.0]), min_size=2, max_size=4),
    seconds=st.lists(st.floats(0.01, 2.0), min_size=4, max_size=8),
)
def test_tenants_who_always_wait_get_slot_time_by_weight(
    slots: int, weights: Sequence[float], seconds: Sequence[float]
) -> None:
    tenants = [Tenant(name=str(number), weight=weight) for number, weight in enumerate(weights)]
    policy = Policy(slots, tenants)
    used = dict.fromkeys(policy.accounts, 0.0)
    now = 0.0
    running: list[tuple[float, int, Ticket]] = []
    for tenant in tenants:
        for _ in range(2 * slots):
            entered(policy, tenant.name)
    for number in range(600):
        for ticket in granted(policy, now):
            length = seconds[(number + ticket.arrival) % len(seconds)]
            running.append((now + length, ticket.arrival, ticket))
            used[ticket.account.tenant.name] += length
            entered(policy, ticket.account.tenant.name, now=now)
        running.sort()
        now, _, ended = running.pop(0)
        policy.release(ended, now)
    levels = [used[tenant.name] / tenant.weight for tenant in tenants]
    bound = 2 * slots * (max(seconds) + SLICE_SECONDS) / min(weights)
    assert max(levels) - min(levels) <= bound


@settings(max_examples=40, deadline=None)
@given(slots=st.integers(1, 4), urgent_seconds=st.floats(0.01, 1.0), width=st.integers(1, 20))
def test_training_does_not_starve_while_urgent_work_never_ends(slots: int, urgent_seconds: float, width: int) -> None:
    policy = Policy(slots, TENANTS)
    training = [entered(policy) for _ in range(5)]
    for _ in range(width + slots):
        entered(policy, priority=INTERACTIVE)
    now = 0.0
    running: list[tuple[float, int, Ticket]] = []
    left = set(training)
    share = CLASS_WEIGHTS[TRAINING] / (CLASS_WEIGHTS[TRAINING] + CLASS_WEIGHTS[INTERACTIVE])
    while left:
        for ticket in granted(policy, now):
            running.append((now + urgent_seconds, ticket.arrival, ticket))
            if ticket.flow.priority is INTERACTIVE:
                entered(policy, priority=INTERACTIVE, now=now)
        running.sort()
        now, _, ended = running.pop(0)
        policy.release(ended, now)
        left.discard(ended)
        assert now * slots <= (len(training) + 2 * slots + 2) * (urgent_seconds + SLICE_SECONDS) / share


class AnyOrder(RuleBasedStateMachine):
    """Submissions come, ask, get, give back, withdraw and run out of time in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.slots = 3
        self.policy = Policy(self.slots, TENANTS)
        self.now = 0.0
        self.tickets: list[Ticket] = []

    @rule(
        tenant=NAMES,
        priority=CLASSES,
        wishes=st.integers(1, 3),
        patience=st.sampled_from([math.inf, 0.5, 2.0]),
        expected=st.one_of(st.floats(0, 2 * MOST_EXPECTED_SECONDS), st.just(math.inf)),
    )
    def come(self, tenant: str, priority: Priority, wishes: int, patience: float, expected: float) -> None:
        ticket = self.policy.enter(tenant, priority, self.now, self.now + patience, expected)
        assert ticket.put_off == pytest.approx(
            min(
                LATER_PER_SECOND * min(expected, MOST_EXPECTED_SECONDS),
                LATER_PER_SECOND_AHEAD * self.ahead(ticket) / self.slots,
            )
        )
        self.tickets.append(ticket)
        for _ in range(wishes):
            self.policy.ask(ticket, self.now)
        self.grant_all()

    @precondition(lambda self: any(ticket.wanting for ticket in self.tickets))
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        ticket = data.draw(st.sampled_from([ticket for ticket in self.tickets if ticket.wanting]))
        self.policy.withdraw(ticket, self.now)
        self.grant_all()

    @precondition(lambda self: any(ticket.holding for ticket in self.tickets))
    @rule(data=st.data(), again=st.booleans())
    def release(self, data: st.DataObject, again: bool) -> None:
        ticket = data.draw(st.sampled_from([ticket for ticket in self.tickets if ticket.holding]))
        if again:
            self.policy.ask(ticket, self.now)
        self.policy.release(ticket, self.now)
        self.grant_all()

    @rule(seconds=st.sampled_from([0.01, 0.3, 1.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        for ticket in self.tickets:
            if ticket.holding:
                self.policy.wanted(ticket, self.now)  # asking changes nothing that the invariants see
        self.grant_all()

    def grant_all(self) -> None:
        """Grant what can be granted, each grant by the rules."""
        while (ticket := self.policy.grant(self.now)) is not None:
            assert ticket.deadline > self.now
            if ticket.holding > 1:
                eligible = [
                    other
                    for other in self.tickets
                    if other.wish is Wish.FIRST and other.deadline > self.now and other.account.may_hold()
                ]
                assert not eligible

    @invariant()
    def slots_add_up(self) -> None:
        held = sum(ticket.holding for ticket in self.tickets)
        assert held + self.policy.free == self.slots
        for account in self.policy.accounts.values():
            mine = [ticket for ticket in self.tickets if ticket.account is account]
            assert account.slots == sum(ticket.holding for ticket in mine)
            assert account.firsts == sum(ticket.wish is Wish.FIRST for ticket in mine)
            assert account.widens == sum(ticket.wish is Wish.WIDEN for ticket in mine)
            assert account.tenant.max_slots is None or account.slots <= account.tenant.max_slots

    def ahead(self, ticket: Ticket) -> float:
        """What those of the same tenant and class are expected to use yet that wait for their first slot, added up anew."""
        waiting = [other for other in self.tickets if other.flow is ticket.flow and other.wish is Wish.FIRST]
        return math.fsum(max(other.expected - other.used, 0.0) for other in waiting)

    @invariant()
    def what_waits_is_what_was_counted(self) -> None:
        for ticket in self.tickets:
            assert ticket.flow.ahead == pytest.approx(self.ahead(ticket), abs=1e-9)
            assert ticket.flow.firsts or not ticket.flow.ahead  # what is lost by rounding does not add up

    @invariant()
    def no_slot_idles_while_somebody_may_have_it(self) -> None:
        if self.policy.free:
            assert not [
                ticket
                for ticket in self.tickets
                if ticket.wanting and ticket.deadline > self.now and ticket.account.may_hold()
            ]

    @invariant()
    def lines_are_in_order(self) -> None:
        for account in self.policy.accounts.values():
            for flow in account.flows.values():
                waiting = [ticket for ticket in self.tickets if ticket.flow is flow and ticket.wish is Wish.FIRST]
                first = min(waiting, key=lambda ticket: (ticket.turn(self.now), ticket.arrival), default=None)
                assert flow.lines[Wish.FIRST].head() is first


AnyOrder.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestAnyOrder = AnyOrder.TestCase
