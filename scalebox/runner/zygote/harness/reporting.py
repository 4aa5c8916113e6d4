"""Write what became of an assert case: one complete JSON object and a newline, or nothing that counts.

The words are those of ``scalebox.core.report``, which this side cannot import: it runs under the programs' interpreter.
"""

from __future__ import annotations

from scalebox.runner.zygote.harness.channel import write_all
from scalebox.runner.zygote.harness.codec import quote, to_bytes

PASSED = "passed"
FAILED = "failed"
RAISED = "raised"
PROGRAM_DIED = "program_died"
BROKEN_TEST = "broken_test"
UNSUPPORTED = "unsupported"

_MAX_MESSAGE = 1000


class Report:
    """One outcome, with the exception's name and a message where there was one."""

    __slots__ = ("exception", "message", "outcome")

    def __init__(self, outcome: str, message: str = "", exception: str = "") -> None:
        self.outcome = outcome
        self.message = message[:_MAX_MESSAGE]
        self.exception = exception[:200]

    def write(self, report_fd: int) -> None:
        """Write it whole."""
        parts = [f'"{name}":{quote(getattr(self, name))}' for name in ("outcome", "message", "exception")]
        write_all(report_fd, to_bytes(f"{{{','.join(parts)}}}\n"))


def of_exception(outcome: str, error: BaseException, filename: str) -> Report:
    """The report of an exception, with the last line of the file it went through."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException as second:  # ruff: ignore[blind-except] - an exception's own text may raise anything
        text = f"({type(second).__name__} in its text)"
    where = "" if line is None else f"line {line} of the test code: "
    return Report(outcome, where + text, type(error).__name__)
