"""What juries call verdicts: folder names, `@EXPECTED_RESULTS@` markers and Polygon tags. Pure tables and their reading."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from scalebox.core.verdict import Verdict
from scalebox.packages.package import AGAINST_A_RUN, Due

_CRASH: Final = frozenset({Verdict.RTE, Verdict.MLE, Verdict.OLE})
"""Jury tools tell a program killed over memory or output from one that crashed no better than the kernel does."""
_SLOW: Final = frozenset({Verdict.TLE})
_WRONG: Final = frozenset({Verdict.WA})
_RIGHT: Final = frozenset({Verdict.AC})

ACCEPTED: Final = Due(verdicts=_RIGHT)

FOLDERS: Final = MappingProxyType({
    "accepted": ACCEPTED,
    "partially_accepted": Due(verdicts=_RIGHT, partial=True),
    "slow_accepted": Due(verdicts=_RIGHT | _SLOW),
    "wrong_answer": Due(verdicts=_WRONG),
    "presentation_error": Due(verdicts=_WRONG),
    "no_output": Due(verdicts=_WRONG),
    "time_limit_exceeded": Due(verdicts=_SLOW),
    "timelimit": Due(verdicts=_SLOW),
    "run_time_error": Due(verdicts=_CRASH),
    "runtime_error": Due(verdicts=_CRASH),
    "memory_limit_exceeded": Due(verdicts=frozenset({Verdict.MLE, Verdict.RTE})),
    "output_limit_exceeded": Due(verdicts=frozenset({Verdict.OLE, Verdict.RTE})),
    "compile_error": Due(verdicts=frozenset({Verdict.CE})),
    "compiler_error": Due(verdicts=frozenset({Verdict.CE})),
    "brute_force": Due(verdicts=_SLOW | _CRASH),
    "rejected": Due(verdicts=AGAINST_A_RUN),
})
"""Folders below ``submissions/``."""

_MARKER: Final = re.compile(r"@EXPECTED_RESULTS@:[ \t]*([A-Za-z_, \t-]*)")
_MARKS: Final = MappingProxyType({
    "CORRECT": _RIGHT,
    "ACCEPTED": _RIGHT,
    "WRONG_ANSWER": _WRONG,
    "NO_OUTPUT": _WRONG,
    "PRESENTATION_ERROR": _WRONG,
    "TIMELIMIT": _SLOW,
    "TIME_LIMIT_EXCEEDED": _SLOW,
    "RUN_ERROR": _CRASH,
    "RUN_TIME_ERROR": _CRASH,
    "MEMORY_LIMIT": _CRASH,
    "OUTPUT_LIMIT": _CRASH,
    "COMPILER_ERROR": frozenset({Verdict.CE}),
})

TAGS: Final = MappingProxyType({
    "main": ACCEPTED,
    "accepted": ACCEPTED,
    "wrong-answer": Due(verdicts=_WRONG),
    "presentation-error": Due(verdicts=_WRONG),
    "time-limit-exceeded": Due(verdicts=_SLOW),
    "memory-limit-exceeded": Due(verdicts=frozenset({Verdict.MLE, Verdict.RTE})),
    "time-limit-exceeded-or-accepted": Due(verdicts=_SLOW | _RIGHT),
    "time-limit-exceeded-or-memory-limit-exceeded": Due(verdicts=_SLOW | {Verdict.MLE}),
    "rejected": Due(verdicts=AGAINST_A_RUN),
    "failed": Due(verdicts=_CRASH),
})
"""Tags of Polygon's solutions."""


def marked(source: str) -> Due | None:
    """What a source's own `@EXPECTED_RESULTS@` marker says; None where it has none.

    Raises:
        ValueError: the marker names what is no verdict; in words.
    """
    found = _MARKER.search(source)
    if found is None:
        return None
    names = [name.strip(" \t-").upper().replace("-", "_") for name in found[1].split(",")]
    unknown = [name for name in names if name not in _MARKS]
    if unknown:
        msg = f"@EXPECTED_RESULTS@ names {unknown[0][:40]!r}; known are {', '.join(_MARKS)}"
        raise ValueError(msg)
    return Due(verdicts=frozenset[Verdict]().union(*(_MARKS[name] for name in names)))
