"""One box's run from the service's side: what it is told, its file in the work folder, what is read out afterwards.

Shared by what compiles (`compiler.py`) and what runs (`runner.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

from scalebox.core.errors import SandboxError
from scalebox.core.limits import MIB, Limits
from scalebox.runner.memory_file import Channel, MemoryFile
from scalebox.runner.pipes import PipeEnd
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program, manifest
from scalebox.runner.slot import Job, Outcome, Slot

T = TypeVar("T")

_FILE_HEADER: Final = 14


async def twice(pair: Pair, once: Callable[[Slot], Awaitable[T]]) -> T:
    """Run on a sound slot; when the slot fails, on another, once."""
    try:
        return await once(await pair.main())
    except SandboxError:
        return await once(await pair.main())


async def run_placed(slot: Slot, program: Program, job: Job) -> Outcome:
    """Run a job with the program's file in the work folder."""
    if slot.placed is not program.file:
        job.place = program.place
    # A folder that is kept is for the fetch that follows; should there be none, the next program is placed anew all the same.
    slot.placed = None if job.keep else program.file
    job.needs |= program.needs
    return await slot.run(job)


async def fetch(slot: Slot, names: Sequence[str], limit: int) -> Mapping[str, bytes]:
    """Read regular files out of the work folder, by a box of its own; a name that ends in a slash stands for all below a folder."""
    with Channel("files") as channel:
        limits = Limits(cpu_seconds=10, disk_bytes=limit + MIB)
        await slot.run(make_job(manifest({"mode": "fetch", "names": list(names)}), limits, value=channel.fd))
        return _unpack_files(channel.read(limit + MIB), names)


def make_job(
    told: MemoryFile | None,
    limits: Limits,
    *,
    stdin: MemoryFile | PipeEnd | None = None,
    code: MemoryFile | None = None,
    value: int | None = None,
    channel: int | None = None,
    keep: bool = False,
    wall: float | None = None,
    needs: int = 0,
) -> Job:
    """A job with an empty standard input and the limits' own wall time where nothing else is said."""
    return Job(
        manifest=told,
        stdin=stdin or MemoryFile("stdin", b""),
        limits=limits,
        wall_seconds=limits.wall if wall is None else wall,
        code=code,
        value=value,
        channel=channel,
        keep=keep,
        needs=needs,
    )


def _unpack_files(data: bytes, names: Sequence[str]) -> Mapping[str, bytes]:
    """Index, length of the path below it, size, path, content of each; what is malformed ends the list, since a box wrote it."""
    found: dict[str, bytes] = {}
    offset = 0
    while len(data) - offset >= _FILE_HEADER:
        index = int.from_bytes(data[offset : offset + 4], "little")
        length = int.from_bytes(data[offset + 4 : offset + 6], "little")
        size = int.from_bytes(data[offset + 6 : offset + _FILE_HEADER], "little")
        offset += _FILE_HEADER
        if index >= len(names) or length + size > len(data) - offset or bool(length) != names[index].endswith("/"):
            break
        below = data[offset : offset + length].decode("utf-8", "replace")
        offset += length
        found[names[index] + below] = data[offset : offset + size]
        offset += size
    return found
