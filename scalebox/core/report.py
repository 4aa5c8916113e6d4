"""What became of the test code of an assert case, as the harness in the box reports it. Reading trusts nothing.

A report is one JSON object (``outcome``, ``message``, ``exception``) and a newline; anything else is no report, and no
report is never a pass. ``message`` may quote what the test code compares with: it is shown only with full detail.
"""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import Final


class Outcome(enum.StrEnum):
    """How the test code ended."""

    PASSED = "passed"
    """It ran to its normal end, having used the program."""
    FAILED = "failed"
    """It raised: a failed assertion, or any error of its own over what the program returned."""
    RAISED = "raised"
    """The program raised what the test code did not catch."""
    PROGRAM_DIED = "program_died"
    """The program ended, or broke the protocol, before the test code was through."""
    BROKEN_TEST = "broken_test"
    """The test code does not compile, defines no ``check``, or never uses the program."""
    UNSUPPORTED = "unsupported"
    """The test code wants what cannot cross between boxes; it is to run in one box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One outcome. ``exception`` names the exception's class; empty where there was none."""

    outcome: Outcome
    message: str
    exception: str


MAX_REPORT_BYTES: Final = 64 << 10


def parse_report(data: bytes) -> Report:
    """Read a report.

    Raises:
        ValueError: the bytes are no complete report.
    """
    if len(data) > MAX_REPORT_BYTES:
        msg = f"a report has at most {MAX_REPORT_BYTES} bytes"
        raise ValueError(msg)
    if not data.endswith(b"\n"):
        msg = "the report is incomplete"
        raise ValueError(msg)
    try:
        tree = json.loads(data.decode("utf-8", "replace"))
    except RecursionError:
        msg = "the report nests too deep"
        raise ValueError(msg) from None
    if not isinstance(tree, dict) or set(tree) != {"outcome", "message", "exception"}:
        msg = "a report has outcome, message and exception"
        raise ValueError(msg)
    outcome, message, exception = tree["outcome"], tree["message"], tree["exception"]
    if not isinstance(outcome, str) or not isinstance(message, str) or not isinstance(exception, str):
        msg = "outcome, message and exception are strings"
        raise ValueError(msg)
    return Report(outcome=Outcome(outcome), message=_clean(message), exception=_clean(exception))


def _clean(text: str) -> str:
    """Without lone surrogates, which no reply can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
