"""Every handling of a zygote trap is needed: with it undone in a copy, a program of the corpus is no longer plain Python.

Theory: a slot is started from a copy of its own modules in which one small piece of text was changed (``undoing.py``). The
programs named with the change must then be seen to differ; without any change they must not, so the copy is not to blame.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from differential.test_differential import PROGRAMS, Observed, observe_plain, observe_zygote, plain_run, read_program
from differential.undoing import UNDOINGS, Undoing, copy_with

from scalebox.assembly import Engine
from scalebox.core.errors import SandboxError
from scalebox.core.limits import Limits
from scalebox.core.result import CompileResult
from scalebox.runner import slot as slot_module
from scalebox.runner.cache import ProgramCache
from scalebox.runner.pool import Pool
from scalebox.runner.runner import Input, Runner

LIMITS = Limits(cpu_seconds=3, wall_seconds=6)
NOTHING = Undoing(trap="nothing", programs=tuple(sorted({name for row in UNDOINGS for name in row.programs})))


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run in the zygote, as seen from outside."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int | None = None
    signal: int | None = None
    compile_error: str | None = None


async def seen_in_copy(engine: Engine, undoing: Undoing, name: str) -> Observed | None:
    """What an onlooker sees of a program; None where its slot failed."""
    environment = {key: value for key, value in engine.slots.environment.items() if key != undoing.without}
    # Without the library, which does some of it too: what is undone here is undone in Python.
    pool = Pool(replace(engine.slots, environment=environment, native=None), 1)
    runner = Runner(ProgramCache(0, 0), engine.work_folder, engine.toolchains)
    language = engine.catalogue.get("python")
    assert language is not None
    source, header = read_program(PROGRAMS / f"{name}.py")
    try:
        await pool.open()
        async with pool.lease() as pair:
            program = await runner.compile(pair, language, source, LIMITS)
            if isinstance(program, CompileResult):
                return observe_zygote(Run(compile_error=program.message), header)
            run = await runner.run(pair, program, Input(stdin=header.stdin), LIMITS)
    except SandboxError:
        return None
    finally:
        await pool.close()
    return observe_zygote(Run(stdout=run.stdout, stderr=run.stderr, exit_code=run.exit_code, signal=run.signal), header)


async def differs(engine: Engine, undoing: Undoing, name: str, python: str, scratch: Path) -> bool:
    """Whether a program is seen to behave otherwise than under plain Python."""
    source, header = read_program(PROGRAMS / f"{name}.py")
    await asyncio.to_thread(scratch.mkdir)
    plain = await asyncio.to_thread(plain_run, python, source, header.stdin, scratch)
    return await seen_in_copy(engine, undoing, name) != observe_plain(plain, header)


@pytest.mark.sandbox
@pytest.mark.parametrize("undoing", UNDOINGS, ids=lambda row: row.trap)
async def test_undone_handling_is_noticed(
    undoing: Undoing, engine: Engine, programs_python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if undoing.trap == "pipe-owner" and not engine.walls.change_uid:
        pytest.skip("only where programs run under another uid than the slot's parent")
    monkeypatch.setattr(slot_module, "_BOOT", str(copy_with(undoing, tmp_path / "copy")))
    found = [
        name
        for number, name in enumerate(undoing.programs)
        if await differs(engine, undoing, name, programs_python, tmp_path / str(number))
    ]
    assert found, f"no program tells {undoing.trap} undone from done"


@pytest.mark.sandbox
async def test_unchanged_copy_is_plain_python(
    engine: Engine, programs_python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slot_module, "_BOOT", str(copy_with(NOTHING, tmp_path / "copy")))
    for number, name in enumerate(NOTHING.programs):
        assert not await differs(engine, NOTHING, name, programs_python, tmp_path / str(number)), name


@pytest.mark.parametrize("undoing", UNDOINGS, ids=lambda row: row.trap)
def test_rows_name_programs_that_run_here(undoing: Undoing) -> None:
    assert undoing.programs
    for name in undoing.programs:
        _, header = read_program(PROGRAMS / f"{name}.py")
        assert not header.needs
        assert not header.known_difference


def test_change_that_no_longer_applies_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0 times"):
        copy_with(Undoing(trap="x", file="runner/zygote/child.py", old="no such text", programs=()), tmp_path)
