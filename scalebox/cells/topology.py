"""The CPUs of this machine as the kernel describes them. Reads ``/sys``; decides nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CPUS: Final = Path("/sys/devices/system/cpu")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cpu:
    """One logical CPU. Sorted CPUs have near ones side by side."""

    node: int
    """Whose memory is near."""
    package: int
    cache: int
    """Those with the same number share the last-level cache."""
    core: int
    """Those with the same number in a package are hardware threads of one core."""
    number: int


def read(numbers: Iterable[int] | None = None, root: Path = _CPUS) -> list[Cpu]:
    """Describe CPUs, near ones side by side. What the kernel does not tell counts as the same for all.

    Args:
        numbers: which; default those that this process may use.
        root: the folder of the kernel's description.
    """
    wanted = os.sched_getaffinity(0) if numbers is None else numbers
    return sorted(_cpu(number, root / f"cpu{number}") for number in wanted)


def _cpu(number: int, folder: Path) -> Cpu:
    nodes = [int(path.name[4:]) for path in folder.glob("node[0-9]*")]
    return Cpu(
        node=min(nodes, default=0),
        package=_number(folder / "topology" / "physical_package_id", 0),
        cache=_number(folder / "cache" / "index3" / "id", 0),
        core=_number(folder / "topology" / "core_id", number),
        number=number,
    )


def _number(path: Path, default: int) -> int:
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text(encoding="ascii"))
    return default
