"""What a client hands in: model text, or source ready to judge, and how it wants to be answered."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scalebox.core.limits import Limits
from scalebox.core.tenant import DEFAULT_TENANT


class Parts(enum.StrEnum):
    """How the blocks of one completion, all of one language, make a program."""

    AUTO = "auto"
    """One block; with it a later one that reads the input and calls what it defines."""
    ONE = "one"
    """One block, whatever the others are."""
    ALL = "all"
    """All blocks, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionPolicy:
    """What may be taken for the program of a completion."""

    parts: Parts = Parts.AUTO
    unfenced: bool = True
    """Code without a fence around it."""
    other_language: bool = True
    """A block in another language than the one hinted at, where there is no better one."""
    unclosed_thought: bool = True
    """The last draft in a thought that never ends, where nothing follows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Model text before extraction; ``language`` is a hint, not an order."""

    text: str
    language: str | None = None
    policy: ExtractionPolicy = field(default_factory=ExtractionPolicy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """Source and language, ready to judge."""

    source: str
    language: str


class Priority(enum.StrEnum):
    """The class of a submission, most urgent first. Shares are set so that none starves."""

    INTERACTIVE = "interactive"
    """Somebody waits for it."""
    EVALUATION = "evaluation"
    TRAINING = "training"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """How one judgement is to be made."""

    stop_on_failure: bool = False
    deadline_seconds: float = 300.0
    """From the call on, time in the queue included."""
    hardened_only: bool = False
    """Refuse (JE) what can only be judged inside the program's own process."""
    in_order: bool = False
    """Under stop-on-failure, start cases in case order and judge every one before the first failure; otherwise the
    likeliest failure goes first, as earlier judgements of the problem have shown."""
    learned_limits: bool = False
    """Hold the program to a time limit that accepted submissions of the problem have shown to be enough, where that is
    less than the one given."""
    fresh: bool = False
    """Run it, whatever is known: neither share the run of an identical submission nor take a remembered judgement."""
    registered_judge: bool = True
    """Let the registered judge in use for the problem take the place of the default comparison; False keeps what the problem says."""
    priority: Priority = Priority.TRAINING
    """Among the submissions of one tenant."""
    tenant: str = DEFAULT_TENANT
    """Whose it is; a name that is not configured counts as the default one."""
    keep_output: bool = False
    """Carry stdout, stderr and answer excerpts in the case results."""
    id: str | None = None
    """At most 128 characters; echoed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """One run without an opinion on right or wrong."""

    stdin: bytes = b""
    args: Sequence[str] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    fetch_files: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)
    deadline_seconds: float = 300.0
    priority: Priority = Priority.TRAINING
    tenant: str = DEFAULT_TENANT
