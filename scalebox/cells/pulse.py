"""Whether a cell that lives still does anything: its event loop counts, and its supervisor looks whether the count moves. Pure.

The supervisor counts its own looks, not the clock: on a machine so busy that the supervisor is late too, or that slept, nobody is taken
for stuck.
"""

from __future__ import annotations

from typing import Final

BEAT_SECONDS: Final = 1.0
"""How often a cell counts, and its supervisor looks."""


class Pulse:
    """Of one life of a cell.

    Args:
        patience: looks in a row without news after which it is held to be stuck.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._last = -1
        self._silent = 0

    def is_stuck(self, count: int) -> bool:
        """Look once.

        Args:
            count: what the cell has counted up to.
        """
        self._silent = 0 if count != self._last else self._silent + 1
        self._last = count
        return self._silent >= self._patience
