"""What each language costs: compiling and running its right self-test in a box, beside the same commands run plainly.

Box and plain command take turns, so that a machine whose speed drifts slows both alike; figures are medians of the rounds.
``start`` is the plain run of the self-test, which is little more than the start of the runtime; ``case`` the same as a case.
Both run several times a round, because a run of a few milliseconds is easily doubled by chance.

    python benchmarks/language_costs.py [--rounds 7] [--isolation strict] [--only java,go] [--write docs/languages.md]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scalebox.assembly import Engine, open_engine
from scalebox.config import load_settings
from scalebox.core.limits import MIB, Limits
from scalebox.core.verdict import Verdict
from scalebox.languages.definition import Language, SelfTest
from scalebox.runner.archive import archive
from scalebox.runner.cache import ProgramCache
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import Input, Runner
from scalebox.runner.toolchains import prove

BEGIN: Final = "<!-- written by benchmarks/language_costs.py: begin -->"
END: Final = "<!-- written by benchmarks/language_costs.py: end -->"
MEMORY_MB: Final = 256
LIMITS: Final = Limits(memory_bytes=MEMORY_MB * MIB, compile_seconds=120)
RUNS: Final = 5
"""Runs and cases of a language in a round."""
GOAL_FACTOR: Final = 1.3
GOAL_MS: Final = 3.0
"""No language is to cost more than so many times its plain compile and run, or so much more, whichever is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Milliseconds, medians; a plain figure and the isolated one."""

    plain_compile: float
    compile: float
    start: float
    case: float

    @property
    def kept(self) -> bool:
        """Whether the goal is kept."""
        plain = self.plain_compile + self.start
        return self.compile + self.case <= max(GOAL_FACTOR * plain, plain + GOAL_MS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One language: its version and what it costs, or why it is not here."""

    language: Language
    version: str | None
    reason: str | None = None
    cost: Cost | None = None


class Plain:
    """A language's commands in a folder of ours, without any wall.

    Args:
        language: whose.
        test: the program.
        optional: whether the compiler's optional arguments are used.
        environment: what every program finds.
    """

    def __init__(self, language: Language, test: SelfTest, *, optional: bool, environment: Mapping[str, str]) -> None:
        self._language = language
        self._test = test
        self._names = language.names(test.source)
        self._optional = optional
        self._folder = tempfile.TemporaryDirectory(prefix="scalebox-plain-")
        self._environment = {**environment, "HOME": self._folder.name, "TMPDIR": self._folder.name}
        self.path = Path(self._folder.name)

    def compile(self) -> float:
        """Compile once, in an empty folder, as some compilers do nothing where they find what they left; the milliseconds of the compiler alone."""
        for path in self.path.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        (self.path / self._names.file).write_text(self._test.source, encoding="utf-8")
        for name, text in self._language.support.items():
            (self.path / name).write_text(text, encoding="utf-8")
        spec = self._language.compile
        if spec is None:
            return 0.0
        argv = spec.argv(self._names, *self._language.support, optional=self._optional)
        spent = self._timed(argv, spec.environment, b"")
        if spec.pack is not None:
            base = self.path / spec.pack
            files = {str(path.relative_to(base)): path.read_bytes() for path in base.rglob("*") if path.is_file()}
            (self.path / spec.artifact).write_bytes(archive(files, ""))
        return spent

    def run(self) -> float:
        """Run once; milliseconds."""
        argv = self._language.argv(self._names, MEMORY_MB)
        return self._timed(argv, self._language.surroundings(self._names, MEMORY_MB), self._test.input)

    def _timed(self, argv: Sequence[str], more: Mapping[str, str], given: bytes) -> float:
        environment = {**self._environment, **more}
        given_path = self.path / "given"
        given_path.write_bytes(given)  # boxes have a file there too, and some runtimes want to know its size
        began = time.perf_counter()
        with given_path.open("rb") as stdin:
            subprocess.run(argv, cwd=self.path, env=environment, stdin=stdin, capture_output=True, check=True)  # ruff: ignore[subprocess-without-shell-equals-true] - the commands of our own definitions
        return (time.perf_counter() - began) * 1000

    def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()


async def measure(engine: Engine, language: Language, rounds: int) -> Row:
    """Prove a language and measure it."""
    test = next(test for test in language.self_tests if test.verdict is Verdict.AC)
    async with engine.pool.lease() as pair:
        found = await prove(pair, language, engine.toolchains[language.id], engine.work_folder)
        if found.version is None:
            return Row(language=language, version=None, reason=found.reason)
        runner = Runner(ProgramCache(0, 0), engine.work_folder, {language.id: found})
        plain = Plain(language, test, optional=found.optional, environment=engine.slots.environment)
        try:
            costs = [await _round(runner, pair, language, test, plain) for _ in range(rounds)]
        finally:
            plain.close()
    cost = Cost(
        plain_compile=statistics.median(cost.plain_compile for cost in costs),
        compile=statistics.median(cost.compile for cost in costs),
        start=statistics.median(cost.start for cost in costs),
        case=statistics.median(cost.case for cost in costs),
    )
    return Row(language=language, version=found.version, cost=cost)


async def _round(runner: Runner, pair: Pair, language: Language, test: SelfTest, plain: Plain) -> Cost:
    plain_compile = plain.compile()
    began = time.perf_counter()
    program = await runner.compile(pair, language, test.source.encode(), LIMITS)
    compiled = time.perf_counter()
    if not isinstance(program, Program):
        raise SystemExit(f"{language.id}: {program.message}")
    await _case(runner, pair, program, test)  # the program is laid into the work folder once for all cases
    starts = []
    cases = []
    for _ in range(RUNS):
        starts.append(plain.run())
        cases.append(await _case(runner, pair, program, test))
    return Cost(
        plain_compile=plain_compile,
        compile=(compiled - began) * 1000 if language.compile is not None else 0.0,
        start=statistics.median(starts),
        case=statistics.median(cases),
    )


async def _case(runner: Runner, pair: Pair, program: Program, test: SelfTest) -> float:
    began = time.perf_counter()
    run = await runner.run(pair, program, Input(stdin=test.input), LIMITS)
    spent = (time.perf_counter() - began) * 1000
    if run.stdout.split() != test.answer.split():
        raise SystemExit(f"{program.language.id}: {run.reason or run.stderr.decode(errors='replace')}")
    return spent


def table(rows: Sequence[Row], *, machine: str) -> str:
    """The rows as a table in Markdown, with what was measured and where."""
    lines = [
        f"Milliseconds, medians; {machine}. *kept*: compiling and running in a box cost at most {GOAL_FACTOR} times the plain commands, or {GOAL_MS:g} ms more.",
        "",
        "| id | language | version | plain compile | compile | plain run | case | kept |",
        "|---|---|---|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        start = f"| `{row.language.id}` | {row.language.name} |"
        cost = row.cost
        if cost is None:
            lines.append(f"{start} not here: {_short(row.reason or '')} | | | | | |")
            continue
        compiled = f"{cost.plain_compile:.0f} | {cost.compile:.0f}" if row.language.compile else "- | -"
        kept = "yes" if cost.kept else "no"
        lines.append(f"{start} {row.version} | {compiled} | {cost.start:.1f} | {cost.case:.1f} | {kept} |")
    return "\n".join(lines)


def _short(reason: str) -> str:
    return reason.partition(";")[0].replace("|", "/").replace("\n", " ")[:80]


def written(text: str, made: str) -> str:
    """A page with the table in its place.

    Raises:
        ValueError: the page has no place for it.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no lines {BEGIN} and {END}")
    return f"{before}{begin}\n\n{made}\n\n{end}{after}"


async def measured(isolation: str, rounds: int, only: Sequence[str]) -> tuple[Sequence[Row], str]:
    """Every language wanted, and the level they were measured at."""
    async with open_engine(load_settings({"slots": 1, "isolation": isolation})) as engine:
        rows = []
        for language in engine.catalogue.tongues():
            if only and language.id not in only:
                continue
            rows.append(await measure(engine, language, rounds))
            print(table(rows[-1:], machine="").splitlines()[-1], flush=True)
        return rows, engine.walls.level.value


def main() -> None:
    """Measure, print, and write the page where one is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--isolation", default="strict")
    parser.add_argument("--only", default="", help="ids, separated by commas")
    parser.add_argument("--write", type=Path, help="page to write the table into")
    parser.add_argument("--note", default="", help="what to say of the machine, such as that others were using it")
    given = parser.parse_args()
    only = [name for name in given.only.split(",") if name]
    rows, level = asyncio.run(measured(given.isolation, given.rounds, only))
    note = f", {given.note}" if given.note else ""
    machine = f"level `{level}`, {given.rounds} rounds of {RUNS} runs and cases, {len(os.sched_getaffinity(0))} CPUs, Linux {platform.release()}{note}"
    if given.write is not None:
        made = table(rows, machine=machine)
        given.write.write_text(written(given.write.read_text(encoding="utf-8"), made), encoding="utf-8")


if __name__ == "__main__":
    main()
