"""Run the test files of a unit case: beside the program's box where they can be, else in it. No opinion on the tests."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import UnitCase
from scalebox.core.result import CaseResult, RunResult
from scalebox.core.unit_report import End, UnitReport, parse_unit_report
from scalebox.judge.ends import not_hardened, quiet, verdict_of_end
from scalebox.judge.plan import Mode, Step
from scalebox.judge.unit import required, unit_result
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import Runner

_OFF_LOOP_BYTES: Final = 1 << 18
Judged = tuple[CaseResult, RunResult | None]


async def run_unit(
    runner: Runner, pair: Pair, program: Program, step: Step, limits: Limits, hardened_only: bool
) -> Judged:
    """Run the tests of one case to its verdict.

    Raises:
        SandboxError: no box could be had, twice.
    """
    if step.mode is Mode.UNIT:
        return await _two_boxes(runner, pair, program, step, limits, hardened_only)
    return await _one_box(runner, pair, program, step, limits, hardened_only)


async def _two_boxes(
    runner: Runner, pair: Pair, program: Program, step: Step, limits: Limits, hardened_only: bool
) -> Judged:
    case, files, spec = _unit_parts(step)
    both = await runner.converse(pair, program, spec, limits, limits.judge_seconds, files)
    report = await _read(both.driver, "")
    end, driver_end = verdict_of_end(both.program), verdict_of_end(quiet(both.driver))
    if driver_end is not None:
        report = replace(report, end=End.UNFINISHED)
    if report.end is End.UNFINISHED:
        # What the framework chokes on came from the program: charged to us it would be a way to escape a verdict.
        return unit_result(case, report, end or driver_end), both.program
    if report.end is not End.UNSUPPORTED:
        return unit_result(case, report, end), both.program
    if hardened_only:
        return not_hardened(step.case.name), both.program
    token = secrets.token_hex(16)
    files[str(spec["program"])] = step.source
    run = await runner.one_box(pair, program, spec, token.encode() + b"\n", _with_framework(step, limits), files)
    told = required(report.tests, await _read(run, token))
    return replace(unit_result(case, told, verdict_of_end(quiet(run))), hardened=False), run


async def _one_box(
    runner: Runner, pair: Pair, program: Program, step: Step, limits: Limits, hardened_only: bool
) -> Judged:
    if hardened_only:
        return not_hardened(step.case.name), None
    case, files, spec = _unit_parts(step)
    token = secrets.token_hex(16)
    read = _read_by_tests(step, files, spec)
    run = await runner.one_box(pair, program, {}, token.encode() + b"\n", _with_framework(step, limits), read)
    report = await _read(run, token)
    return replace(unit_result(case, report, verdict_of_end(quiet(run))), hardened=False), run


async def _read(run: RunResult, token: str) -> UnitReport:
    """The report of a run; a long one in a thread, so that nobody else waits for it."""
    value = run.value or b""
    if len(value) > _OFF_LOOP_BYTES:
        return await asyncio.to_thread(parse_unit_report, value, token)
    return parse_unit_report(value, token)


def _unit_parts(step: Step) -> tuple[UnitCase, dict[str, bytes], dict[str, object]]:
    """The case, its files, and what a harness in the warm interpreter is told."""
    case, framework = step.case, step.framework
    assert isinstance(case, UnitCase)  # ruff: ignore[assert] - the plan pairs mode and case
    assert framework is not None  # ruff: ignore[assert] - the plan names it
    assert framework.unit is not None  # ruff: ignore[assert] - the plan looks
    files = {path: text.encode("utf-8", "surrogatepass") for path, text in case.files.items()}
    spec: dict[str, object] = {
        "framework": framework.id,
        "library": framework.unit.library,
        "program": case.program or framework.unit.program,
        "paths": [path for path in sorted(files) if framework.unit.tests.search(path)],
        "files": dict(sorted(files.items())),
    }
    return case, files, spec


def _read_by_tests(step: Step, files: Mapping[str, bytes], spec: Mapping[str, object]) -> dict[str, bytes]:
    """What compiled tests may read as they run: every file that is not compiled itself. Others are laid out with the program."""
    if step.language.compile is None:
        return {}
    compiled = PurePosixPath(str(spec["program"])).suffix
    return {path: content for path, content in files.items() if PurePosixPath(path).suffix != compiled}


def _with_framework(step: Step, limits: Limits) -> Limits:
    """The limits of a process that the program shares with its framework."""
    assert step.framework is not None  # ruff: ignore[assert] - the plan names it
    assert step.framework.unit is not None  # ruff: ignore[assert] - the plan looks
    more = step.framework.unit.cpu_seconds
    limits = replace(limits, cpu_seconds=limits.cpu_seconds + more, wall_seconds=limits.wall + 2 * more)
    if step.mode is Mode.UNIT_ONE_BOX:  # the program is the framework's, whose memory is known of
        return limits
    return replace(limits, memory_bytes=limits.memory_bytes + step.framework.runtime.memory_mb * MIB)
