"""When to try again: pure decisions. Only what is safe to repeat is, and never past the deadline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RETRIED: Final = frozenset({429, 502, 503, 504})
"""Replies that say nothing about the request itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Pauses between attempts, in seconds."""

    first_pause: float = 0.2
    longest_pause: float = 5.0

    def pause(self, attempt: int, *, jitter: float, retry_after: float | None) -> float:
        """How long to wait after failed attempt number ``attempt``.

        Args:
            attempt: from 0.
            jitter: between 0 and 1; spreads clients that failed together.
            retry_after: what the server asked for, in seconds.
        """
        grown = min(self.longest_pause, self.first_pause * 2.0 ** min(attempt, 30))
        pause = grown * (0.5 + jitter / 2)
        return pause if retry_after is None else max(pause, retry_after)


def may_retry(status: int, *, left_seconds: float, pause: float) -> bool:
    """True where another attempt can help and still ends in time."""
    return status in RETRIED and pause < left_seconds
