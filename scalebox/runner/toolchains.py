"""Find out which languages can be judged here: look for the tools, then ask one for its version and judge a right program, in a box.

A missing tool is a finding, never a verdict.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

from scalebox.core.limits import MIB, Limits
from scalebox.core.result import CompileResult
from scalebox.core.verdict import Verdict
from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import Kind, Language, SelfTest
from scalebox.runner.boxes import make_job
from scalebox.runner.cache import ProgramCache
from scalebox.runner.compiler import Toolchain
from scalebox.runner.pool import Pair
from scalebox.runner.program import manifest
from scalebox.runner.runner import Input, Runner

_PROBE_LIMITS: Final = Limits(cpu_seconds=10, memory_bytes=1024 * MIB, output_bytes=MIB)


def look(catalogue: Catalogue, path: str) -> dict[str, Toolchain]:
    """Which tools of each language are not here, told without running any."""
    return {language.id: _looked(language, path) for language in catalogue}


def _looked(language: Language, path: str) -> Toolchain:
    missing = [] if language.kind is Kind.ZYGOTE else [tool for tool in language.tools if not _find(tool, path)]
    reason = f"{', '.join(missing)} not found; {language.install.hint}" if missing else None
    return Toolchain(version=None, reason=reason)


async def _probe(pair: Pair, language: Language) -> Toolchain:
    """Ask a toolchain for its version, in a box."""
    argv = list(language.probe.command)
    if language.kind is Kind.ZYGOTE:
        argv[0] = pair.python
    told = manifest({"mode": "exec", "argv": argv, "environment": {}})
    outcome = await (await pair.main()).run(make_job(told, _PROBE_LIMITS))
    text = (outcome.stdout + b"\n" + outcome.stderr).decode("utf-8", "replace")
    version = language.probe.version(text)
    if outcome.reply.code or version is None:
        return Toolchain(version=None, reason=f"{argv[0]} does not work in the box: {text.strip()[:200]}")
    return Toolchain(version=version)


async def prove(pair: Pair, language: Language, found: Toolchain, work: str) -> Toolchain:
    """Ask for the version and judge the definition's right program, with the compiler's optional arguments and, if that fails, without.

    Args:
        found: what a look told.
        work: where programs find themselves, as boxes see it.

    Raises:
        SandboxError: no box could be had.
    """
    if found.reason is None:
        found = await _probe(pair, language)
    if found.version is None:
        return found
    right = next(test for test in language.self_tests if test.verdict is Verdict.AC)
    optional = language.compile is not None and bool(language.compile.optional)
    reason = ""
    for use_optional in (True, False) if optional else (False,):
        trial = replace(found, optional=use_optional)
        reason = await _judge(pair, language, right, trial, work)
        if not reason:
            return trial
    return Toolchain(version=None, reason=f"its self-test fails: {reason}")


async def _judge(pair: Pair, language: Language, test: SelfTest, toolchain: Toolchain, work: str) -> str:
    """What is wrong with a toolchain, or nothing."""
    runner = Runner(ProgramCache(0, 0), work, {language.id: toolchain})
    unit = language.unit
    tests = {} if unit is None else {name: text.encode() for name, text in unit.self_test.items()}
    named = language if unit is None else replace(language, source_name=unit.program)
    program = await runner.compile(pair, named, test.source.encode(), Limits(), tests)
    if isinstance(program, CompileResult):
        return f"it does not compile: {program.message.strip()[:300]}"
    run = await runner.run(pair, program, Input(stdin=test.input), Limits(cpu_seconds=test.cpu_seconds))
    if run.exit_code != 0 or run.exceeded is not None or run.reason is not None:
        return f"exit code {run.exit_code}, {run.reason or run.stderr.decode('utf-8', 'replace').strip()[:300]}"
    if unit is not None or run.stdout.split() == test.answer.split():  # a framework's exit code is its word
        return ""
    said = (run.stdout + b" " + run.stderr).decode("utf-8", "replace").strip()[:300]
    return f"its output is wrong: {said or 'there is none'}"


def _find(tool: str, path: str) -> bool:
    """Whether a command is on the path, or a file is there."""
    return Path(tool).exists() if tool.startswith("/") else shutil.which(tool, os.F_OK | os.X_OK, path) is not None
