"""C and C++ submissions to real contest problems get the verdict of a plain compiled run."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from acceptance import gold, plain, shared
from acceptance.gold import Gold
from acceptance.judging import ask, settle
from scalebox.core.ports import Judge
from scalebox.core.problem import CheckerSpec

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

ONE_IN: Final = 12


async def test_native_submissions_agree_with_a_plain_run(judge: Judge) -> None:
    """Those that were published as right and that nobody verified."""
    if not (shutil.which("g++") and shutil.which("gcc") and shutil.which("prlimit")):
        pytest.skip("needs gcc, g++ and prlimit")
    found = [
        entry
        for kind in gold.DEFAULT
        for entry in gold.entries(kind)
        if entry.submission["language"] in {"c", "cpp"} and entry.submission["expected"] == "AC"
    ]
    taken = [entry for entry in found if shared.chosen(entry.id, ONE_IN)]
    runs = await asyncio.gather(*(asyncio.to_thread(plainly, entry) for entry in taken))
    items = [gold.item(entry, run.due, run.evidence) for entry, run in zip(taken, runs, strict=True)]
    await settle("fidelity native", items, lambda one: ask(judge, one))


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a plain run of a compiled program came to."""

    due: frozenset[str]
    evidence: str


def plainly(entry: Gold) -> Truth:
    """Compile and run a submission on its tests until the first failure."""
    with tempfile.TemporaryDirectory() as folder:
        program = plain.build_native(entry.submission["code"], entry.submission["language"], Path(folder))
        if program is None:
            return Truth(due=frozenset({"CE"}), evidence="does not compile")
        for failure in _failures(entry, program):
            return failure
    return Truth(due=frozenset({"AC"}), evidence="passes")


def _failures(entry: Gold, program: Path) -> Iterator[Truth]:
    spec = gold.checker_of(entry.row)
    assert isinstance(spec, CheckerSpec)
    for test in entry.row["tests"]:
        run = plain.run_native([str(program)], test["input"].encode(), gold.cpu_seconds(entry))
        if run.timed_out:
            yield Truth(due=frozenset({"TLE"}), evidence=f"{test['name']}: out of time")
        elif run.exit_code != 0:
            yield Truth(due=frozenset({"RTE"}), evidence=f"{test['name']}: exit code {run.exit_code}")
        elif not same(run.stdout.split(), test["output"].encode().split(), spec):
            yield Truth(due=frozenset({"WA"}), evidence=f"{test['name']}: another output")


def same(output: list[bytes], answer: list[bytes], spec: CheckerSpec) -> bool:
    """Kattis' default comparison, apart from the code under test."""
    return len(output) == len(answer) and all(_same_token(o, a, spec) for o, a in zip(output, answer, strict=True))


def _same_token(output: bytes, answer: bytes, spec: CheckerSpec) -> bool:
    if output.lower() == answer.lower():
        return True
    if spec.name != "floats":
        return False
    try:
        difference, size = abs(float(output) - float(answer)), abs(float(answer))
    except ValueError:
        return False
    by_absolute = spec.mode != "rel" and difference <= spec.absolute
    return by_absolute or (spec.mode != "abs" and difference <= spec.relative * size)
