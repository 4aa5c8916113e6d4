"""Who gets the next connection, and whose an id is."""

from __future__ import annotations

import socket
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.cells.dispatch import Load, bind, choose
from scalebox.cells.neighbours import rank
from scalebox.core.errors import ScaleBoxError

KEYS = [f"request-{number}" for number in range(2000)]


def dealt(slots: list[int], count: int) -> list[int]:
    """How many of ``count`` connections that stay open each cell gets."""
    loads = [Load(cell=cell, connections=0, slots=share, given_at=0) for cell, share in enumerate(slots)]
    for turn in range(count):
        cell = choose(loads)
        loads[cell] = replace(loads[cell], connections=loads[cell].connections + 1, given_at=turn + 1)
    return [load.connections for load in loads]


@given(cells=st.integers(1, 12), count=st.integers(0, 200))
def test_like_cells_differ_by_one_connection_at_most(cells: int, count: int) -> None:
    shares = dealt([16] * cells, count)
    assert max(shares) - min(shares) <= 1


def test_cells_get_connections_by_their_slots() -> None:
    assert dealt([16, 8, 8], 64) == [32, 16, 16]


def test_short_connections_take_turns() -> None:
    loads = [Load(cell=cell, connections=0, slots=4, given_at=0) for cell in range(3)]
    given_to = []
    for turn in range(6):
        cell = choose(loads)
        given_to.append(cell)
        loads[cell] = replace(loads[cell], given_at=turn + 1)  # it has ended before the next one comes
    assert given_to == [0, 1, 2, 0, 1, 2]


def test_an_address_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ScaleBoxError, match=rf"cannot listen on 127\.0\.0\.1:{port} .*--port"):
            bind("127.0.0.1", port)


def test_a_name_with_two_addresses_has_one_port() -> None:
    opened = bind("localhost", 0)
    try:
        assert len({listener.getsockname()[1] for listener in opened}) == 1
    finally:
        for listener in opened:
            listener.close()


def test_ids_are_spread_evenly() -> None:
    held = Counter(rank(key, range(4))[0] for key in KEYS)
    assert all(400 < held[cell] < 600 for cell in range(4))


def test_a_cell_that_goes_moves_its_own_ids_only() -> None:
    for key in KEYS:
        before, after = rank(key, [0, 1, 2, 3])[0], rank(key, [0, 2, 3])[0]
        assert before in {1, after}
