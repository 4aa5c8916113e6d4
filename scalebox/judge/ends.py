"""What the end of a run says against the program. Pure."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Final

from scalebox.core.result import CaseResult, Exceeded, RunResult
from scalebox.core.verdict import Verdict

_LAST_LINE: Final = 200


def verdict_of_end(run: RunResult) -> tuple[Verdict, str] | None:
    """What a run's end says against the program, or None where it ended normally."""
    match run.exceeded:
        case Exceeded.TIME:
            return Verdict.TLE, run.reason or "time limit exceeded"
        case Exceeded.MEMORY:
            return Verdict.MLE, run.reason or "memory limit exceeded"
        case Exceeded.OUTPUT:
            return Verdict.OLE, run.reason or "output limit exceeded"
        case None:
            pass
    if run.reason is not None:
        return Verdict.RTE, run.reason
    if run.signal is not None:
        return Verdict.RTE, _with_last_line(f"killed by {_signal_name(run.signal)}", run)
    if run.exit_code != 0:
        return Verdict.RTE, _with_last_line(f"exit code {run.exit_code}", run)
    return None


def quiet(run: RunResult) -> RunResult:
    """Without its standard error, where test code wrote too: what it says may quote what it compares with."""
    return replace(run, stderr=b"")


def not_hardened(name: str) -> CaseResult:
    """The result of a case that only a weaker judging could decide."""
    reason = "not_hardened: this test code can only be run in the program's own process, which hardened_only forbids"
    return CaseResult(name=name, verdict=Verdict.JE, reason=reason)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _with_last_line(words: str, run: RunResult) -> str:
    """Add the last line of standard error, printable and short: it usually names the exception."""
    last = run.stderr.rstrip()[-2048:].rpartition(b"\n")[2].decode("utf-8", "replace")
    shown = "".join(char if char.isprintable() else "?" for char in last)[:_LAST_LINE]
    return f"{words}: {shown}" if shown else words
