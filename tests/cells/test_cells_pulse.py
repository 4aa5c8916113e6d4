"""When a cell is held to be stuck."""

from __future__ import annotations

import pytest

from scalebox.cells.pulse import Pulse


@pytest.mark.parametrize(
    ("counts", "stuck"),
    [
        ([1, 2, 3, 4, 5, 6], [False] * 6),
        ([1, 1, 1, 2, 2, 2, 3], [False] * 7),  # late, but alive
        ([7, 7, 7, 7], [False, False, False, True]),
        ([0, 0, 0, 0], [False, False, False, True]),  # it never counted
        ([1, 1, 1, 2, 2, 2, 2], [False] * 6 + [True]),
    ],
)
def test_a_cell_is_stuck_when_its_count_stands_still(counts: list[int], stuck: list[bool]) -> None:
    pulse = Pulse(3)
    assert [pulse.is_stuck(count) for count in counts] == stuck
