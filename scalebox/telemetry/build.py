"""Which build this is. Never fails: a tree that was not installed has no version."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def scalebox_version() -> str:
    """The installed version, or ``0+source`` where only the source tree is there."""
    try:
        return version("scalebox")
    except PackageNotFoundError:
        return "0+source"
