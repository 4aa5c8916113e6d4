"""How many cells a server has, on which CPUs, with how many slots. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.cells.topology import Cpu
from scalebox.core.errors import ScaleBoxError

CPUS_PER_CELL: Final = 8
"""What one process can keep busy with cases of 5 ms: docs/deployment.md has the figures, ``benchmarks/cell_cost.py`` makes them."""


class TooManyCells(ScaleBoxError):
    """More cells are demanded than there is work for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPlan:
    """One cell: its number, its CPUs and how many programs it runs at once."""

    number: int
    cpus: tuple[int, ...]
    slots: int


def plan(cpus: Sequence[Cpu], usable: int, *, cells: int | None, slots: int | None) -> list[CellPlan]:
    """The cells of a server.

    Args:
        cpus: that may be used, at least one.
        usable: how many of them at a time: their number, or less where a quota says so.
        cells: how many are demanded; None chooses.
        slots: how many programs may run at once, in all cells together; None means ``usable``.

    Raises:
        TooManyCells: some would have no CPU or no slot.
    """
    total = usable if slots is None else slots
    wanted = _fitting(min(usable, total)) if cells is None else cells
    if wanted > len(cpus):
        msg = f"--cells {wanted} is more than the {len(cpus)} CPUs that may be used here; give --cells {len(cpus)} or less, or auto"
        raise TooManyCells(msg)
    if wanted > total:
        msg = f"--cells {wanted} is more than the {total} slots there are; give --cells {total} or less, or --slots {wanted} or more"
        raise TooManyCells(msg)
    groups = split(cpus, wanted)
    shares = apportion(total, [len(group) for group in groups])
    return [
        CellPlan(number=number, cpus=tuple(sorted(cpu.number for cpu in group)), slots=share)
        for number, (group, share) in enumerate(zip(groups, shares, strict=True))
    ]


def _fitting(cpus: int) -> int:
    return max(1, (cpus + CPUS_PER_CELL // 2) // CPUS_PER_CELL)


def split(cpus: Sequence[Cpu], parts: int) -> list[list[Cpu]]:
    """Divide CPUs into parts that share as little as can be: no part of two nodes, no core of two parts, where that is possible.

    Args:
        cpus: at least ``parts``.
        parts: how many, at least one.
    """
    nodes = [list(group) for _, group in itertools.groupby(sorted(cpus), key=lambda cpu: cpu.node)]
    if parts < len(nodes):
        return _gather(nodes, parts)
    shares = apportion(parts, [len(node) for node in nodes])
    return [part for node, share in zip(nodes, shares, strict=True) for part in _cut(node, share)]


def _gather(nodes: Sequence[list[Cpu]], parts: int) -> list[list[Cpu]]:
    """Whole nodes to fewer parts, the largest node to the smallest part."""
    gathered: list[list[Cpu]] = [[] for _ in range(parts)]
    for node in sorted(nodes, key=len, reverse=True):
        min(gathered, key=len).extend(node)
    return gathered


def _cut(node: Sequence[Cpu], parts: int) -> list[list[Cpu]]:
    """One node into even parts; threads of a core are parted only where there are fewer cores than parts."""
    cores = [list(group) for _, group in itertools.groupby(node, key=lambda cpu: (cpu.package, cpu.cache, cpu.core))]
    units = cores if len(cores) >= parts else [[cpu] for cpu in node]
    bounds = [len(units) * part // parts for part in range(parts + 1)]
    return [list(itertools.chain(*units[low:high])) for low, high in itertools.pairwise(bounds)]


def apportion(total: int, weights: Sequence[int]) -> list[int]:
    """Divide ``total`` in proportion to weights, at least one each and none more than its weight while others can take it.

    Args:
        total: at least as much as there are weights.
        weights: positive.
    """
    shares = [1] * len(weights)
    for _ in range(total - len(weights)):
        needy = min(range(len(weights)), key=lambda index: (shares[index] + 1) / weights[index])
        shares[needy] += 1
    return shares
