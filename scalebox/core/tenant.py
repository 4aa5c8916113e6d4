"""Whose requests are whose: a tenant, its share and its quotas. Holds no key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEFAULT_TENANT: Final = "default"
"""Of everybody who has no key of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """One of several who share the slots."""

    name: str
    weight: float = 1.0
    """Of two tenants who both wait, one of weight 2 gets twice the slot time of one of weight 1."""
    max_slots: int | None = None
    """Most slots held at once."""
    max_queued: int | None = None
    """Most submissions here at once, running ones included."""
