"""What a box can find in its own memory: no answer, no test code, nothing of another submission or of another input.

The markers of a test are random and share one shape. A scanner looks for the shape with a pattern that does not match itself.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from runner.rig import LIMITS, Rig, open_rig

from scalebox.assembly import VERSION
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import AssertCase, AssertStyle, CallCase, Problem, StdioCase
from scalebox.core.result import Isolation, Judgement
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.judge.local import LocalJudge, Place
from scalebox.judge.scheduler import Scheduler
from scalebox.runner.slot import tree_of

pytestmark = pytest.mark.sandbox

SCAN = """
import os, re
def scan():
    pattern = re.compile(b"[z]yx-[0-9a-f]{16}-[z]yx|[z]\\\\x00y\\\\x00x\\\\x00-\\\\x00")
    found = set()
    memory = os.open("/proc/self/mem", os.O_RDONLY)
    looked = 0
    for line in open("/proc/self/maps"):
        span, rights = line.split()[:2]
        start, end = (int(part, 16) for part in span.split("-"))
        while rights[0] == "r" and start < end:
            try:
                part = os.pread(memory, min(end - start, 1 << 20), start)
            except OSError:
                break
            looked += len(part)
            for match in pattern.findall(part):
                found.add(match.hex())
            start += max(len(part) - 64, 1) if len(part) == 1 << 20 else len(part) or 1
    assert looked > 1 << 20
    return sorted(found)
"""
FILES = """
import os
def files():
    found = []
    for top in ("/box", "/tmp", "/dev/shm", "/proc/self", "/proc/thread-self"):
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if path.endswith(("/main.py", "/mem", "/clear_refs", "kmsg")): continue
                try:
                    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                    data = os.read(fd, 1 << 20); os.close(fd)
                except OSError:
                    continue
                if b"zyx"[:3] + b"-" in data or b"zyx-" in path.encode(): found.append(path)
    return found
"""
LARGE = Limits(cpu_seconds=20, memory_bytes=512 * MIB, judge_seconds=20)


def marker() -> str:
    """Something no program can know."""
    return f"zyx-{secrets.token_hex(8)}-zyx"


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["strict", "standard"])
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    """One slot of its own, that ran nothing before."""
    try:
        async with open_rig(request.param) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


def judge_over(rig: Rig) -> LocalJudge:
    """A judge that has this one slot."""
    engine = rig.engine
    return LocalJudge(
        catalogue=engine.catalogue,
        toolchains=engine.toolchains,
        pool=engine.pool,
        runner=engine.runner,
        scheduler=Scheduler(engine.pool, 100),
        place=Place(
            isolation=Isolation(level=engine.walls.level.value, walls=engine.walls.names()),
            missing_walls={},
            version=VERSION,
            node="here",
            world={},
            work_folder=engine.work_folder,
        ),
    )


async def judged(rig: Rig, source: str, *cases: StdioCase | CallCase | AssertCase) -> Judgement:
    """Judge in full detail."""
    problem = Problem(tests=cases, limits=LARGE)
    options = JudgeOptions(keep_output=True)
    return await judge_over(rig).judge(Submission(source=source, language="python"), problem, options)


async def plant(rig: Rig) -> None:
    """Run submissions that are full of markers, on the slot that the scanner will get."""
    for index in range(3):
        word = marker()
        source = f"""
            import os, sys
            text = "{word}"
            def f(x): return text + x + str(os.environ)
            if __name__ == "__main__":
                held = [text + str(n) for n in range(2000)]
                print(text, sys.stdin.read(), sys.argv); print(text, file=sys.stderr)
                for n in range(200): open(text + "x" * n, "w").close(); os.mkdir("y" * (n + 1) + text)
                open("{marker()}", "w").write(text); open(os.environ["TMPDIR"] + "/{marker()}", "w").write(text)
        """
        run = await rig.run(
            source,
            marker().encode() * 50,
            args=[marker()],
            files={f"{marker()}/{marker()}": marker().encode()},
            fetch=[marker()],
        )
        assert run.exit_code == 0, run.stderr
        await rig.make(f"syntax error {marker()} {index}")
    calls = CallCase(name="0", function="f", args=[marker()], answer=marker())
    check = AssertCase(name="1", code=f"assert f('{marker()}') != '{marker()}'", style=AssertStyle.BARE)
    await judged(rig, f"def f(x): return x + '{marker()}'", calls, check)


async def test_scanner_finds_what_is_there(rig: Rig) -> None:
    word = marker()
    run = await rig.run(f"{SCAN}\nmine = '{word[:9]}' + '{word[9:]}'\nprint(scan())", limits=LARGE)
    assert word.encode().hex() in run.stdout.decode(), run.stderr


async def test_nothing_of_an_earlier_submission_in_memory_or_files(rig: Rig) -> None:
    await plant(rig)
    run = await rig.run(f"{SCAN}{FILES}\nprint(scan(), files())", limits=LARGE)
    assert (run.stdout, run.exit_code) == (b"[] []\n", 0), run.stderr


async def test_nothing_of_another_case_or_of_the_answers(rig: Rig) -> None:
    await plant(rig)
    cases = [
        StdioCase(name=str(n), input=marker().encode() * 20, answer=(marker() + "\n").encode() * 20) for n in range(4)
    ]
    judgement = await judged(rig, f"{SCAN}\nprint(scan())", *cases)
    assert [case.stdout for case in judgement.cases] == [b"[]\n"] * 4
    assert judgement.verdict is Verdict.WA


async def test_answer_of_a_call_case_is_not_in_the_box(rig: Rig) -> None:
    await plant(rig)
    cases = [
        CallCase(name="0", function="scan", args=[], answer=[]),
        CallCase(name="1", function="scan", args=[], answer=[marker()]),
        CallCase(name="2", function="scan", args=[], answer=[]),
    ]
    judgement = await judged(rig, SCAN, *cases)
    assert [case.verdict for case in judgement.cases] == [Verdict.AC, Verdict.WA, Verdict.AC]


@pytest.mark.parametrize("style", [AssertStyle.BARE, AssertStyle.CHECK])
async def test_test_code_is_not_in_the_programs_box(rig: Rig, style: AssertStyle) -> None:
    await plant(rig)
    body = f"    want = '{marker()}'  # {marker()}\n    got = scan()\n    assert got == [], 'found ' + '{marker()}'\n"
    code = f"def check(candidate):\n{body}" + ("" if style is AssertStyle.CHECK else "check(scan)\n")
    case = AssertCase(name=marker(), code=code, style=style, entry_point="scan", group=marker())
    judgement = await judged(rig, SCAN, case, case)
    assert judgement.verdict is Verdict.AC, judgement.cases
    assert judgement.hardened


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into another process's memory")
async def test_parent_holds_nothing(rig: Rig) -> None:
    await plant(rig)
    slot = await rig.slot()
    for pid in [slot.pid, *tree_of(slot.pid)]:
        assert found_in(pid) == 0


def found_in(pid: int) -> int:
    """How many markers a process holds."""
    count = 0
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights = line.split()[:2]
            if not rights.startswith("r") or "[v" in line:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            memory.seek(start)
            count += memory.read(end - start).count(b"zyx-")
    return count


async def test_descriptors_of_a_box_lead_nowhere_else(rig: Rig) -> None:
    await plant(rig)
    source = """
        import os
        for fd in range(3, 4096):
            try: print(fd, os.readlink("/proc/self/fd/" + str(fd)))
            except OSError: pass
        os.lseek(0, 0, os.SEEK_SET); print(os.read(0, 100))
    """
    run = await rig.run(source, b"mine", limits=LIMITS)
    assert run.stdout == b"b'mine'\n"
