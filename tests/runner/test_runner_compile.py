"""Compilers are programs too: same walls, bounded time and words, nothing of the machine in their diagnostics."""

from __future__ import annotations

from dataclasses import replace

import pytest
from runner.rig import LIMITS, Rig, until

from scalebox.core.errors import SandboxError
from scalebox.core.limits import Limits
from scalebox.core.result import CompileResult
from scalebox.core.verdict import Verdict
from scalebox.runner.program import Program
from scalebox.runner.runner import Input
from scalebox.runner.slot import tree_of

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"print(", b"SyntaxError: '(' was never closed"),
        (b"\xff", b"SyntaxError"),
        (b"x = 1\0", b"null bytes"),
        (b"return 1", b"'return' outside function"),
        (b"(" * 5000, b"too many nested parentheses"),
        (b"x = " + b"-" * 100_000 + b"1", b"Error"),
    ],
)
async def test_python_that_does_not_compile(rig: Rig, source: bytes, message: bytes) -> None:
    made = await rig.make(source)
    assert isinstance(made, CompileResult)
    assert made.verdict is Verdict.CE
    assert message.decode() in made.message


async def test_compile_time_bomb_is_bounded(rig: Rig) -> None:
    bomb = b"x = " + b" + ".join([b"(1 << 60000)"] * 40_000)
    limits = replace(LIMITS, compile_seconds=0.3)
    async with rig.engine.pool.lease() as pair:
        made = await rig.engine.runner.compile(pair, rig.language("python"), bomb, limits)
    if isinstance(made, CompileResult):
        assert made.verdict is Verdict.CE
    assert (await rig.run("print(1)")).stdout == b"1\n"


async def test_source_is_not_run_by_its_compilation(rig: Rig) -> None:
    made = await rig.make("open('ran', 'w')\nimport os\nos._exit(1)\n")
    assert isinstance(made, Program)
    assert made.compiled.verdict is None


CPP = "cpp"


async def make_cpp(rig: Rig, source: str, limits: Limits = LIMITS) -> Program | CompileResult:
    """Compile C++, unless there is no compiler."""
    if not rig.engine.toolchains[CPP].here:
        pytest.skip("there is no C++ compiler")
    async with rig.engine.pool.lease() as pair:
        return await rig.engine.runner.compile(pair, rig.language(CPP), source.encode(), limits)


async def test_cpp_runs(rig: Rig) -> None:
    made = await make_cpp(rig, '#include <cstdio>\nint main(int n, char** v) { printf("%d %s", n, v[1]); return 4; }')
    assert isinstance(made, Program)
    run = await rig.run(made, args=["a b"])
    assert (run.stdout, run.exit_code) == (b"2 a b", 4)


@pytest.mark.parametrize(
    "text",
    [
        '#include "/dev/zero"\n',
        '#include "/dev/random"\n',
        "#include <main.cpp>\nint x",
        "template<int n> struct T { T<n+1> t; }; T<0> t;",
        "#error " + "x" * 100_000,
        "int main() { return missing; }\n" * 2000,
    ],
)
async def test_hostile_cpp_is_a_bounded_compile_error(strict: Rig, text: str) -> None:
    made = await make_cpp(strict, text, replace(LIMITS, compile_seconds=2))
    assert isinstance(made, CompileResult)
    assert made.verdict is Verdict.CE
    assert len(made.message) < 20_000


@pytest.mark.parametrize("path", ["/etc/shadow", "/root/.bashrc", "/proc/1/environ", "/proc/self/environ", __file__])
async def test_compiler_cannot_quote_the_machines_files(strict: Rig, path: str) -> None:
    made = await make_cpp(strict, f'#include "{path}"\nint main() {{}}')
    if isinstance(made, CompileResult):
        assert "root:" not in made.message
        assert "def test_" not in made.message
        assert "No such file" in made.message or "Permission denied" in made.message or "error" in made.message


async def test_assembler_cannot_include_the_machines_files(strict: Rig) -> None:
    made = await make_cpp(strict, 'asm(".incbin \\"/etc/shadow\\"");\nint main() {}')
    assert isinstance(made, CompileResult)


@pytest.mark.parametrize("detach", ["", "os.setsid();", "os.setsid(); os.fork();"])
async def test_child_that_holds_the_pipe_does_not_hold_up_the_verdict(rig: Rig, detach: str) -> None:
    source = f"import os, time\nif not os.fork():\n  {detach} time.sleep(60)\nprint('done', flush=True)\n"
    slot = await rig.slot()
    run = await rig.run(source, limits=replace(LIMITS, wall_seconds=20))
    assert (run.stdout, run.exceeded) == (b"done\n", None)
    assert run.usage.wall_seconds < 15
    await until(lambda: len(tree_of(slot.pid)) == 1)


async def test_toolchain_that_is_gone_is_our_fault(rig: Rig) -> None:
    language = rig.language("cpp")
    assert language.compile is not None
    gone = replace(language, compile=replace(language.compile, command=("no-such-compiler", "{source}")))
    async with rig.engine.pool.lease() as pair:
        with pytest.raises(SandboxError, match="cannot start no-such-compiler"):
            await rig.engine.runner.compile(pair, gone, b"int main() {}", LIMITS)
        made = await rig.engine.runner.compile(pair, replace(gone, compile=None, run=("./main.cpp",)), b"x", LIMITS)
        assert isinstance(made, Program)
        with pytest.raises(SandboxError, match="cannot start"):
            await rig.engine.runner.run(pair, made, Input(), LIMITS)
    assert (await rig.run("print(1)")).stdout == b"1\n"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("sleep", "600"), "time"),  # it waits for what never comes
        (("sh", "-c", "while :; do :; done"), "time"),
        (("sh", "-c", "kill -9 $$"), ""),
        (("python3", "-c", "x = bytearray(8 << 30)"), ""),
        (("sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' x >&2; exit 1"), "xxx"),
        (("sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' x; exit 1"), ""),
        (("true",), ""),  # says that all is well, and makes nothing
    ],
)
async def test_compiler_that_misbehaves_is_a_bounded_compile_error(
    strict: Rig, command: tuple[str, ...], words: str
) -> None:
    language = strict.language(CPP)
    assert language.compile is not None
    odd = replace(language, compile=replace(language.compile, command=command))
    async with strict.engine.pool.lease() as pair:
        made = await strict.engine.runner.compile(
            pair, odd, f"int main() {{}} // {command}".encode(), replace(LIMITS, compile_seconds=0.5)
        )
    assert isinstance(made, CompileResult)
    assert made.verdict is Verdict.CE
    assert words in made.message
    assert len(made.message) < 20_000
    assert (await strict.run("print(1)")).stdout == b"1\n"
