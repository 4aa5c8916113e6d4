"""How CPUs and slots are divided over described machines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.cells.split import CellPlan, TooManyCells, apportion, plan, split
from scalebox.cells.topology import Cpu, read


def machine(*, nodes: int = 1, cores: int, threads: int = 1, caches: int = 1) -> list[Cpu]:
    """A machine of ``cores`` a node, numbered as Linux does: first threads of all cores first."""
    whole = nodes * cores
    return [
        Cpu(
            node=core // cores,
            package=core // cores,
            cache=core * caches // whole,
            core=core,
            number=core + whole * thread,
        )
        for core in range(whole)
        for thread in range(threads)
    ]


MACHINES = st.builds(
    machine, nodes=st.integers(1, 4), cores=st.integers(1, 24), threads=st.integers(1, 2), caches=st.integers(1, 4)
)


def slots(plans: Sequence[CellPlan]) -> list[int]:
    return [one.slots for one in plans]


@pytest.mark.parametrize(
    ("cpus", "usable", "expected"),
    [
        (machine(cores=1), 1, [1]),
        (machine(cores=2), 2, [2]),
        (machine(cores=11), 11, [11]),
        (machine(cores=12), 12, [6, 6]),
        (machine(cores=32, threads=2), 64, [8] * 8),
        (machine(nodes=2, cores=16, threads=2), 64, [8] * 8),
        (machine(nodes=2, cores=48, threads=2), 192, [8] * 24),
        (machine(cores=32, threads=2), 3, [3]),  # a quota of 3.5
        (machine(cores=32, threads=2), 32, [8] * 4),  # a quota of 32
    ],
)
def test_the_automatic_choice(cpus: list[Cpu], usable: int, expected: list[int]) -> None:
    assert slots(plan(cpus, usable, cells=None, slots=None)) == expected


def test_a_few_slots_need_one_cell_only() -> None:
    assert slots(plan(machine(cores=64), 64, cells=None, slots=8)) == [8]


def test_threads_of_a_core_stay_together() -> None:
    for part in split(machine(cores=32, threads=2), 4):
        assert len(part) == 16
        assert {cpu.number % 32 for cpu in part} == {cpu.core for cpu in part}
        assert len({cpu.core for cpu in part}) == 8


def test_a_cell_stays_on_one_node() -> None:
    parts = split(machine(nodes=2, cores=16, threads=2), 4)
    assert [{cpu.node for cpu in part} for part in parts] == [{0}, {0}, {1}, {1}]


def test_fewer_cells_than_nodes_take_whole_nodes() -> None:
    parts = split(machine(nodes=4, cores=4), 2)
    assert sorted(sorted({cpu.node for cpu in part}) for part in parts) in (
        [[0, 2], [1, 3]],
        [[0, 3], [1, 2]],
        [[0, 1], [2, 3]],
    )
    assert [len(part) for part in parts] == [8, 8]


def test_cells_that_do_not_divide_over_nodes_get_slots_by_their_cpus() -> None:
    plans = plan(machine(nodes=2, cores=16), 32, cells=3, slots=None)
    assert [(len(one.cpus), one.slots) for one in plans] == [(8, 8), (8, 8), (16, 16)]


def test_caches_are_not_parted_where_they_need_not_be() -> None:
    parts = split(machine(cores=32, caches=4), 4)
    assert [len({cpu.cache for cpu in part}) for part in parts] == [1, 1, 1, 1]


def test_threads_are_parted_where_there_are_not_cores_enough() -> None:
    assert [[cpu.number for cpu in part] for part in split(machine(cores=1, threads=2), 2)] == [[0], [1]]


def test_an_affinity_with_holes() -> None:
    cpus = [cpu for cpu in machine(nodes=2, cores=8) if cpu.number in {1, 2, 3, 9, 15}]
    assert [one.cpus for one in plan(cpus, 5, cells=2, slots=None)] == [(1, 2, 3), (9, 15)]


def test_fewer_slots_than_cpus_are_shared_out() -> None:
    assert slots(plan(machine(cores=8), 8, cells=2, slots=3)) == [2, 1]


def test_more_slots_than_cpus_are_shared_out() -> None:
    assert slots(plan(machine(cores=2), 2, cells=2, slots=9)) == [5, 4]


@pytest.mark.parametrize(
    ("cells", "slots_", "words"),
    [
        (3, None, "--cells 3 is more than the 2 CPUs that may be used here; give --cells 2 or less, or auto"),
        (2, 1, "--cells 2 is more than the 1 slots there are; give --cells 1 or less, or --slots 2 or more"),
    ],
)
def test_too_many_cells(cells: int, slots_: int | None, words: str) -> None:
    with pytest.raises(TooManyCells) as caught:
        plan(machine(cores=2), 2, cells=cells, slots=slots_)
    assert str(caught.value) == words


@given(cpus=MACHINES, data=st.data())
def test_every_cpu_has_one_cell(cpus: list[Cpu], data: st.DataObject) -> None:
    parts = split(cpus, data.draw(st.integers(1, len(cpus))))
    assert all(parts)
    assert sorted(cpu for part in parts for cpu in part) == sorted(cpus)


@given(cpus=MACHINES, data=st.data())
def test_parts_of_a_node_differ_by_one_core_at_most(cpus: list[Cpu], data: st.DataObject) -> None:
    nodes = {cpu.node for cpu in cpus}
    parts = split(cpus, data.draw(st.integers(len(nodes), len(cpus))))
    for node in nodes:
        sizes = [len(part) for part in parts if part[0].node == node]
        assert max(sizes) - min(sizes) <= 2  # one core of two threads
    assert all(len({cpu.node for cpu in part}) == 1 for part in parts)


@given(weights=st.lists(st.integers(1, 200), min_size=1, max_size=20), data=st.data())
def test_shares_add_up_and_fill_before_they_overflow(weights: list[int], data: st.DataObject) -> None:
    total = data.draw(st.integers(len(weights), 2 * sum(weights)))
    shares = apportion(total, weights)
    assert sum(shares) == total
    assert min(shares) >= 1
    if total <= sum(weights):
        assert all(share <= weight for share, weight in zip(shares, weights, strict=True))


def test_the_kernel_describes_cpus(tmp_path: Path) -> None:
    for number, (node, core) in {0: (0, 0), 1: (1, 4), 2: (0, 0)}.items():
        folder = tmp_path / f"cpu{number}"
        (folder / "topology").mkdir(parents=True)
        (folder / f"node{node}").mkdir()
        (folder / "topology" / "core_id").write_text(f"{core}\n")
        (folder / "topology" / "physical_package_id").write_text(f"{node}\n")
    assert [(cpu.node, cpu.core, cpu.number) for cpu in read([0, 1, 2], tmp_path)] == [(0, 0, 0), (0, 0, 2), (1, 4, 1)]


def test_what_the_kernel_does_not_tell_is_the_same_for_all(tmp_path: Path) -> None:
    assert read([3, 1], tmp_path) == [
        Cpu(node=0, package=0, cache=0, core=1, number=1),
        Cpu(node=0, package=0, cache=0, core=3, number=3),
    ]
