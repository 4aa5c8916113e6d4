"""Limits that a row states in words, with their unit: ``2 seconds``, ``256 megabytes``. A bare number has no unit, so it is not read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from scalebox.core.limits import MIB, Limits
from scalebox.rows.fields import Tree, dig

_PLACES: Final = ("", "metadata.", "extra_info.")
_SECONDS: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:s|sec|secs|seconds?)\.?\s*", re.IGNORECASE)
_MEGABYTES: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:mb|mib|megabytes?)\.?\s*", re.IGNORECASE)


def stated_limits(tree: Tree, default: Limits) -> Limits:
    """The default limits, with the time and memory that a row states."""
    limits = default
    seconds = _number(tree, "time_limit", _SECONDS)
    if seconds:
        limits = replace(limits, cpu_seconds=seconds, wall_seconds=None)
    megabytes = _number(tree, "memory_limit", _MEGABYTES)
    if megabytes:
        limits = replace(limits, memory_bytes=round(megabytes * MIB))
    return limits


def _number(tree: Tree, name: str, form: re.Pattern[str]) -> float | None:
    for place in _PLACES:
        value = dig(tree, place + name)
        found = form.fullmatch(value) if isinstance(value, str) else None
        if found is not None:
            return float(found[1])
    return None
