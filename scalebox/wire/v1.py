"""The request and reply shapes of the v1 API. Shapes only: meaning is given to them in ``convert_v1``.

Requests refuse unknown fields and lax types. Replies, when a client reads them, ignore fields it does not know.
A field ``x`` of bytes is given as text in ``x`` or as base64 in ``x_base64``.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

MAX_ID: Final = 128

Detail = Literal["verdict", "cases", "full"]
PriorityV1 = Literal["interactive", "evaluation", "training"]


class Request(BaseModel):
    """Base of what clients send."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class LimitsV1(Request):
    """What one run may spend. ``_s`` are seconds, ``_mb`` are MiB."""

    cpu_s: float = Field(default=10.0, gt=0, le=3600)
    wall_s: float | None = Field(default=None, gt=0, le=7200)
    """Default: 2 * cpu_s + 2."""
    memory_mb: float = Field(default=1024, gt=0, le=1 << 20)
    """Resident memory of the whole process tree."""
    output_mb: float = Field(default=16, gt=0, le=1024)
    """Standard output; over it the verdict is OLE."""
    processes: int = Field(default=64, ge=1, le=4096)
    disk_mb: float = Field(default=64, gt=0, le=1 << 16)
    compile_s: float = Field(default=30.0, gt=0, le=600)
    judge_s: float = Field(default=10.0, gt=0, le=600)


class CheckerV1(Request):
    """A checker with its options."""

    name: str
    case_sensitive: bool = True
    abs: float = Field(default=1e-6, ge=0)
    rel: float = Field(default=1e-6, ge=0)
    mode: Literal["either", "abs", "rel"] = "either"
    exact_integers: bool = True
    """``floats``: whether an integer in the answer must be met exactly."""
    space_sensitive: bool = False
    """``tokens`` and ``floats``: whether the blanks between tokens count."""
    ordered: bool = True
    """``tokens``: whether their order counts, or only how often each comes."""
    unit: Literal["lines", "tokens"] = "lines"
    """``unordered``: what is compared."""
    as_set: bool = False
    """``unordered``: whether it does not count how often an element comes."""
    tokens_any_order: bool = False
    """``unordered``: whether the tokens of a line may come in any order, too."""


class ProgramTextV1(Request):
    """A judge's program: ``source``, or ``files`` (relative path -> text) and which of them is the ``entry``."""

    language: str
    source: str | None = None
    files: dict[str, str] | None = None
    entry: str | None = None
    flags: list[str] = Field(default_factory=list)
    """Further arguments."""
    limits: LimitsV1 | None = None
    """Default: ``judge_s`` of the problem, 1 GiB."""


class ProgramCheckerV1(ProgramTextV1):
    """A checker that is a program."""

    name: Literal["program"]
    protocol: Literal["function", "files", "argv", "testlib", "kattis"]
    order: list[Literal["input", "answer", "output"]] | None = None
    """``argv``: which paths are its arguments. Default: input, answer, output."""
    when: Literal["undecided", "always"] = "undecided"
    """``undecided``: not for an output that is byte-equal to the answer."""


class InteractorV1(ProgramTextV1):
    """A program that converses with the submission."""

    protocol: Literal["testlib", "kattis", "gcj"]


def _checker_form(value: object) -> str:
    if isinstance(value, str):
        return "text"
    name = value.get("name") if isinstance(value, dict) else getattr(value, "name", None)
    return "program" if name == "program" else "object"


AnyChecker = Annotated[
    Annotated[str, Tag("text")] | Annotated[CheckerV1, Tag("object")] | Annotated[ProgramCheckerV1, Tag("program")],
    Discriminator(_checker_form),
]


class ToleranceV1(Request):
    """Declared tolerance of a call case's floats."""

    abs: float = Field(default=0.0, ge=0)
    rel: float = Field(default=0.0, ge=0)


class TestV1(Request):
    """What every kind of test has."""

    name: str | None = Field(default=None, max_length=200)
    """Default: its index."""
    group: str | None = Field(default=None, max_length=200)
    weight: float = Field(default=1.0, ge=0, le=1e9)
    checker: AnyChecker | None = None
    """Overrides the problem's."""


class StdioV1(TestV1):
    """Bytes in, bytes out."""

    kind: Literal["stdio"]
    input: str | None = None
    input_base64: str | None = None
    answer: str | None = None
    answer_base64: str | None = None
    args: list[str] = Field(default_factory=list)
    files: dict[str, str] = Field(default_factory=dict)
    """Relative path -> base64."""


class CallV1(TestV1):
    """Call a function, compare its value. Values are JSON or ``{"$float": "nan"}`` and its kin."""

    kind: Literal["call"]
    function: str
    """``f`` or ``Solution().f``."""
    args: list[object]
    kwargs: dict[str, object] = Field(default_factory=dict)
    answer: object
    mutated: int | None = Field(default=None, ge=0)
    """Compare this argument after the call instead of the value."""
    tolerance: ToleranceV1 | None = None
    arg_types: list[str | None] = Field(default_factory=list)
    """Where arguments are LeetCode's: ``ListNode``, ``TreeNode`` or a list of either, one for each argument."""
    return_type: str | None = None
    """Likewise of the value; the answer writes it as a list."""


class AssertV1(TestV1):
    """Test code that raises when the program is wrong."""

    kind: Literal["assert"]
    code: str
    style: Literal["check", "bare", "append"]
    entry_point: str | None = None
    prompt: str | None = None
    stop_tokens: list[str] = Field(default_factory=list)


class UnitV1(TestV1):
    """Test files that a unit-test framework runs against the program."""

    kind: Literal["unit"]
    framework: str
    """``pytest``, ``go_test``, ``junit`` or ``jest``."""
    files: dict[str, str] = Field(min_length=1)
    """Relative path -> text."""
    program: str | None = None
    """Where the tests expect the program's file. Default: the framework's."""
    tests: list[str] = Field(default_factory=list)
    """Names of the tests that must run and pass. Default: those that the framework finds."""
    score: Literal["all", "share"] = "all"
    """``share``: the share of the tests that passed counts."""


class InteractiveV1(TestV1):
    """A conversation with the problem's interactor."""

    kind: Literal["interactive"]
    input: str | None = None
    input_base64: str | None = None
    answer: str | None = None
    answer_base64: str | None = None
    args: list[str] = Field(default_factory=list)


AnyTest = Annotated[StdioV1 | CallV1 | AssertV1 | UnitV1 | InteractiveV1, Field(discriminator="kind")]


class ProblemV1(Request):
    """Tests, a checker, limits."""

    tests: list[AnyTest] = Field(min_length=1)
    checker: AnyChecker | None = None
    """Default: ``tokens``."""
    interactor: InteractorV1 | None = None
    """Needed by tests of kind ``interactive``."""
    groups: dict[str, Literal["sum", "min"]] = Field(default_factory=dict)
    """What the tests of a group earn together: each its weight, or all of it times the share of the worst."""
    limits: LimitsV1 = LimitsV1()


class ExtractionPolicyV1(Request):
    """What may be taken for the program of a completion."""

    parts: Literal["auto", "one", "all"] = "auto"
    """How several blocks of one language make a program: ``auto`` joins two of which one reads the input and calls the other."""
    unfenced: bool = True
    """Code without a fence."""
    other_language: bool = True
    """A block in another language than the one hinted at."""
    unclosed_thought: bool = True
    """The last draft in a thought that never ends."""


class JudgeV1(Request):
    """``POST /v1/judge``: exactly one of completion and source, exactly one of problem and problem_id."""

    completion: str | None = None
    source: str | None = None
    language: str | None = None
    """Needed with ``source``, a hint with ``completion``."""
    extraction: ExtractionPolicyV1 | None = None
    """With ``completion`` only."""
    problem: ProblemV1 | None = None
    problem_id: str | None = None
    """``sha256:`` and 64 hexadecimal digits: a problem registered before."""
    stop_on_failure: bool = False
    in_order: bool = False
    """With stop_on_failure: every case before the first failure in case order is judged, and that failure names the verdict."""
    detail: Detail = "cases"
    deadline_s: float = Field(default=300.0, gt=0, le=86_400)
    hardened_only: bool = False
    id: str | None = Field(default=None, min_length=1, max_length=MAX_ID)
    priority: PriorityV1 = "training"
    """The class of the request among those of the same key: the more urgent goes first, and none starves."""
    learned_limits: bool = False
    """Hold the program to a time limit that accepted submissions of the problem have shown to be enough, where that is less."""
    fresh: bool = False
    """Run it, also where an identical submission is being judged or its judgement is remembered."""
    registered_judge: bool = True
    """False compares as the problem says, and by default where it says nothing, whatever judge is in use for it."""


class RunV1(Request):
    """``POST /v1/run``: one run, no opinion."""

    completion: str | None = None
    source: str | None = None
    language: str | None = None
    extraction: ExtractionPolicyV1 | None = None
    stdin: str | None = None
    stdin_base64: str | None = None
    args: list[str] = Field(default_factory=list)
    files: dict[str, str] = Field(default_factory=dict)
    fetch_files: list[str] = Field(default_factory=list)
    limits: LimitsV1 = LimitsV1()
    deadline_s: float = Field(default=300.0, gt=0, le=86_400)
    priority: PriorityV1 = "training"


class Reply(BaseModel):
    """Base of what the server sends. Fields that a reply leaves out were never set."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class UsageV1(Reply):
    """What a run spent."""

    cpu_s: float
    wall_s: float
    memory_bytes: int


class JudgementUsageV1(UsageV1):
    """What a judgement spent, waiting included."""

    queue_s: float


class IsolationV1(Reply):
    """What stood between the program and the machine."""

    level: str
    walls: list[str]


class CheckV1(Reply):
    """A checker's word."""

    stage: Literal["cheap", "judge"]
    name: str
    detail: str | None
    points: float | None
    answer_excerpt: str | None = None
    """Only with full detail."""
    broke: bool = False
    """Whether the judge broke over the output and was found sound elsewhere, so that the output is refused. Left out where it is false."""


class UnitResultV1(Reply):
    """What became of one test of a unit-test framework."""

    name: str
    """Without full detail the parameters of a test are their number."""
    outcome: Literal["passed", "failed", "error", "skipped", "not_run"]
    counts: bool = True
    """False where the test's own text skips it or says that it fails. Left out where it is true."""
    message: str | None = None
    """Only with full detail."""


class CaseV1(Reply):
    """Verdict and evidence for one case. The output fields come with full detail only."""

    name: str
    verdict: str
    reason: str | None
    exit_code: int | None
    signal: int | None
    cpu_s: float
    wall_s: float
    memory_bytes: int
    hardened: bool = True
    """Left out where it is true."""
    checker: CheckV1 | None
    stdout: str | None = None
    stdout_base64: str | None = None
    stdout_truncated: bool = False
    stderr: str | None = None
    stderr_base64: str | None = None
    stderr_truncated: bool = False
    transcript: str | None = None
    """Of an interactive case: lines of the program after ``> ``, of the interactor after ``< ``."""
    transcript_base64: str | None = None
    transcript_truncated: bool = False
    tests: list[UnitResultV1] | None = None
    """Of a unit case; left out of others."""


class ExtractionV1(Reply):
    """What was found in a completion; the source comes with full detail only."""

    language: str
    rule: str
    source: str | None = None


class CompileV1(Reply):
    """The compiler's word: ``ok``, ``CE``, ``JE`` (test files do not compile, whatever the program) or ``IE``."""

    verdict: Literal["ok", "CE", "JE", "IE"]
    cached: bool
    cpu_s: float
    wall_s: float
    message: str


class JudgeNameV1(Reply):
    """A judge of the registry."""

    id: str
    problem: str
    """The problem's name in the registry."""
    version: int


class JudgementV1(Reply):
    """Verdict and evidence for a submission. ``cases`` is left out at detail ``verdict``."""

    id: str
    verdict: str
    reason: str | None
    reward: float | None
    score: float | None
    passed: int
    ran: int
    total: int
    hardened: bool
    cases: list[CaseV1] = Field(default_factory=list)
    extraction: ExtractionV1 | None
    compile: CompileV1 | None
    usage: JudgementUsageV1
    isolation: IsolationV1
    versions: dict[str, str]
    node: str
    origin: Literal["run", "shared", "cached"] = "run"
    """``shared``: of the run of an identical submission that was being judged; ``cached``: of an earlier one. Left out where
    it is ``run``."""
    learned_cpu_s: float | None = None
    """The time limit that was learned and took the place of the one given. Left out where that one held."""
    judge: JudgeNameV1 | None = None
    """The registered judge that took the place of the default comparison. Left out where none did."""


class RegisteredV1(Reply):
    """``POST /v1/problems``, ``PUT /v1/problems/{id}``."""

    id: str
    tests: int
    bytes: int
    """Of the canonical text."""
    kept: Literal["disk", "memory"]
    """In memory alone a problem does not survive a restart."""


class RunReplyV1(Reply):
    """What one run did. ``limit`` is the limit that ended it; a compile error leaves exit_code and signal null."""

    exit_code: int | None
    signal: int | None
    limit: Literal["TLE", "MLE", "OLE"] | None
    reason: str | None
    stdout: str
    stdout_base64: str | None = None
    stderr: str
    stderr_base64: str | None = None
    stderr_truncated: bool = False
    files: dict[str, str]
    """Path -> base64; a file that is absent is left out."""
    usage: UsageV1
    compile: CompileV1 | None
    extraction: ExtractionV1 | None
    isolation: IsolationV1


class LanguageV1(Reply):
    """A language and the world of its programs."""

    id: str
    name: str
    aliases: list[str]
    available: bool
    version: str | None
    reason: str | None
    compiled: bool
    world: dict[str, str]


class LanguagesV1(Reply):
    """``GET /v1/languages``."""

    languages: list[LanguageV1]


class HealthIsolationV1(IsolationV1):
    """The walls that are up, and why others are not."""

    missing_walls: dict[str, str]


class SlotsV1(Reply):
    """Programs that may run at once, and that do."""

    total: int
    busy: int


class CellsV1(Reply):
    """The processes of a server: how many there are to be, and how many take work."""

    total: int
    up: int


class HealthV1(Reply):
    """``GET /healthz``."""

    status: Literal["ok"]
    ready: bool
    isolation: HealthIsolationV1
    slots: SlotsV1
    queued: int
    cells: CellsV1 = CellsV1(total=1, up=1)
    languages: dict[str, bool]
    version: str
    node: str


class ErrorBodyV1(Reply):
    """What was wrong, where, and what to do."""

    code: str
    field: str | None
    message: str
    hint: str | None


class ErrorV1(Reply):
    """Every error reply."""

    error: ErrorBodyV1


ReplyT = TypeVar("ReplyT", bound=Reply)
