"""The shelf from outside: whatever a program leaves in its folder, the slot's parent never imports it, nor anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from runner.rig import LIMITS, MODES, open_rig

from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import MIB

pytestmark = pytest.mark.sandbox

PLANT = """
import builtins, os, sys, time
for name in sys.stdlib_module_names:
    with open(name + ".py", "w") as file:
        file.write("import builtins\\nbuiltins.PLANTED = " + repr(name) + "\\n")
"""
ENDINGS = {
    "normal": "",
    "leftover-child": "os.fork() or time.sleep(9)",
    "leftover-orphan": "if not os.fork():\n    os.setsid()\n    os.fork()\n    time.sleep(9)",
    "time": "while True: pass",
    "memory": "held = bytearray(300 << 20)",
    "flood": "while True: print('x' * 9999)",
    "crash": "os.kill(os.getpid(), 11)",
    "disk": "open('large', 'wb').write(bytes(40 << 20))",
    "exception": "raise ValueError",
}
LOOK = "import builtins, os, sys\nprint(hasattr(builtins, 'PLANTED'), os.listdir('.'), *sorted(sys.modules))"
SHORT = replace(
    LIMITS, cpu_seconds=0.5, wall_seconds=3, memory_bytes=128 * MIB, output_bytes=MIB, disk_bytes=16 * MIB, processes=16
)


@pytest.mark.parametrize("mode", list(MODES))
async def test_parent_imports_nothing_that_a_program_left(mode: str) -> None:
    try:
        for name, ending in ENDINGS.items():
            async with open_rig(mode) as rig:  # a new slot each: what it imports it does once
                look = await rig.program(LOOK)
                plant = await rig.program(PLANT + ending)
                slot, before = await rig.slot(), await rig.run(look)
                assert before.stdout.startswith(b"False ['main.py'] ")
                await rig.run(plant, limits=SHORT)
                after = await rig.run(look)
                assert (after.stdout, after.stderr, after.exit_code) == (before.stdout, b"", 0), name
                assert await rig.slot() is slot, name
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def test_modules_are_loaded_whole_whoever_names_a_part_first() -> None:
    try:
        async with open_rig("strict") as rig:
            for name in (
                "re._parser",
                "re._constants",
                "collections.abc",
                "ctypes._endian",
                "importlib.abc",
                "os.path",
            ):
                run = await rig.run(f"import {name}\nimport typing, re, collections, ctypes\nprint({name}.__name__)")
                assert (run.stderr, run.exit_code) == (b"", 0), name
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def test_program_that_changes_what_imports_need_imports_as_ever() -> None:
    source = """
        import builtins, os
        os.listdir = builtins.any = None
        builtins.print = lambda *_, **__: None
        import typing, random, re
        os.write(1, repr((typing.List[int].__args__, re.sub("a", "b", "aa"), 0 <= random.random() < 1)).encode())
        raise SystemExit("bye")
    """
    try:
        async with open_rig("strict") as rig:
            run = await rig.run(source)
            assert (run.stdout, run.stderr, run.exit_code) == (b"((<class 'int'>,), 'bb', True)", b"bye\n", 1)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
