"""What a box's end means: the slot's figures and flags as a result. Pure; holds nothing against our own failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scalebox.core.limits import Usage
from scalebox.core.result import CompileResult, Exceeded, RunResult
from scalebox.core.verdict import Verdict
from scalebox.runner.slot import Outcome
from scalebox.runner.zygote import protocol

_DIAGNOSTICS_BYTES: Final = 16384
TESTS_AT_FAULT: Final = 86
"""How the compile command of a unit-test framework ends where the test files, not the program, are at fault."""
_HARMLESS: Final = protocol.ENTERED | protocol.LOST_PLACE | protocol.STDERR_CUT
"""Flags of a reply that say nothing against the program."""


def usage_of(outcome: Outcome) -> Usage:
    """What a box used."""
    reply = outcome.reply
    return Usage(cpu_seconds=reply.cpu / 1e9, wall_seconds=reply.wall / 1e9, memory_bytes=reply.memory)


def result_of(outcome: Outcome, *, value: bytes | None = None, files: Mapping[str, bytes] | None = None) -> RunResult:
    """What a box's end means: the limit that ended it, else its exit."""
    reply = outcome.reply
    exceeded, reason = _exceeded(reply.flags) if reply.flags & ~_HARMLESS else (None, None)
    return RunResult(
        exit_code=None if reply.signal else reply.code,
        signal=reply.signal or None,
        exceeded=exceeded,
        reason=reason,
        usage=usage_of(outcome),
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        stderr_truncated=bool(reply.flags & protocol.STDERR_CUT),
        value=value,
        files={} if files is None else files,
    )


def _exceeded(flags: int) -> tuple[Exceeded | None, str | None]:
    table = (
        (protocol.OVER_MEMORY, Exceeded.MEMORY, "memory limit exceeded"),
        (protocol.OVER_OUTPUT, Exceeded.OUTPUT, "output limit exceeded"),
        (protocol.OVER_CPU, Exceeded.TIME, "CPU time limit exceeded"),
        (protocol.OVER_WALL, Exceeded.TIME, "wall time limit exceeded"),
        (protocol.OVER_PROCESSES, None, "more processes than allowed"),
        (protocol.OVER_DISK, None, "more disk space than allowed"),
    )
    for flag, exceeded, reason in table:
        if flags & flag:
            return exceeded, reason
    return None, None


def diagnostics(outcome: Outcome) -> str:
    """What a compiler said, cut to 16 KiB."""
    data = outcome.stderr + outcome.stdout
    text = data[:_DIAGNOSTICS_BYTES].decode("utf-8", "replace")
    return text + "\n[cut]" if len(data) > _DIAGNOSTICS_BYTES else text


def compile_failure(outcome: Outcome, *, with_tests: bool = False) -> CompileResult | None:
    """CE where the compiler ended badly or passed a limit; None where it ended well.

    Args:
        with_tests: whether test files are compiled with the program, which may be at fault instead (JE).
    """
    result = result_of(outcome)
    if result.reason is None and result.exit_code == 0:
        return None
    if result.reason is not None:
        return refused(outcome, f"the compiler was stopped: {result.reason}")
    verdict = Verdict.JE if with_tests and result.exit_code == TESTS_AT_FAULT else Verdict.CE
    return CompileResult(verdict=verdict, cached=False, usage=usage_of(outcome), message=diagnostics(outcome))


def refused(outcome: Outcome, why: str) -> CompileResult:
    """CE with a reason of ours before what the compiler said."""
    message = (why + "\n" + diagnostics(outcome)).strip()
    return CompileResult(verdict=Verdict.CE, cached=False, usage=usage_of(outcome), message=message)
