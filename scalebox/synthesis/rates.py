"""How often a judge is right, and how sure that is: true positive and true negative rates with intervals. Pure.

The intervals are E. B. Wilson's score intervals ("Probable inference, the law of succession, and statistical inference", Journal
of the American Statistical Association 22, 1927, 209-212), which stay within 0 and 1 and say something useful where a judge made no
mistake at all. They take the outputs for independent; outputs of one problem are not quite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

Z_95: Final = 1.959963984540054
"""The standard normal quantile of 0.975: intervals of 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share that was counted."""

    hits: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.total:
            msg = f"{self.hits} of {self.total} is no share"
            raise ValueError(msg)

    def __add__(self, other: Rate) -> Rate:
        """Both counted together."""
        return Rate(hits=self.hits + other.hits, total=self.total + other.total)

    @property
    def share(self) -> float | None:
        """None where nothing was counted."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval of 95 %; None where nothing was counted."""
        return wilson(self.hits, self.total) if self.total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What a judge made of outputs whose worth is known."""

    right: Rate
    """Of the right outputs, those it accepted: the true positive rate."""
    wrong: Rate
    """Of the wrong outputs, those it refused: the true negative rate."""
    broken: int = 0
    """Outputs over which it broke. They are missing among the hits on either side."""
    measured_on: str = ""
    """Which outputs, in words."""


def rate_body(rate: Rate) -> dict[str, object]:
    """A rate with its interval, as JSON shows it."""
    interval = rate.interval
    return {
        "hits": rate.hits,
        "total": rate.total,
        "share": rate.share,
        "interval": None if interval is None else list(interval),
    }


def wilson(hits: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """The score interval of a share.

    Args:
        hits: how often it happened.
        total: of how many; at least one.
        z: quantile of the standard normal distribution.
    """
    share = hits / total
    denominator = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / denominator
    half = z / denominator * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (0.0 if hits == 0 else max(0.0, middle - half), 1.0 if hits == total else min(1.0, middle + half))
