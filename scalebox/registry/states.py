"""The states of a judge and the moves between them. A closed table: a move that is not in it is refused with the reason. Pure."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scalebox.core.errors import RequestError


class State(enum.StrEnum):
    """How far a judge has come."""

    DRAFT = "draft"
    """Nobody has proved it."""
    VALIDATED = "validated"
    """Proved, and not in use."""
    ACTIVE = "active"
    """In use for its problem: at most one."""
    RETIRED = "retired"
    """Not to be used any more; its history stays."""


class Move(enum.StrEnum):
    """What is done to a judge."""

    VALIDATE = "validate"
    ACTIVATE = "activate"
    RETIRE = "retire"
    RESTORE = "restore"
    """Into use again, by a rollback only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """From where a move may start, and where it ends."""

    starts: frozenset[State]
    end: State
    advice: str
    """What to do where it may not."""


RULES: Final[Mapping[Move, Rule]] = MappingProxyType({
    Move.VALIDATE: Rule(
        starts=frozenset({State.DRAFT}), end=State.VALIDATED, advice="only a draft is still to be proved"
    ),
    Move.ACTIVATE: Rule(
        starts=frozenset({State.VALIDATED}),
        end=State.ACTIVE,
        advice="prove a draft first (scalebox judges evaluate --record --min-tpr … --min-tnr …, or synthesize); `rollback` brings a retired one back",
    ),
    Move.RETIRE: Rule(
        starts=frozenset({State.DRAFT, State.VALIDATED, State.ACTIVE}),
        end=State.RETIRED,
        advice="a retired judge stays retired",
    ),
    Move.RESTORE: Rule(
        starts=frozenset({State.RETIRED}), end=State.ACTIVE, advice="only what was in use before can be rolled back to"
    ),
})


class IllegalMove(RequestError):
    """The state of a judge does not allow that."""


def after(state: State, move: Move, judge_id: str) -> State:
    """The state of a judge after a move.

    Raises:
        IllegalMove: the table has no such move.
    """
    rule = RULES[move]
    if state in rule.starts:
        return rule.end
    allowed = " or ".join(sorted(start.value for start in rule.starts))
    message = f"judge {judge_id} is {state}; to {move} one it must be {allowed}"
    raise IllegalMove(message, field="judge", hint=rule.advice, code="illegal_transition")
