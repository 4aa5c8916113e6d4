"""Problems and their test cases: what a submission is judged against. Pure values."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scalebox.core.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerSpec:
    """Which checker compares output and answer, with its options."""

    name: str = "tokens"
    case_sensitive: bool = True
    absolute: float = 1e-6
    relative: float = 1e-6
    mode: str = "either"
    """``either``, ``abs`` or ``rel``: which tolerance must hold."""
    exact_integers: bool = True
    """Whether ``floats`` keeps a token exact where the answer's token is an integer."""
    decisions_any_case: bool = False
    """Whether ``floats`` takes words such as ``YES`` and ``impossible`` in any case."""
    space_sensitive: bool = False
    """Whether ``tokens`` and ``floats`` also compare the blanks between tokens."""
    ordered: bool = True
    """Whether ``tokens`` compares in order; otherwise each token must come as often as in the answer, anywhere."""
    unit: str = "lines"
    """``lines`` or ``tokens``: what ``unordered`` compares."""
    as_set: bool = False
    """Whether ``unordered`` leaves out of account how often an element comes."""
    tokens_any_order: bool = False
    """Whether ``unordered`` takes the tokens of a line in any order, too."""


class CheckerProtocol(enum.StrEnum):
    """How a checker that is a program is given output and answer, and how it says what it found."""

    FUNCTION = "function"
    """Python: ``validate_solution(stdin_path, stdout_path, answer_path)``, True accepts; `stdout` is the jury's answer."""
    FILES = "files"
    """stdin.txt, stdout.txt (the jury's answer), answer.txt (the program's output); exit 0 accepts, 1 rejects."""
    ARGV = "argv"
    """Paths as arguments in a declared order; exit 0 accepts, 1 rejects."""
    TESTLIB = "testlib"
    """Arguments INPUT OUTPUT ANSWER; exit 0 accepts, 1 and 2 reject, 3 is the judge's failure, 7 gives points."""
    KATTIS = "kattis"
    """Arguments INPUT ANSWER FEEDBACK_DIR and flags, output on standard input; exit 42 accepts, 43 rejects."""


class AskWhen(enum.StrEnum):
    """When a program checker is asked."""

    UNDECIDED = "undecided"
    """Unless the output is byte-equal to the answer."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramText:
    """The text of a judge's program: one source, or several files and the one to start with."""

    language: str
    files: Mapping[str, str]
    """Relative path -> text."""
    entry: str
    """Which of the files is compiled or run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramChecker:
    """A checker that is a program; it runs in a box of its own, on copies, once the submission is dead."""

    protocol: CheckerProtocol
    program: ProgramText
    order: Sequence[str] = ("input", "answer", "output")
    """Which paths an ``argv`` checker is given, in which order."""
    flags: Sequence[str] = ()
    """Further arguments."""
    when: AskWhen = AskWhen.UNDECIDED
    limits: Limits | None = None
    """Default: ``judge_seconds`` of the problem, 1 GiB."""


class InteractorProtocol(enum.StrEnum):
    """How an interactor is started and how it says what it found."""

    TESTLIB = "testlib"
    """Arguments INPUT OUTPUT_LOG ANSWER; exit codes as a testlib checker's."""
    KATTIS = "kattis"
    """Arguments INPUT ANSWER FEEDBACK_DIR and flags; exit 42 accepts, 43 rejects."""
    GCJ = "gcj"
    """The case's own arguments; exit 0 accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interactor:
    """A program that converses with the submission, each in a box of its own."""

    protocol: InteractorProtocol
    program: ProgramText
    flags: Sequence[str] = ()
    limits: Limits | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Declared tolerance for floats in the value of a call case; either one suffices."""

    absolute: float = 0.0
    relative: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCase:
    """What every kind of test case has."""

    __test__: ClassVar[bool] = False

    name: str
    group: str | None = None
    weight: float = 1.0
    checker: CheckerSpec | ProgramChecker | None = None
    """Overrides the problem's checker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioCase(TestCase):
    """Bytes in on standard input, bytes out on standard output."""

    input: bytes
    answer: bytes
    args: Sequence[str] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Relative path in the working directory -> content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCase(TestCase):
    """Call ``function`` with plain values; the value is compared outside the box."""

    function: str
    """``f`` or ``Solution().f``."""
    args: Sequence[object]
    answer: object
    kwargs: Mapping[str, object] = field(default_factory=dict)
    mutated: int | None = None
    """Compare this argument after the call instead of the returned value."""
    tolerance: Tolerance | None = None
    arg_types: Sequence[str | None] = ()
    """By position: ``ListNode``, ``TreeNode`` or a list of either, which the box builds of the argument (see ``core.nodes``). As
    many as there are arguments, or none; any other type changes nothing."""
    return_type: str | None = None
    """Likewise of the returned value, which the answer writes as a list."""


class AssertStyle(enum.StrEnum):
    """How the test code of an assert case meets the program."""

    CHECK = "check"
    """Defines ``check(candidate)``, called with the entry point (HumanEval)."""
    BARE = "bare"
    """Statements that use the program's names (MBPP)."""
    APPEND = "append"
    """Text that follows the program, with its own main where the language has one (MultiPL-E)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertCase(TestCase):
    """Test code that raises when the program is wrong."""

    code: str
    style: AssertStyle
    entry_point: str | None = None
    prompt: str | None = None
    """Put in front of a program that only continues it."""
    stop_tokens: Sequence[str] = ()
    """The program is cut at the first of these after its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCase(TestCase):
    """Test files that a unit-test framework runs against the program."""

    framework: str
    """Id or alias of the framework's definition."""
    files: Mapping[str, str]
    """Relative path -> text: the test files, and what they need beside them."""
    program: str | None = None
    """Where the tests expect the program's file; None means where the framework's definition says."""
    tests: Sequence[str] = ()
    """Names of the tests that must run and pass; none where the framework is to find them."""
    partial: bool = False
    """Whether a program earns the share of the tests that it passed; else all or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractiveCase(TestCase):
    """A conversation between the program and the problem's interactor."""

    input: bytes = b""
    answer: bytes = b""
    args: Sequence[str] = ()
    """Arguments of the interactor (``gcj``)."""


class GroupRule(enum.StrEnum):
    """What the cases of a group earn together."""

    SUM = "sum"
    """Each its own weight."""
    MIN = "min"
    """All of the group's weight, times the share that the worst of them earned."""


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Problem:
    """Test cases, limits and a checker. At least one test.

    Whoever made it with lists and dicts of his own may change them between two judgements, and what they hold is judged; while
    one is under way nothing of it may change. Call cases whose values hold tuples, no lists or dicts, are hashed only once.
    """

    tests: Sequence[TestCase]
    checker: CheckerSpec | ProgramChecker = field(default_factory=CheckerSpec)
    interactor: Interactor | None = None
    groups: Mapping[str, GroupRule] = field(default_factory=dict)
    """How the cases of a group count in the score; by default their sum."""
    limits: Limits = field(default_factory=Limits)
