"""Run as a user without any right, under the system's own interpreter: start a slot, run programs, print what came of it.

Arguments: the level, the interpreter for programs, a scratch folder. Needs nothing but the standard library.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import MIB, Limits
from scalebox.core.result import CompileResult
from scalebox.languages.catalogue import load_languages
from scalebox.runner.cache import ProgramCache
from scalebox.runner.pool import Pair, Pool
from scalebox.runner.runner import Input, Runner
from scalebox.runner.slot import SlotSettings, tree_of
from scalebox.sandbox import probe
from scalebox.sandbox.level import Level, Walls

LIMITS = Limits(cpu_seconds=5, memory_bytes=256 * MIB)
SHORT = replace(LIMITS, cpu_seconds=0.3, wall_seconds=1, memory_bytes=64 * MIB, output_bytes=MIB, processes=20)
PROGRAMS: dict[str, tuple[str, Limits]] = {
    "echo": ("print(input())", LIMITS),
    "stdin": ("print(open('/dev/stdin').read(), end='')", LIMITS),
    "stdout": ("open('/dev/stdout', 'w').write('in')", LIMITS),
    "ids": ("import os; print(os.getuid(), os.getgid(), os.getgroups())", LIMITS),
    "status": (
        "print([l.split()[1] for l in open('/proc/self/status') if l[:6] in ('NoNewP', 'Seccom', 'CapPrm', 'CapEff', 'CapInh', 'CapAmb')])",
        LIMITS,
    ),
    "writes": (
        "import os; open('x', 'w'); os.mkdir('d'); os.chmod('d', 0); os.chmod('main.py', 0o600)\n"
        "open('main.py', 'w').write('bad'); open(os.environ['TMPDIR'] + '/y', 'w'); os.chmod('.', 0)",
        LIMITS,
    ),
    "after": (
        "import os; print(os.listdir('.'), os.listdir(os.environ['TMPDIR']), open('main.py').read()[:9])",
        LIMITS,
    ),
    "parent": (
        "import os\nfor what in (lambda p: open(f'/proc/{p}/mem'), lambda p: open(f'/proc/{p}/environ'), lambda p: os.kill(p, 9)):\n"
        "  try: print('reached', what(os.getppid()))\n  except OSError: pass\nprint('end')",
        LIMITS,
    ),
    "everyone": ("import os, signal\ntry: os.kill(-1, 9)\nexcept OSError: pass\nprint('end')", LIMITS),
    "attributes": (  # of a file that belongs to the same user and whose path it knows
        "import os\np = '../../theirs'\n"
        "for f in (lambda: os.chmod(p, 0), lambda: os.utime(p, (5, 5)), lambda: os.chown(p, -1, os.getgid()), lambda: os.truncate(p, 0)):\n"
        "  try: f()\n  except OSError: pass\nprint('end')",
        LIMITS,
    ),
    "network": (
        "import socket\nfor f in (2, 10, 16, 17):\n  try: socket.socket(f, 1 if f < 16 else 3); print(f)\n  except OSError: pass",
        LIMITS,
    ),
    "survivor": (  # of the kernel's choice when memory runs out, so that it ends the slot's parent instead
        "print(open('/proc/self/oom_score_adj').read().strip())\n"
        "try: open('/proc/self/oom_score_adj', 'w').write('0')\nexcept OSError: print('refused')",
        LIMITS,
    ),
    "loop": ("while True: pass", SHORT),
    "sleep": ("import time; time.sleep(60)", SHORT),
    "memory": ("x = bytearray(200 << 20)", SHORT),
    "children": (
        "import os, time\nfor _ in range(6):\n  if not os.fork(): x = bytearray(20 << 20); time.sleep(9)\ntime.sleep(9)",
        replace(SHORT, wall_seconds=20, cpu_seconds=5),
    ),
    "flood": ("while True: print('x' * 9999)", SHORT),
    "bomb": ("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", SHORT),
    "daemon": ("import os, time\nif not os.fork():\n  os.setsid()\n  if not os.fork(): time.sleep(600)", LIMITS),
    "honest": ("print(sum(map(int, '1 2 3'.split())))", LIMITS),
}


async def run_all(runner: Runner, pair: Pair, strict: bool) -> dict[str, object]:
    """Every program, in order, on one slot."""
    language = load_languages().get("python")
    assert language is not None
    told: dict[str, object] = {}
    for name, (source, limits) in PROGRAMS.items():
        program = await runner.compile(pair, language, source.encode(), LIMITS)
        if isinstance(program, CompileResult):
            told[name] = program.message
            continue
        run = await runner.run(pair, program, Input(stdin=b"in"), limits)
        told[name] = [run.stdout[:200].decode(), run.exit_code, run.signal, run.exceeded, run.reason]
    told["left"] = len(tree_of((await pair.main()).pid)) - 1
    return told


async def beside_storms(runner: Runner, pool: Pool) -> list[str] | None:
    """What compilers said that started their parts while a program started all it could; None without a compiler."""
    catalogue = load_languages()
    python, cpp = catalogue.get("python"), catalogue.get("cpp")
    assert python is not None
    assert cpp is not None
    if shutil.which("g++") is None:
        return None
    async with pool.lease() as first, pool.lease() as second:
        storm = await runner.compile(first, python, PROGRAMS["bomb"][0].encode(), LIMITS)
        assert not isinstance(storm, CompileResult)
        told = []
        for number in range(2):
            made, _ = await asyncio.gather(
                runner.compile(second, cpp, b"int main() { return %d; }" % number, LIMITS),
                runner.run(first, storm, Input(), LIMITS),
            )
            told.append(made.message if isinstance(made, CompileResult) else made.compiled.message)
        return told


def slot_settings(walls: Walls, python: str, scratch: str) -> SlotSettings:
    """As the service makes them."""
    strict = walls.level is Level.STRICT
    return SlotSettings(
        python=python,
        environment={"PATH": "/usr/bin:/bin", "HOME": "/box/work", "TMPDIR": "/tmp", "LANG": "C.UTF-8"},
        level=walls.level.value,
        user_namespace=walls.user_namespace,
        landlock_abi=walls.landlock_abi,
        landlock_rules=[*(probe.strict_rules() if strict else probe.standard_rules())],
        seccomp=walls.seccomp,
        use_cgroup=walls.cgroup,
        uid_base=probe.uid_base() if walls.change_uid else None,
        show=(),
        scratch=scratch,
    )


def put_theirs(scratch: str) -> None:
    """A file of ours that no program was given."""
    path = Path(scratch, "theirs")
    path.write_text("theirs", encoding="ascii")
    path.chmod(0o640)
    os.utime(path, (1, 1))


def take_theirs(scratch: str) -> list[float]:
    """What became of it: mode, time and size."""
    path = Path(scratch, "theirs")
    found = path.stat()
    path.unlink()
    return [found.st_mode & 0o777, found.st_mtime, found.st_size]


async def main() -> None:
    """Print one JSON object: what stood in the way, or what each program did."""
    level, python, scratch = sys.argv[1:]
    try:
        walls = probe.survey(wanted=Level(level))
    except IsolationUnavailable as error:
        print(json.dumps({"unavailable": str(error)}))
        return
    put_theirs(scratch)
    pool = Pool(slot_settings(walls, python, scratch), 2)
    await pool.open()
    runner = Runner(ProgramCache(0, 0), "/box/work" if walls.level is Level.STRICT else "", {})
    async with pool.lease() as pair:
        slot = await pair.main()
        told = await run_all(runner, pair, walls.level is Level.STRICT)
        told["replaced"] = await pair.main() is not slot
    told["beside"] = await beside_storms(runner, pool)
    await pool.close()
    told["theirs"] = take_theirs(scratch)
    told["walls"] = [*walls.names()]
    told["leftovers"] = [os.listdir(scratch), len(tree_of(os.getpid()))]
    print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main())
