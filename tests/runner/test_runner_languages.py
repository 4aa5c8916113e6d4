"""What definitions may say is done: packed folders, what a run is told of its limits, what a runtime says of its end, our own files."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from runner.rig import LIMITS, Rig

from scalebox.core.limits import MIB
from scalebox.core.result import CompileResult, Exceeded, RunResult
from scalebox.languages.definition import CompileSpec, Language, Runtime
from scalebox.runner.program import Program
from scalebox.runner.runner import Input

pytestmark = pytest.mark.sandbox

LEAVE = """
mkdir -p out/deep
cat main.sh > out/deep/copy
ln -s /etc/passwd out/link
ln -s /etc out/folder
mkfifo out/pipe
echo made
"""
SPEC = CompileSpec(command=("sh", "{source}"), artifact="main.zip", pack="out", memory_mb=256, processes=16, disk_mb=16)


async def program_of(rig: Rig, language: Language, source: str) -> Program:
    async with rig.engine.pool.lease() as pair:
        made = await rig.engine.runner.compile(pair, language, source.encode(), LIMITS)
    assert not isinstance(made, CompileResult), made.message
    return made


async def run_of(rig: Rig, language: Language, source: str = "") -> RunResult:
    program = await program_of(rig, language, source)
    async with rig.engine.pool.lease() as pair:
        return await rig.engine.runner.run(pair, program, Input(), LIMITS)


async def test_a_folder_is_packed_with_its_plain_files_alone(rig: Rig) -> None:
    language = replace(
        rig.language("bash"), id="packed", compile=SPEC, run=("python3", "-m", "zipfile", "-l", "{artifact}")
    )
    run = await run_of(rig, language, LEAVE)
    names = [line.split()[0] for line in run.stdout.decode().splitlines()[1:]]
    assert names == ["deep/copy"]


async def test_a_compiler_that_leaves_no_folder_made_no_program(rig: Rig) -> None:
    language = replace(rig.language("bash"), id="packed", compile=SPEC)
    async with rig.engine.pool.lease() as pair:
        made = await rig.engine.runner.compile(pair, language, b"echo nothing", LIMITS)
    assert isinstance(made, CompileResult)
    assert made.message == "the compiler left no out/\nnothing\n".strip()


async def test_a_run_is_told_what_the_program_may_use(rig: Rig) -> None:
    language = replace(
        rig.language("bash"),
        run=("bash", "-c", "echo {memory_mb} {stack_mb} $HEAP"),
        environment={"HEAP": "{memory_mb}m"},
        runtime=Runtime(memory_mb=64, processes=3),
    )
    assert LIMITS.memory_bytes == 256 * MIB
    assert (await run_of(rig, language)).stdout == b"256 256 256m\n"
    program = await program_of(rig, language, "")
    bounds = program.bounds(LIMITS)
    assert (bounds.memory_bytes, bounds.processes) == (320 * MIB, LIMITS.processes + 3)


@pytest.mark.parametrize(
    ("source", "exceeded"),
    [
        ("echo the heap is full >&2; exit 1", Exceeded.MEMORY),
        ("echo the heap is full >&2; kill -6 $$", Exceeded.MEMORY),
        ("echo the heap is full >&2; exit 0", None),  # it went on after that
        ("echo the heap is full; exit 1", None),  # the program's own words
        ("exit 1", None),
    ],
)
async def test_a_runtime_that_ran_out_of_memory_says_so(rig: Rig, source: str, exceeded: Exceeded | None) -> None:
    language = replace(rig.language("bash"), runtime=Runtime(out_of_memory=re.compile(r"heap is full")))
    assert (await run_of(rig, language, source)).exceeded is exceeded


async def test_files_of_ours_lie_beside_every_source(rig: Rig) -> None:
    language = replace(rig.language("bash"), id="supported", support={"given.txt": "five\n"})
    assert (await run_of(rig, language, "cat given.txt")).stdout == b"five\n"
