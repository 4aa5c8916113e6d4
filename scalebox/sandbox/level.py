"""Isolation levels and the walls each is made of; what a slot is told to put up. Pure values, no probing here."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class Level(enum.StrEnum):
    """How strongly a box is isolated, strongest first."""

    STRICT = "strict"
    """Own namespaces, minimal file system, seccomp, landlock, limits."""
    STANDARD = "standard"
    """What an unprivileged process without namespaces can have: landlock, seccomp, limits, watchdog, reaper."""
    NONE = "none"
    """Limits and the reaper only; by explicit choice, for programs one trusts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """What this machine grants, found by trying."""

    level: Level
    user_namespace: bool
    """Namespaces are had through a user namespace of our own (the service is not root)."""
    change_uid: bool
    """Every slot's programs get a uid of their own."""
    landlock_abi: int
    """0 where there is none."""
    seccomp: bool
    cgroup: bool
    missing: Mapping[str, str]
    """Wall -> why it is not up."""

    def names(self) -> Sequence[str]:
        """The walls that are up, by name, in a fixed order."""
        strict = self.level is Level.STRICT
        isolated = self.level is not Level.NONE
        present = {
            "pid": strict,
            "ipc": strict,
            "network": strict,
            "mount": strict,
            "user": strict and self.user_namespace,
            "uid": self.change_uid,
            "landlock": isolated and self.landlock_abi > 0,
            "seccomp": isolated and self.seccomp,
            "rlimits": True,
            "cgroup": self.cgroup,
            "watchdog": not self.cgroup,
            "reaper": strict or "reaper" not in self.missing,
        }
        return tuple(name for name, up in present.items() if up)
