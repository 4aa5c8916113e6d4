"""Commands started without a fork of the slot's parent: the same world, the same ends, and nothing of them left behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from runner.rig import LIMITS, NEEDS_ROOT, Rig, open_rig
from runner.test_runner_secrecy import found_in

from scalebox.core.errors import SandboxError
from scalebox.core.result import Exceeded, RunResult
from scalebox.runner.memory_file import Manifest, MemoryFile
from scalebox.runner.native_library import NativeLibrary
from scalebox.runner.program import Program
from scalebox.runner.slot import tree_of

pytestmark = [pytest.mark.sandbox, NEEDS_ROOT]

WORLD = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

static int by_text(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }

int main(int count, char **words)
{
    char text[4096], *wanted[] = {"Uid", "Gid", "Groups", "Sig", "Shd", "Cap", "NoNewPrivs", "Seccomp", "Cpus_allowed"};
    int variables = 0;
    for (int i = 0; i < count; i++) printf("argument %s\n", words[i]);
    while (environ[variables]) variables++;
    qsort(environ, variables, sizeof *environ, by_text);
    for (int i = 0; i < variables; i++) printf("variable %s\n", environ[i]);
    for (int what = 0; what < RLIM_NLIMITS; what++) {
        struct rlimit both;
        getrlimit(what, &both);
        printf("limit %d %lu %lu\n", what, both.rlim_cur, both.rlim_max);
    }
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(text, sizeof text, status))
        for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (!strncmp(text, wanted[i], strlen(wanted[i]))) printf("%s", text);
    fclose(status);
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(folder));) printf("descriptor %s\n", entry->d_name);
    printf("dumpable %d, folder %s, session %d, adjusted ", prctl(PR_GET_DUMPABLE), getcwd(text, sizeof text), getsid(0));
    FILE *score = fopen("/proc/self/oom_score_adj", "r");
    printf("%s", fgets(text, sizeof text, score));
    return 3;
}
"""


@pytest.fixture(params=["spawned", "forked"])
def how(request: pytest.FixtureRequest) -> str:
    """How commands are started."""
    return str(request.param)


@pytest.fixture
def starting(strict: Rig, how: str) -> Iterator[Rig]:
    """A rig whose slot starts commands in that way."""
    [pair] = strict.engine.pool._pairs
    slot = pair._slots[0]
    assert slot is not None
    assert slot._native is not None
    kept = slot._native
    assert kept.reason is None
    slot._native = kept if how == "spawned" else None
    yield strict
    slot._native = kept


async def run_as(rig: Rig, native: NativeLibrary | None, program: Program, args: list[str]) -> RunResult:
    """Run a command on the rig's slot, started by that."""
    slot = await rig.slot()
    kept, slot._native = slot._native, native
    try:
        return await rig.run(program, b"", args=args)
    finally:
        slot._native = kept


async def test_the_world_is_the_same(strict: Rig) -> None:
    program, args = await strict.program(WORLD, "c"), ["", "a b", "-rf", "é"]
    slot = await strict.slot()
    spawned = await run_as(strict, slot._native, program, args)
    forked = await run_as(strict, None, program, args)
    assert spawned.exit_code == forked.exit_code == 3
    assert "argument é\n" in spawned.stdout.decode()
    assert spawned.stdout == forked.stdout


async def test_no_fork_of_the_parent_is_seen(strict: Rig) -> None:
    """What ran was executed by a child that never had memory of its own before: it has not even a peak of the parent's size."""
    source = """
    #include <stdio.h>
    #include <sys/resource.h>
    int main() { struct rusage used; getrusage(RUSAGE_SELF, &used); printf("%ld", used.ru_minflt); return 0; }
    """
    program = await strict.program(source, "c")
    slot = await strict.slot()
    spawned = [int((await run_as(strict, slot._native, program, [])).stdout) for _ in range(3)]
    forked = [int((await run_as(strict, None, program, [])).stdout) for _ in range(3)]
    assert max(spawned) < min(forked) / 2


@pytest.mark.parametrize(
    ("source", "code", "signal", "exceeded"),
    [
        ("int main() { return 7; }", 7, None, None),
        ("int main() { __builtin_trap(); }", None, 4, None),
        ("int main() { for (;;); }", None, 9, Exceeded.TIME),
        (
            "#include <unistd.h>\nint main() { char x[4096] = {0}; for (;;) write(1, x, 4096); }",
            None,
            9,
            Exceeded.OUTPUT,
        ),
        ('#include <unistd.h>\nint main() { close(0); fork(); fork(); return write(1, "x", 1) != 1; }', 0, None, None),
    ],
    ids=["exit code", "signal", "time", "output", "children"],
)
async def test_ends(
    starting: Rig, source: str, code: int | None, signal: int | None, exceeded: Exceeded | None
) -> None:
    limits = replace(LIMITS, cpu_seconds=0.3, output_bytes=1 << 20)
    run = await starting.run(source, limits=limits, language="c")
    assert (run.exceeded, run.exit_code if exceeded is None else None) == (exceeded, code)
    assert exceeded is not None or run.signal == signal


async def test_a_command_that_is_not_there_is_no_run(starting: Rig) -> None:
    program = await starting.program("int main() { return 0; }", "c")
    told = Manifest({"mode": "exec", "argv": ["./absent"], "environment": {}})
    with pytest.raises(SandboxError, match=r"cannot start ./absent"):
        await starting.run(replace(program, manifest=told))
    assert (await starting.run(program)).exit_code == 0


@pytest.mark.parametrize(
    ("name", "path", "code"),
    [
        ("true", "/nowhere:/etc/passwd:/usr/bin:/", 0),
        ("false", ":/usr/bin:", 1),
        ("true", None, 0),
        ("main", "/usr/bin:", 3),
        ("main", "/usr/bin:.", 3),
        ("absent", "/usr/bin:/bin", None),
        ("passwd", "/nowhere:/etc:/nowhere", None),
        ("x" * 300, "/usr/bin", 127),
        ("true", "/" + "x" * 5000, 127),
        ("absent", "/" + "x" * 5000 + ":/nowhere", 127),
    ],
    ids=[
        "found",
        "empty folders",
        "no path",
        "work folder",
        "dot",
        "absent",
        "not to be executed",
        "long name",
        "long path",
        "long path before one that is not there",
    ],
)
async def test_a_command_is_looked_for(starting: Rig, name: str, path: str | None, code: int | None) -> None:
    """None: that is no run."""
    program = await starting.program("int main() { return 3; }", "c")
    told = Manifest({"mode": "exec", "argv": [name, "x"], "environment": {} if path is None else {"PATH": path}})
    if code is not None:
        assert (await starting.run(replace(program, manifest=told))).exit_code == code
    else:
        with pytest.raises(SandboxError, match=rf"cannot start {name}"):
            await starting.run(replace(program, manifest=told))
    assert (await starting.run(program)).exit_code == 3


async def test_a_command_that_is_looked_for_is_not_forked(strict: Rig) -> None:
    """The child never had memory of its own before, as told from the faults that it and what it became made."""
    source = "read -r -a stat < /proc/self/stat; echo ${stat[9]}"
    program = await strict.program(source, "bash")
    slot = await strict.slot()
    spawned = [int((await run_as(strict, slot._native, program, [])).stdout) for _ in range(3)]
    forked = [int((await run_as(strict, None, program, [])).stdout) for _ in range(3)]
    assert max(spawned) < min(forked)


async def test_parent_holds_nothing_of_a_command(starting: Rig) -> None:
    program = await starting.program("int main(int n, char **w) { return n; }", "c")
    marker = "zyx-" + "argument"
    assert (await starting.run(program, args=[marker])).exit_code == 2
    slot = await starting.slot()
    for pid in [slot.pid, *tree_of(slot.pid)]:
        assert found_in(pid) == 0


async def test_a_library_that_cannot_be_loaded_is_done_without(strict: Rig) -> None:
    async with open_rig(strict.mode) as rig:
        slot = await rig.slot()
        broken = slot._native = NativeLibrary()
        broken._file = MemoryFile("start", b"no library")
        run = await rig.run("int main(int n, char **w) { return n; }", args=["x"], language="c")
        assert run.exit_code == 2


def test_without_a_compiler_there_is_none(tmp_path: object) -> None:
    native = NativeLibrary()
    native.make(path=str(tmp_path))
    assert native.fd == -1
    assert native.reason == "no C compiler was found (gcc, cc, clang)"


@pytest.mark.parametrize(
    ("content", "is_command"),
    [
        ({"mode": "exec", "argv": ["./main", "x"], "environment": {"A": "b"}}, True),
        ({"mode": "exec", "argv": ["./main"], "environment": {}, "files": []}, True),
        ({"mode": "exec", "argv": ["./main"], "environment": {}, "files": [("a", b"")]}, False),
        ({"mode": "exec", "argv": ["main"], "environment": {}}, True),  # to be looked for
        ({"mode": "exec", "argv": [], "environment": {}}, False),
        ({"mode": "exec", "argv": ["./main", "a\0b"], "environment": {}}, False),
        ({"mode": "exec", "argv": ["./main", "\ud800"], "environment": {}}, False),
        ({"mode": "exec", "argv": ["./main", "x" * 70_000], "environment": {}}, False),
        ({"mode": "exec", "argv": ["./main", *["x"] * 2000], "environment": {}}, False),
        ({"mode": "main", "args": ["./main"]}, False),
    ],
)
def test_what_the_library_can_start(content: dict[str, object], is_command: bool) -> None:
    assert Manifest(content).is_command is is_command
