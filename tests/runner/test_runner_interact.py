"""Two boxes over pipes: who hears what, who ends first, what is bounded."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from runner.rig import LIMITS, Rig, footprint, until

from scalebox.core.limits import MIB, Limits
from scalebox.core.result import Exceeded, RunResult
from scalebox.runner import dialogue, stance
from scalebox.runner.dialogue import Interaction
from scalebox.runner.runner import UNCAUGHT, Input
from scalebox.runner.transcript import Speaker

pytestmark = pytest.mark.asyncio(loop_scope="session")

ECHO = """
    import sys
    for line in sys.stdin:
        print("heard", line.strip(), flush=True)
"""
ASKS_TWICE = """
    print("one", flush=True); assert input() == "heard one"
    print("two", flush=True); assert input() == "heard two"
"""
SILENT = "import sys; sys.stdin.read()"
WRITES = """
    import sys
    while True:
        sys.stdout.write("x" * 1000 + chr(10))
"""


async def interact(
    rig: Rig,
    program: str,
    interactor: str,
    *,
    args: Sequence[str] = (),
    files: Mapping[str, bytes] | None = None,
    fetch: Sequence[str] = (),
    limits: Limits = LIMITS,
    judge_limits: Limits = LIMITS,
    languages: tuple[str, str] = ("python", "python"),
    accepts: int = 0,
) -> Interaction:
    """Let two sources converse; only that exit code of the interactor lets the program go on."""
    made = await rig.program(program, languages[0])
    judge = await rig.program(interactor, languages[1])

    def goes_on(run: RunResult) -> bool:
        return run.exit_code == accepts

    async with rig.engine.pool.lease() as pair:
        given = Input(args=args, files=files, fetch=fetch)
        return await rig.engine.runner.interact(pair, made, judge, given, limits, judge_limits, goes_on)


async def test_both_hear_each_other_and_end(rig: Rig) -> None:
    found = await interact(rig, ECHO, ASKS_TWICE)
    assert (found.program.exit_code, found.interactor.exit_code) == (0, 0)
    assert found.first is Speaker.INTERACTOR
    assert not found.program_ended
    assert not found.deadlock
    assert found.transcript == b"< one\n> heard one\n< two\n> heard two\n"
    assert found.program.usage.cpu_seconds > 0
    assert found.program.stdout == b""


async def test_program_that_ends_first_leaves_the_word_to_the_interactor(rig: Rig) -> None:
    interactor = "import sys; print(len(sys.stdin.read()), file=sys.stderr); sys.exit(9)"
    found = await interact(rig, "print('x' * 99999)", interactor)
    assert found.first is Speaker.PROGRAM
    assert (found.interactor.exit_code, found.interactor.stderr) == (9, b"100000\n")
    assert found.transcript_truncated


async def test_interactor_that_rejects_ends_the_program(rig: Rig) -> None:
    found = await interact(rig, SILENT, "raise SystemExit(1)")
    assert found.program_ended
    assert (found.first, found.interactor.exit_code) == (Speaker.INTERACTOR, 1)


async def test_interactor_that_raises_is_told_from_one_that_rejects(rig: Rig) -> None:
    found = await interact(rig, SILENT, "raise ValueError")
    assert found.interactor.exit_code == UNCAUGHT


async def test_program_that_goes_on_after_an_accepting_interactor_is_not_disturbed(rig: Rig) -> None:
    program = """
        import sys
        print(1, flush=True)
        assert input() == "bye"
        assert sys.stdin.read() == ""
        print("more", flush=True)
        print("and more", flush=True)
    """
    found = await interact(rig, program, "input(); print('bye', flush=True)")
    assert found.program.exit_code == 0, found.program.stderr
    assert found.first is Speaker.INTERACTOR


async def test_interactor_that_talks_on_to_nobody_is_not_disturbed(rig: Rig) -> None:
    found = await interact(rig, "pass", "import sys; sys.stdin.read(); print('x' * 999999); sys.exit(5)")
    assert (found.program.exit_code, found.interactor.exit_code) == (0, 5)


async def test_program_that_dies_while_the_interactor_waits_is_first(rig: Rig) -> None:
    found = await interact(rig, "input(); 1 / 0", "import sys; print(1, flush=True); sys.stdin.read(); sys.exit(1)")
    assert found.first is Speaker.PROGRAM
    assert found.program.exit_code == 1
    assert found.interactor.signal == 9  # it was not asked any more


async def test_interactor_that_works_on_when_the_program_dies_may_decide(rig: Rig) -> None:
    interactor = """
        import time
        print(-1, flush=True)
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        raise SystemExit(1)
    """
    found = await interact(rig, "input(); raise SystemExit(3)", interactor)
    assert (found.first, found.interactor.exit_code, found.program.exit_code) == (Speaker.INTERACTOR, 1, 3)


async def test_side_that_closes_its_output_and_goes_on_is_heard_to_its_end(rig: Rig) -> None:
    program = "import os, sys; print(7, flush=True); os.close(1); sys.stdin.read(); sys.exit(4)"
    found = await interact(rig, program, "import sys; assert sys.stdin.read() == '7\\n'")
    assert (found.interactor.exit_code, found.program.exit_code) == (0, 4)


ASKS = "print(1, flush=True); input()"
CLOSES = "import os, sys; os.close(1); sys.stdin.read()"


@pytest.mark.parametrize(
    ("program", "interactor", "code", "first"),
    [
        ("pass", ASKS, UNCAUGHT, Speaker.PROGRAM),  # it ended before it was asked
        ("input()", ASKS, UNCAUGHT, Speaker.PROGRAM),
        ("pass", "import time; time.sleep(0.05); input()", UNCAUGHT, Speaker.PROGRAM),
        ("input()", "import os, sys; print(1, flush=True); sys.stdin.readline(); os.abort()", None, Speaker.PROGRAM),
        ("input()", "import sys; print(1, flush=True); sys.exit(len(sys.stdin.read()))", 0, Speaker.PROGRAM),
        (CLOSES, ASKS, UNCAUGHT, Speaker.INTERACTOR),  # its box is there, its words are not
    ],
)
async def test_interactor_that_waits_for_a_silent_program_is_deserted(
    rig: Rig, program: str, interactor: str, code: int | None, first: Speaker
) -> None:
    found = await interact(rig, program, interactor)
    assert found.deserted
    assert (found.interactor.exit_code, found.first) == (code, first)


@pytest.mark.parametrize(
    ("program", "interactor"),
    [
        ("print(5)", "assert input() == '5'; raise ValueError"),
        ("print(5)", "raise ValueError"),
        ("print('five')", "int(input())"),  # what it said, not its end
        (
            "print(5)",
            "import time; input(); end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n1 / 0",
        ),
    ],
)
async def test_interactor_that_crashes_by_itself_is_not_deserted(rig: Rig, program: str, interactor: str) -> None:
    for tail in ("", "; import sys; sys.stdin.read()"):  # whether the program ends first, or is still there
        found = await interact(rig, program.replace(")", ", flush=True)") + tail, interactor)
        assert not found.deserted
        assert (found.interactor.exit_code, found.first) == (UNCAUGHT, Speaker.INTERACTOR)


async def test_interactor_is_told_late_of_an_end_that_it_does_not_wait_for(rig: Rig) -> None:
    interactor = """
        import os, select, sys
        select.select([sys.stdin], [], [])
        sys.exit(9 if os.read(0, 1) == b"" else 1)
    """
    found = await interact(rig, "pass", interactor)
    assert (found.interactor.exit_code, found.deserted) == (9, False)


async def test_sleeper_is_taken_to_wait_where_the_kernel_does_not_say(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(pids: Sequence[int]) -> stance.Look:
        seen = stance.look(pids)
        return seen if seen.stance is stance.Stance.ACTIVE else replace(seen, stance=stance.Stance.UNKNOWN)

    monkeypatch.setattr(dialogue, "look", blind)
    found = await interact(rig, "input()", ASKS)
    assert (found.interactor.exit_code, found.deserted) == (UNCAUGHT, True)


async def test_interactor_that_sleeps_after_the_program_is_held_to_its_wall(rig: Rig) -> None:
    found = await interact(rig, "pass", "import time; time.sleep(60)", judge_limits=replace(LIMITS, wall_seconds=0.5))
    assert found.interactor.exceeded is Exceeded.TIME


async def test_program_that_crashes_deserts_nobody(rig: Rig) -> None:
    found = await interact(rig, "raise SystemExit(3)", ASKS)
    assert (found.program.exit_code, found.interactor.signal, found.deserted) == (3, 9, False)


async def test_both_waiting_is_a_deadlock(rig: Rig) -> None:
    found = await interact(rig, SILENT, SILENT)
    assert found.deadlock


async def test_both_writing_is_a_deadlock(rig: Rig) -> None:
    found = await interact(rig, WRITES, WRITES, limits=replace(LIMITS, output_bytes=64 * MIB))
    assert found.deadlock


async def test_program_that_does_not_flush_is_a_deadlock(rig: Rig) -> None:
    found = await interact(rig, "print(1); print(2); import sys; sys.stdin.read()", "input()\ninput()")
    assert found.deadlock


async def test_program_that_sleeps_is_no_deadlock(rig: Rig) -> None:
    found = await interact(rig, "import time; time.sleep(1.2); print(1)", "input()")
    assert not found.deadlock
    assert (found.program.exit_code, found.interactor.exit_code) == (0, 0)


async def test_program_is_held_to_its_limits(rig: Rig) -> None:
    late = await interact(rig, "while True: pass", "input()", limits=replace(LIMITS, cpu_seconds=0.3))
    assert late.program.exceeded is Exceeded.TIME
    swollen = await interact(rig, "x = bytearray(400 << 20)", "input()", limits=replace(LIMITS, memory_bytes=64 * MIB))
    assert swollen.program.exceeded is Exceeded.MEMORY


async def test_each_side_answers_for_its_own_sleep(rig: Rig) -> None:
    sleeps = "import time; time.sleep(60)"
    limits = replace(LIMITS, wall_seconds=0.4)
    late = await interact(rig, sleeps, SILENT, limits=limits, judge_limits=LIMITS)
    assert (late.program.exceeded, late.interactor.exceeded) == (Exceeded.TIME, None)
    hung = await interact(rig, SILENT, sleeps, limits=limits, judge_limits=limits)
    assert (hung.program.exceeded, hung.interactor.exceeded) == (None, Exceeded.TIME)
    assert hung.program_ended
    alone = await interact(rig, sleeps, "pass", limits=limits)
    assert (alone.program.exceeded, alone.first) == (Exceeded.TIME, Speaker.INTERACTOR)


@pytest.mark.parametrize("interactor", [SILENT, "input()"])  # one that listens, one that is gone
async def test_program_that_says_too_much_is_ended(rig: Rig, interactor: str) -> None:
    found = await interact(rig, WRITES, interactor, limits=replace(LIMITS, output_bytes=MIB))
    assert found.program.exceeded is Exceeded.OUTPUT
    assert not found.program_ended


async def test_interactor_gets_arguments_and_files_and_leaves_feedback(rig: Rig) -> None:
    interactor = """
        import sys
        with open(sys.argv[2] + "/judgemessage.txt", "w") as file:
            file.write(open(sys.argv[1]).read() + input())
    """
    found = await interact(
        rig,
        "print('said')",
        interactor,
        args=["input.txt", "feedback"],
        files={"input.txt": b"case ", "feedback/": b""},
        fetch=["feedback/judgemessage.txt", "feedback/score.txt"],
    )
    assert found.interactor.files == {"feedback/judgemessage.txt": b"case said"}


async def test_program_cannot_see_what_the_interactor_was_given(rig: Rig) -> None:
    program = """
        import os, pathlib
        print(sorted(os.listdir(".")), flush=True)
        print(any(b"4711" in path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")), flush=True)
    """
    interactor = """
        import sys
        seen = input() + input()
        sys.exit(0 if "input.txt" not in seen and "True" not in seen else 1)
    """
    found = await interact(rig, program, interactor, args=["4711"], files={"input.txt": b"4711"})
    if rig.mode != "none":
        assert found.interactor.exit_code == 0


async def test_pipes_can_be_opened_anew(rig: Rig) -> None:
    program = """
        with open("/dev/stdout", "w") as out, open("/dev/stdin") as given:
            print("ready", file=out, flush=True)
            print("heard", given.readline().strip(), file=out, flush=True)
    """
    found = await interact(rig, program, "assert input() == 'ready'; print(5, flush=True); assert input() == 'heard 5'")
    assert (found.program.exit_code, found.interactor.exit_code) == (0, 0), found.program.stderr


async def test_executed_programs_converse(rig: Rig) -> None:
    if not rig.engine.toolchains["cpp"].here:
        pytest.skip("needs a C++ compiler")
    program = """
        #include <iostream>
        int main() { for (int n; std::cin >> n;) std::cout << n * n << std::endl; }
    """
    interactor = """
        #include <iostream>
        int main() { for (int i = 0; i < 100; i++) { std::cout << i << std::endl; int n; if (!(std::cin >> n) || n != i * i) return 43; } return 42; }
    """
    found = await interact(rig, program, interactor, languages=("cpp", "cpp"), accepts=42)
    assert (found.program.exit_code, found.interactor.exit_code) == (0, 42)


async def test_plain_runs_after_a_conversation_find_their_slot_as_ever(rig: Rig) -> None:
    await interact(rig, ECHO, ASKS_TWICE)
    run = await rig.run("import sys; print(sys.stdin.read())", b"input")
    assert run.stdout == b"input\n"
    await interact(rig, SILENT, SILENT)
    assert (await rig.run("print(1)")).stdout == b"1\n"


async def test_cancelled_conversation_leaves_nothing(rig: Rig) -> None:
    await interact(rig, ECHO, ASKS_TWICE)
    before = footprint()
    slot = await rig.slot()
    task = asyncio.create_task(interact(rig, "while True: pass", SILENT))
    await until(lambda: bool(slot.processes()))
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    await until(lambda: footprint().processes == before.processes)
    found = await interact(rig, ECHO, ASKS_TWICE)
    assert found.program.exit_code == 0
    assert footprint().descriptors <= before.descriptors + 6  # compiled programs stay
