"""ScaleBox tells whether a program written by a language model is right.

Everything public is here and loaded when first named: `ScaleBox` for synchronous code, `open_judge` for asynchronous,
`HttpJudge` for a running server, and the nouns they speak in.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scalebox.assembly import VERSION as __version__
    from scalebox.assembly import open_judge
    from scalebox.client.client import HttpJudge
    from scalebox.config import Settings
    from scalebox.core.errors import (
        DeadlineExceeded,
        IsolationUnavailable,
        LanguageUnavailable,
        QueueFull,
        RequestError,
        SandboxError,
        ScaleBoxError,
    )
    from scalebox.core.limits import Limits, Usage
    from scalebox.core.ports import Judge
    from scalebox.core.problem import (
        AskWhen,
        AssertCase,
        AssertStyle,
        CallCase,
        CheckerProtocol,
        CheckerSpec,
        GroupRule,
        InteractiveCase,
        Interactor,
        InteractorProtocol,
        Problem,
        ProgramChecker,
        ProgramText,
        StdioCase,
        Tolerance,
        UnitCase,
    )
    from scalebox.core.result import CaseResult, Judgement, Origin, RunReport, RunResult, UnitOutcome, UnitResult
    from scalebox.core.submission import (
        Completion,
        ExtractionPolicy,
        JudgeOptions,
        Parts,
        Priority,
        RunSpec,
        Submission,
    )
    from scalebox.core.verdict import Verdict, reward
    from scalebox.library import ScaleBox

_HOMES = {
    "scalebox.assembly": ("open_judge",),
    "scalebox.client.client": ("HttpJudge",),
    "scalebox.config": ("Settings",),
    "scalebox.core.errors": (
        "DeadlineExceeded",
        "IsolationUnavailable",
        "LanguageUnavailable",
        "QueueFull",
        "RequestError",
        "SandboxError",
        "ScaleBoxError",
    ),
    "scalebox.core.limits": ("Limits", "Usage"),
    "scalebox.core.ports": ("Judge",),
    "scalebox.core.problem": (
        "AskWhen",
        "AssertCase",
        "AssertStyle",
        "CallCase",
        "CheckerProtocol",
        "CheckerSpec",
        "GroupRule",
        "InteractiveCase",
        "Interactor",
        "InteractorProtocol",
        "Problem",
        "ProgramChecker",
        "ProgramText",
        "StdioCase",
        "Tolerance",
        "UnitCase",
    ),
    "scalebox.core.result": (
        "CaseResult",
        "Judgement",
        "Origin",
        "RunReport",
        "RunResult",
        "UnitOutcome",
        "UnitResult",
    ),
    "scalebox.core.submission": (
        "Completion",
        "ExtractionPolicy",
        "JudgeOptions",
        "Parts",
        "Priority",
        "RunSpec",
        "Submission",
    ),
    "scalebox.core.verdict": ("Verdict", "reward"),
    "scalebox.library": ("ScaleBox",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AskWhen",
    "AssertCase",
    "AssertStyle",
    "CallCase",
    "CaseResult",
    "CheckerProtocol",
    "CheckerSpec",
    "Completion",
    "DeadlineExceeded",
    "ExtractionPolicy",
    "GroupRule",
    "HttpJudge",
    "InteractiveCase",
    "Interactor",
    "InteractorProtocol",
    "IsolationUnavailable",
    "Judge",
    "JudgeOptions",
    "Judgement",
    "LanguageUnavailable",
    "Limits",
    "Origin",
    "Parts",
    "Priority",
    "Problem",
    "ProgramChecker",
    "ProgramText",
    "QueueFull",
    "RequestError",
    "RunReport",
    "RunResult",
    "RunSpec",
    "SandboxError",
    "ScaleBox",
    "ScaleBoxError",
    "Settings",
    "StdioCase",
    "Submission",
    "Tolerance",
    "UnitCase",
    "UnitOutcome",
    "UnitResult",
    "Usage",
    "Verdict",
    "__version__",
    "open_judge",
    "reward",
]


def __getattr__(name: str) -> object:
    """Load what is asked for."""
    if name == "__version__":
        return importlib.import_module("scalebox.assembly").VERSION
    home = _HOME_OF.get(name)
    if home is None:
        msg = f"module 'scalebox' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(importlib.import_module(home), name)
