"""Choose some of many, evenly. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(every: Sequence[T], most: int) -> list[T]:
    """So many at most, at equal distances, in order."""
    if len(every) <= most:
        return list(every)
    return [every[number * len(every) // most] for number in range(most)]
