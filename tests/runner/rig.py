"""One slot, driven directly: the least there can be between a test and a box. Has no opinion on right or wrong."""

from __future__ import annotations

import asyncio
import contextlib
import os
import textwrap
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from scalebox.assembly import Engine, open_engine
from scalebox.config import Settings
from scalebox.core.limits import MIB, Limits
from scalebox.core.result import CompileResult, RunResult
from scalebox.languages.definition import Language
from scalebox.runner.program import Program
from scalebox.runner.runner import Input
from scalebox.runner.slot import Slot, tree_of
from scalebox.sandbox import cgroup

LIMITS: Final = Limits(cpu_seconds=5, memory_bytes=256 * MIB)
NEEDS_ROOT: Final = pytest.mark.skipif(
    os.geteuid() != 0, reason="tells of a slot that root started; test_runner_unprivileged tells of an ordinary user's"
)

MODES: Final[Mapping[str, Settings]] = {
    "strict": Settings(slots=1, isolation="strict"),
    "strict-watchdog": Settings(slots=1, isolation="strict", cgroup="off"),
    "standard": Settings(slots=1, isolation="standard"),
    "standard-watchdog": Settings(slots=1, isolation="standard", cgroup="off"),
    "none": Settings(slots=1, isolation="none"),
}
"""Every way in which a box is bounded."""

UNAIDED: Final = "strict-unaided"
"""As strict, but that no slot is sent the library: parents do everything in Python, as where there is no compiler."""

_PATIENCE_SECONDS: Final = 20.0


class Rig:
    """An engine of one slot, and short ways to use it."""

    def __init__(self, engine: Engine, mode: str) -> None:
        self.engine = engine
        self.mode = mode

    @property
    def strict(self) -> bool:
        """Whether boxes have their own namespaces."""
        return self.engine.walls.level == "strict"

    def language(self, name: str) -> Language:
        """A language that the engine knows."""
        language = self.engine.catalogue.get(name)
        assert language is not None
        return language

    async def make(self, source: str | bytes, language: str = "python") -> Program | CompileResult:
        """Compile a source."""
        text = textwrap.dedent(source).encode() if isinstance(source, str) else source
        async with self.engine.pool.lease() as pair:
            return await self.engine.runner.compile(pair, self.language(language), text, LIMITS)

    async def program(self, source: str | bytes, language: str = "python") -> Program:
        """Compile a source that compiles."""
        made = await self.make(source, language)
        assert isinstance(made, Program), made.message
        return made

    async def run(
        self,
        source: str | bytes | Program,
        stdin: bytes = b"",
        *,
        limits: Limits = LIMITS,
        args: Sequence[str] = (),
        files: Mapping[str, bytes] | None = None,
        fetch: Sequence[str] = (),
        language: str = "python",
    ) -> RunResult:
        """Compile a source, which must succeed, and run it."""
        program = source if isinstance(source, Program) else await self.program(source, language)
        async with self.engine.pool.lease() as pair:
            return await self.engine.runner.run(
                pair, program, Input(stdin=stdin, args=args, files=files, fetch=fetch), limits
            )

    async def slot(self) -> Slot:
        """The slot that runs programs, leased or not."""
        [pair] = self.engine.pool._pairs
        return await pair.main()


@contextlib.asynccontextmanager
async def open_rig(mode: str) -> AsyncGenerator[Rig, None]:
    """A rig, leased."""
    async with open_engine(MODES["strict" if mode == UNAIDED else mode]) as engine:
        if mode == UNAIDED and engine.slots.native is not None:
            engine.slots.native._file = None
        yield Rig(engine, mode)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition that is bound to come true."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not condition():  # ruff: ignore[async-busy-wait] - what is waited for happens in other processes
            await asyncio.sleep(0.002)


def boxes_of(slot: Slot, rig: Rig) -> list[int]:
    """The processes of the box that runs."""
    return tree_of(slot.pid)[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """What the service holds on the machine."""

    descriptors: int
    threads: int
    processes: int
    groups: int
    mounts: int


def _is_program(descriptor: str) -> bool:
    """Whether a descriptor belongs to a program, which the cache keeps on purpose."""
    try:
        target = os.readlink(f"/proc/self/fd/{descriptor}")
    except FileNotFoundError:  # of the listing itself
        return True
    return target.startswith(("/memfd:main", "/memfd:code"))


def footprint() -> Footprint:
    """Count what could leak."""
    found = cgroup.locate()
    groups = (
        0
        if found is None
        else len([name for name in os.listdir(found[1]) if name.startswith(f"scalebox-{os.getpid()}-")])
    )
    return Footprint(
        descriptors=sum(not _is_program(fd) for fd in os.listdir("/proc/self/fd")),
        threads=sum(not thread.name.startswith("asyncio_") for thread in threading.enumerate()),
        processes=len(tree_of(os.getpid())),
        groups=groups,
        mounts=len(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()),
    )
