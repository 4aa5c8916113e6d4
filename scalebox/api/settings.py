"""What the HTTP service needs of the settings, as a port; ``scalebox.config.Settings`` fits it. Reads nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from pydantic import SecretStr


class ServiceSettings(Protocol):
    """The settings of the HTTP service."""

    def keys(self) -> Mapping[str, SecretStr]:
        """The keys that clients may show, by tenant; empty where everyone may."""
        ...

    @property
    def max_body_mb(self) -> int:
        """MiB of a request, or of one line of a batch."""
        ...

    @property
    def max_bodies_mb(self) -> int:
        """MiB of requests held together, from their first byte to their reply; at least ``max_body_mb`` is had."""
        ...

    @property
    def problems_memory_mb(self) -> int:
        """MiB of registered problems in memory, those in use and those used lately."""
        ...

    @property
    def log_programs(self) -> bool:
        """Whether sources and completions may be logged."""
        ...

    @property
    def node(self) -> str:
        """The name of this machine in replies."""
        ...
