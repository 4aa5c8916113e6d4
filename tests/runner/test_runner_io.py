"""Bytes in, bytes out: input, arguments, files there and back, exactly as they were, at every level of isolation."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from runner.rig import LIMITS, NEEDS_ROOT, Rig

from scalebox.core.limits import MIB
from scalebox.runner import runner

pytestmark = pytest.mark.sandbox

ALL_BYTES = bytes(range(256)) * 3
ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"


@pytest.mark.parametrize("data", [b"", b"\0", b"a\nb", b"\xff\xfe\x80", ALL_BYTES, b"x" * (5 << 20)])
async def test_bytes_pass_unchanged(rig: Rig, data: bytes) -> None:
    run = await rig.run(ECHO, data)
    assert run.exit_code == 0
    assert run.stdout == data


async def test_input_that_is_not_read_is_no_offence(rig: Rig) -> None:
    run = await rig.run("print('done')", b"x" * (8 << 20))
    assert (run.stdout, run.exit_code) == (b"done\n", 0)


async def test_input_begins_anew_in_every_run(rig: Rig) -> None:
    program = await rig.program("print(input())")
    assert [(await rig.run(program, line)).stdout for line in (b"one", b"two", b"three")] == [
        b"one\n",
        b"two\n",
        b"three\n",
    ]


async def test_arguments(rig: Rig) -> None:
    args = ["", "a b", "-x", "\u00e9\U0001f600", "'\"$*"]
    run = await rig.run("import sys; print(sys.argv)", args=args)
    assert run.stdout.decode() == f"{['main.py', *args]}\n"


async def test_arguments_of_an_executed_program(strict: Rig) -> None:
    run = await strict.run('printf "%s|" "$@"', args=["a b", "", "\u00e9"], language="bash")
    assert run.stdout.decode() == "a b||\u00e9|"


async def test_files_are_laid_in_the_work_folder(rig: Rig) -> None:
    source = """
        import os
        for path in ("data.bin", "sub/deep/x y.txt"):
            print(open(path, "rb").read(), oct(os.stat(path).st_mode))
        open("data.bin", "ab").write(b"more")
        print(sorted(os.listdir(".")))
    """
    run = await rig.run(source, files={"data.bin": b"\x00\xff", "sub/deep/x y.txt": b"text"})
    assert run.stdout.splitlines() == [
        b"b'\\x00\\xff' 0o100644",
        b"b'text' 0o100644",
        b"['data.bin', 'main.py', 'sub']",
    ], run.stderr


async def test_files_are_gone_in_the_next_run(rig: Rig) -> None:
    await rig.run("open('mine', 'w'); open('/tmp/mine', 'w')" if rig.strict else "open('mine', 'w')", files={"a": b""})
    run = await rig.run("import os; print(os.listdir('.'), os.listdir(os.environ['TMPDIR']))")
    assert run.stdout == b"['main.py'] []\n"


async def test_program_cannot_change_its_own_file(rig: Rig) -> None:
    program = await rig.program("open('main.py', 'a').write('# more')")
    run = await rig.run(program)
    if rig.mode != "none":
        assert b"PermissionError" in run.stderr
    again = await rig.run("print(open('main.py').read())")
    assert again.stdout == b"print(open('main.py').read())\n"


FETCH = """
    import os
    open("plain", "wb").write(b"\\x00\\xff" * 1000)
    os.makedirs("sub"); open("sub/inner", "w").write("inner"); open("empty", "w")
    os.symlink("/etc/passwd", "link"); os.symlink("plain", "inside"); os.mkfifo("pipe"); os.mkdir("folder")
    open("closed", "w").write("closed"); os.chmod("closed", 0)
    os.symlink("/etc", "etc")
"""
NAMES = ["plain", "sub/inner", "empty", "absent", "link", "inside", "pipe", "folder", "closed"]


@NEEDS_ROOT
async def test_fetched_files_are_regular_files_of_the_work_folder(rig: Rig) -> None:
    run = await rig.run(FETCH, fetch=NAMES)
    expected = {"plain": b"\x00\xff" * 1000, "sub/inner": b"inner", "empty": b""}
    if rig.mode == "none":
        expected["closed"] = b"closed"
    assert run.files == expected


async def test_fetch_through_a_linked_folder_sees_only_the_boxs_own_system(strict: Rig) -> None:
    run = await strict.run(FETCH, fetch=["etc/passwd", "etc/shadow"])
    assert set(run.files) <= {"etc/passwd"}
    assert b"box:x:" in run.files.get("etc/passwd", b"box:x:")


async def test_fetched_files_are_bounded(rig: Rig) -> None:
    run = await rig.run(
        "open('big', 'wb').write(bytes(900_000)); open('two', 'wb').write(bytes(900_000)); open('s', 'w').write('s')",
        limits=replace(LIMITS, disk_bytes=MIB),
        fetch=["s", "big", "two"],
    )
    assert sum(map(len, run.files.values())) <= 2 * MIB


async def test_after_a_fetch_the_work_folder_is_clean(rig: Rig) -> None:
    await rig.run("open('left', 'w')", fetch=["left"])
    run = await rig.run("import os; print(os.listdir('.'))")
    assert run.stdout == b"['main.py']\n"


async def test_exact_environment(strict: Rig) -> None:
    run = await strict.run("import os; print(dict(os.environ), os.getcwd(), os.umask(0))")
    environment = dict(strict.engine.slots.environment)
    assert run.stdout.decode() == f"{environment} /box/work 18\n"


async def test_executed_programs_have_the_same_environment(strict: Rig) -> None:
    run = await strict.run("/usr/bin/env -0", language="bash")
    found = dict(item.split("=", 1) for item in run.stdout.decode().rstrip("\0").split("\0"))
    world = dict(strict.engine.slots.environment)
    assert {name: found.get(name) for name in world} == world
    assert set(found) - set(world) <= {"PWD", "OLDPWD", "SHLVL", "_"}  # bash's own


async def test_descriptors_of_a_plain_program_are_three(rig: Rig) -> None:
    run = await rig.run("import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))")
    assert run.stdout == b"[0, 1, 2, 3]\n"  # the last is the folder that is being listed


async def test_same_source_is_compiled_once(rig: Rig) -> None:
    source = "print('once')"
    first, second = await rig.make(source), await rig.make(source)
    assert first is second
    other = await rig.make(source + "\n")
    assert other is not first


async def test_programs_own_proc_folder_is_its_own(rig: Rig) -> None:
    """Changing the uid gives it to root; a program that is its own user gets it back."""
    run = await rig.run("print(b'LANG=' in open('/proc/self/environ', 'rb').read(), open('/proc/self/mem', 'rb'))")
    assert run.stdout.startswith(b"True "), run.stderr


async def test_what_a_run_left_for_a_fetch_that_never_came_is_gone(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    program = await rig.program("import os; print(os.path.exists('left')); open('left', 'w').write(input())")

    def cancelled(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(runner, "fetch", cancelled)
        with pytest.raises(asyncio.CancelledError):
            await rig.run(program, b"first", fetch=["left"])
    run = await rig.run(program, b"second", fetch=["left"])
    assert (run.stdout, run.files) == (b"False\n", {"left": b"second"})
