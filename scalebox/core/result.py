"""What came of it: of one run, of one case, of a whole submission. Pure values."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scalebox.core.limits import Usage
from scalebox.core.verdict import Verdict


class Exceeded(enum.StrEnum):
    """The limit that ended a run, named by the verdict it leads to."""

    TIME = "TLE"
    MEMORY = "MLE"
    OUTPUT = "OLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """Exit, usage and output of one run; no opinion on right or wrong."""

    exit_code: int | None
    """None when a signal ended it."""
    signal: int | None
    exceeded: Exceeded | None
    reason: str | None = None
    """Which limit, in words, where one was exceeded."""
    usage: Usage
    stdout: bytes
    stderr: bytes
    stderr_truncated: bool = False
    value: bytes | None = None
    """What came over the value channel of a call or assert case."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Fetched files; one that is absent or no regular file is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """A checker's word on one output."""

    verdict: Verdict
    """AC, WA or JE."""
    name: str
    stage: str = "cheap"
    """``cheap`` or ``judge``."""
    detail: str | None = None
    """The first difference, without any of the answer's content."""
    answer_excerpt: str | None = None
    """What the answer has there; shown only when the client asked for full detail."""
    points: float | None = None
    """Share of the case's weight earned, where the checker gives points: 1 is all of it, and more only a Kattis
    judge gives, where the weight is not the most that can be had."""
    broke: bool = False
    """Whether the judge broke over the output, which is refused because the judge is sound elsewhere."""

    @property
    def said(self) -> Verdict:
        """The judge's own word: JE where it broke, whatever that came to."""
        return Verdict.JE if self.broke else self.verdict


class UnitOutcome(enum.StrEnum):
    """What became of one test of a unit-test framework."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    """It could not be run: its file could not be loaded, or what it needs failed."""
    SKIPPED = "skipped"
    NOT_RUN = "not_run"
    """It is known of, and nothing was heard of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """One test of a unit-test framework."""

    name: str
    outcome: UnitOutcome
    counts: bool = True
    """False where the test's own text skips it, or says that it fails: then it need not pass."""
    message: str | None = None
    """What the framework said. It may quote the test code, so it is shown only with full detail."""


def bare_name(name: str) -> str:
    """A test's name without what may quote values of the test code: its parameters, or a title in prose."""
    return name.partition("[")[0].partition(" > ")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """Verdict and evidence for one case."""

    name: str
    verdict: Verdict
    reason: str | None = None
    exit_code: int | None = None
    signal: int | None = None
    usage: Usage = field(default_factory=Usage)
    check: CheckResult | None = None
    hardened: bool = True
    """False when the program shared a process with what judged it."""
    stdout: bytes | None = None
    stderr: bytes | None = None
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    transcript: bytes | None = None
    """What program and interactor said to each other: lines of the program after ``> ``, of the interactor after ``< ``."""
    transcript_truncated: bool = False
    tests: Sequence[UnitResult] | None = None
    """The tests of a unit case, one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionResult:
    """The source found in a completion and the rule that chose it."""

    language: str
    rule: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileResult:
    """The compiler's word on a submission."""

    verdict: Verdict | None
    """None when it compiled, else CE (JE where a judge's files are at fault, or IE)."""
    cached: bool
    usage: Usage
    message: str = ""
    """Diagnostics, capped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """What stood between the program and the machine."""

    level: str
    """``strict``, ``standard`` or ``none``."""
    walls: Sequence[str]
    """The walls that were up, by name."""


class Origin(enum.StrEnum):
    """Where the case results of a judgement come from."""

    RUN = "run"
    """The program was run for this request."""
    SHARED = "shared"
    """It was run for an identical submission that was being judged when this one came."""
    CACHED = "cached"
    """It was run for an identical submission before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeName:
    """Which judge of the registry compared the outputs."""

    id: str
    problem: str
    """The problem's name in the registry."""
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Verdict and evidence for a submission."""

    id: str
    verdict: Verdict
    reason: str | None
    """Why, where the verdict is not that of a case (``no_code``, ``deadline``)."""
    reward: float | None
    score: float | None
    """Weighted share of the cases that passed, and of the points that checkers gave; the reward under stop-on-failure;
    None exactly when the reward is."""
    passed: int
    ran: int
    total: int
    hardened: bool
    cases: Sequence[CaseResult]
    """Always ``total`` entries, in case order."""
    extraction: ExtractionResult | None
    compile: CompileResult | None
    usage: Usage
    queue_seconds: float
    isolation: Isolation
    versions: Mapping[str, str]
    """``scalebox``, and the language's toolchain by language id."""
    node: str
    origin: Origin = Origin.RUN
    learned_cpu_seconds: float | None = None
    """The time limit that was learned and took the place of the one given; None where that one held."""
    judge: JudgeName | None = None
    """The registered judge that took the place of the default comparison; None where none did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """The answer to a run request; ``run`` is None when the source did not compile or no code was found."""

    run: RunResult | None
    compile: CompileResult | None
    extraction: ExtractionResult | None
    isolation: Isolation


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageStatus:
    """A language and whether it can be judged here."""

    id: str
    name: str
    aliases: Sequence[str]
    available: bool
    version: str | None
    reason: str | None
    """Why it is not available, and what to install."""
    compiled: bool
    world: Mapping[str, str]
    """What a program finds: working directory, HOME, TZ, locale, packages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a judge can do right now."""

    ready: bool
    isolation: Isolation
    missing_walls: Mapping[str, str]
    """Wall -> why it is not up."""
    slots: int
    busy: int
    queued: int
    languages: Mapping[str, bool]
    """Language id -> available."""
    version: str
    node: str
    cells: int = 1
    """Processes that share the work of one server."""
    cells_up: int = 1
