"""When somebody who found no room may come again. Pure: the time is an argument.

Room is made by those who leave, so each who is refused is told of a moment of its own, one departure after the other: those
who come back when they were told to find room, and do not all come at once.
"""

from __future__ import annotations

from typing import Final

_LEAST_SECONDS: Final = 1.0
_MOST_SECONDS: Final = 60.0
_NEWEST: Final = 0.1
"""What the newest interval counts in the mean."""


class Pace:
    """How fast those who are here leave."""

    def __init__(self) -> None:
        self._here = 0
        self._last = 0.0
        self._interval: float | None = None
        self._promised = 0.0

    @property
    def here(self) -> int:
        """Who came and has not left."""
        return self._here

    def come(self, now: float) -> None:
        """Count one who is let in. The time in which nobody was here is nobody's interval."""
        if not self._here:
            self._last = now
        self._here += 1

    def leave(self, now: float) -> None:
        """Count one who leaves."""
        self._here -= 1
        interval, self._last = now - self._last, now
        known = interval if self._interval is None else self._interval
        self._interval = known + _NEWEST * (interval - known)

    def promise(self, now: float) -> float:
        """Seconds until there should be room for one who is refused now."""
        known = _LEAST_SECONDS if self._interval is None else self._interval
        interval = max(known, now - self._last)  # nobody has left for longer than usual
        latest = now + _MOST_SECONDS
        self._promised = min(max(self._promised, now) + interval, latest)
        return max(_LEAST_SECONDS, self._promised - now)
