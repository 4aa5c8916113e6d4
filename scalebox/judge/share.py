"""What each of several who share the slots has had, and who is next. Pure: the time is an argument.

Start-time fair queueing over slot seconds. Each share has a *level*: the slot seconds it has used, divided by its weight.
The lowest claim is served first, so levels rise together, each share at a speed that is its weight. Who comes back after a
pause starts at the level of the others: time in which it asked for nothing earns no credit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

SLICE_SECONDS: Final = 0.1
"""What a slot that is held counts as to come, which spreads slots that are free at the same moment by weight; and what a
submission that holds one may use of it before another of its urgency gets in."""


@dataclass(eq=False, slots=True, kw_only=True)
class Share:
    """The part of one tenant, or of one class of a tenant's submissions."""

    weight: float
    slots: int = 0
    """Held now."""
    firsts: int = 0
    """Submissions that wait for their first slot."""
    widens: int = 0
    """Submissions that hold slots and would take more."""
    _level: float = field(default=0.0, init=False)
    _settled: float = field(default=0.0, init=False)
    """The time up to which the level is reckoned."""

    def level(self, now: float) -> float:
        """Slot seconds used so far over the weight."""
        return self._level + self.slots * (now - self._settled) / self.weight

    def claim(self, now: float, released: int = 0) -> float:
        """The order of shares, lowest first; what is held now counts for a slice more.

        Args:
            now: seconds.
            released: slots to leave out.
        """
        return self.level(now) + (self.slots - released) * SLICE_SECONDS / self.weight

    def hold(self, more: int, now: float) -> None:
        """Hold so many slots more, or fewer."""
        self._level = self.level(now)
        self._settled = now
        self.slots += more

    def catch_up(self, level: float, now: float) -> None:
        """Be at this level at least."""
        self._level = max(self.level(now), level)
        self._settled = now


class Level:
    """Where those who share stand: the level of the last that was served. Never falls."""

    def __init__(self) -> None:
        self._served = 0.0

    def serve(self, share: Share, now: float) -> None:
        """Note that a share gets a slot."""
        self._served = max(self._served, share.level(now))

    def join(self, share: Share, others: Iterable[Share], now: float) -> None:
        """Bring up a share that begins to wait to where the others stand."""
        busy = [other.level(now) for other in others if other is not share and (other.slots or other.firsts)]
        share.catch_up(max(self._served, min(busy, default=0.0)), now)
