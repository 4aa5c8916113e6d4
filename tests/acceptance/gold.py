"""Contest problems of every kind of checker, with their submissions and the verdicts due. Pure but for reading the shared data."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from acceptance import shared
from acceptance.judging import Item
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AskWhen,
    CheckerProtocol,
    CheckerSpec,
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
)
from scalebox.core.submission import Submission
from scalebox.packages.default_validator import checker_of as default_checker

FILE: Final = "data/fidelity_gold.jsonl.gz"
OUTPUTS: Final = "data/checker_gold.jsonl.gz"
DEFAULT: Final = ("none", "float")
"""Problems with Kattis' default comparison."""
PROTOCOLS: Final = {
    "python": CheckerProtocol.ARGV,
    "kattis_validator": CheckerProtocol.KATTIS,
    "testlib_cpp": CheckerProtocol.TESTLIB,
}
"""Problems with a program that judges outputs."""
INTERACTIVE: Final = ("gcj_interactor", "kattis_interactor")
KINDS: Final = (*DEFAULT, *PROTOCOLS, *INTERACTIVE)

NO_LIMIT_SECONDS: Final = 30.0
WALL_SECONDS: Final = 300.0
JUDGE_SECONDS: Final = 60.0
MEMORY_MIB: Final = 1024
AGAINST: Final = frozenset({"WA", "TLE", "MLE", "RTE", "OLE"})
"""What a submission that is not right may get: evidence, and no acceptance."""
PRINTS: Final = Submission(
    source='import shutil, sys\nwith open("printed", "rb") as file:\n    shutil.copyfileobj(file, sys.stdout.buffer)\n',
    language="python",
)
"""A program whose output is what another one printed, which lies beside it."""
_ENTRIES: Final = {"python": (".py",), "cpp": (".cpp", ".cc")}


class GoldChecker(TypedDict):
    """How a contest problem compares outputs, or converses."""

    kind: str
    flags: NotRequired[str | None]
    language: NotRequired[str]
    files: NotRequired[dict[str, str]]
    code: NotRequired[str]
    tool_py3: NotRequired[str]
    tool_args: NotRequired[list[str]]


class GoldTest(TypedDict):
    """One test of a contest problem."""

    name: str
    input: str
    output: str


class GoldSubmission(TypedDict):
    """One submission to a contest problem with the verdict due."""

    name: str
    language: str
    code: str
    expected: str | None
    expected_any: NotRequired[list[str]]
    label: str
    max_s: NotRequired[float | None]
    includes_local: NotRequired[bool]
    """Whether the source includes files of its repository, which are not here."""


class GoldRow(TypedDict):
    """One contest problem."""

    id: str
    time_limit_s: float | None
    tests_complete: bool
    checker: GoldChecker
    tests: list[GoldTest]
    submissions: list[GoldSubmission]


class OutputRow(TypedDict):
    """An output, and what the problem's official checker said of it."""

    problem: str
    test: str
    output: str
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What a submission printed on a test."""

    test: GoldTest
    output: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A submission and its contest problem."""

    row: GoldRow
    submission: GoldSubmission

    @property
    def id(self) -> str:
        """Problem and submission."""
        return f"{self.row['id']} {self.submission['name']}"


def rows(kind: str) -> list[GoldRow]:
    """The contest problems of a kind."""
    return [row for row in shared.read(FILE, GoldRow) if row["checker"]["kind"] == kind]


def entries(kind: str) -> Iterator[Gold]:
    """Every submission to the problems of a kind."""
    for row in rows(kind):
        for submission in row["submissions"]:
            yield Gold(row=row, submission=submission)


def evidence(kind: str) -> list[Gold]:
    """The submissions whose label is proof: verified, or wrong as published on all of the problem's tests."""
    return [entry for entry in entries(kind) if entry.submission["label"] == "verified" or is_published_wrong(entry)]


def is_published_wrong(entry: Gold) -> bool:
    """Whether a submission was published as wrong, and all tests are here to show it."""
    submission = entry.submission
    return submission["label"] == "as_published" and submission["expected"] == "WA" and entry.row["tests_complete"]


def due(entry: Gold) -> frozenset[str]:
    """The verdicts due.

    Only a verified submission is known to fail in the way it is labelled. The recorder limited the address space, so
    where it saw a MemoryError (RTE) we may see the limit itself.
    """
    expected = entry.submission["expected"]
    if is_published_wrong(entry):
        return AGAINST
    verdicts = frozenset(entry.submission.get("expected_any", [])) if expected is None else frozenset({expected})
    return verdicts | {"MLE"} if "RTE" in verdicts else verdicts


def is_right(entry: Gold) -> bool:
    """Whether the submission is known to be right, however long it takes."""
    return "AC" in due(entry)


def cpu_seconds(entry: Gold) -> float:
    """The time limit: twice what the recording machine took or more, and lenient where running out of time is not what is due.

    The recorded seconds are another machine's, and a busy one of ours may be three times slower.
    """
    limit, slowest = entry.row["time_limit_s"], entry.submission.get("max_s")
    if "TLE" not in due(entry) or (limit is None and slowest is None):
        return max(NO_LIMIT_SECONDS, 3 * (limit or 0.0) + 1, 4 * (slowest or 0.0))
    return max(3 * limit + 1 if limit else 0.0, 2 * slowest if slowest else 0.0)


def is_whole(entry: Gold) -> bool:
    """Whether nothing that the source needs is missing here."""
    return not entry.submission.get("includes_local", False)


def submission_of(entry: Gold) -> Submission:
    """The submission."""
    return Submission(source=entry.submission["code"], language=entry.submission["language"])


def item(entry: Gold, verdicts: frozenset[str], words: str) -> Item:
    """The submission with all tests of its problem; the first failure ends it, as at the contest."""
    return Item(
        id=entry.id,
        submission=submission_of(entry),
        problem=problem(entry.row, cpu_seconds(entry)),
        due=verdicts,
        plain=words,
        stop_on_failure=True,
    )


def problem(row: GoldRow, seconds: float) -> Problem:
    """The contest problem with all its tests."""
    limits = Limits(
        cpu_seconds=seconds,
        wall_seconds=max(WALL_SECONDS, 3 * seconds),
        memory_bytes=MEMORY_MIB * MIB,
        judge_seconds=JUDGE_SECONDS,
    )
    kind = row["checker"]["kind"]
    if kind == "gcj_interactor":  # its tool has the cases in itself
        tests = [InteractiveCase(name="tool", args=row["checker"].get("tool_args", []))]
        return Problem(tests=tests, interactor=interactor_of(row), limits=limits)
    if kind in INTERACTIVE:
        conversations = [
            InteractiveCase(name=test["name"], input=test["input"].encode(), answer=test["output"].encode())
            for test in row["tests"]
        ]
        return Problem(tests=conversations, interactor=interactor_of(row), limits=limits)
    cases = [
        StdioCase(name=test["name"], input=test["input"].encode(), answer=test["output"].encode())
        for test in row["tests"]
    ]
    return Problem(tests=cases, checker=checker_of(row), limits=limits)


def printed_problem(row: GoldRow, captured: Sequence[Captured], when: AskWhen) -> Problem:
    """The contest problem with one case for each output, for the submission `PRINTS`."""
    cases = [
        StdioCase(
            name=f"{index} {one.test['name']}",
            input=one.test["input"].encode(),
            answer=one.test["output"].encode(),
            files={"printed": one.output},
        )
        for index, one in enumerate(captured)
    ]
    return Problem(tests=cases, checker=checker_of(row, when), limits=problem(row, NO_LIMIT_SECONDS).limits)


def checker_of(row: GoldRow, when: AskWhen = AskWhen.UNDECIDED) -> CheckerSpec | ProgramChecker:
    """What compares the outputs of a contest problem, as its kind is to be run."""
    flags = (row["checker"].get("flags") or "").split()
    kind = row["checker"]["kind"]
    if kind in DEFAULT:
        return default_checker(flags)
    return ProgramChecker(protocol=PROTOCOLS[kind], program=program_of(row["checker"]), flags=flags, when=when)


def interactor_of(row: GoldRow) -> Interactor:
    """What converses with the submissions: Code Jam's local testing tool, or an interactive output validator."""
    checker = row["checker"]
    if "tool_py3" in checker:
        text = ProgramText(language="python", files={"tool.py": checker["tool_py3"]}, entry="tool.py")
        return Interactor(protocol=InteractorProtocol.GCJ, program=text)
    flags = (checker.get("flags") or "").split()
    return Interactor(protocol=InteractorProtocol.KATTIS, program=program_of(checker), flags=flags)


def program_of(checker: GoldChecker) -> ProgramText:
    """The program that judges a contest problem."""
    if "code" in checker:
        return one_file("python", checker["code"])
    language, files = checker["language"], checker["files"]
    entry = next(name for name in sorted(files) if name.endswith(_ENTRIES[language]))
    return ProgramText(language=language, files=files, entry=entry)


def one_file(language: str, source: str) -> ProgramText:
    """A judge of one file."""
    return ProgramText(language=language, files={"judge": source}, entry="judge")


def lacking(kind: str) -> str | None:
    """What this machine lacks to judge problems of a kind, in words; None where it lacks nothing."""
    if kind == "testlib_cpp" and not _has_testlib():
        return "testlib.h is not on the include path, nor named by SCALEBOX_TESTLIB"
    if kind in {"kattis_validator", "testlib_cpp", "kattis_interactor"} and not shutil.which("g++"):
        return "needs g++"
    return None


def _has_testlib() -> bool:
    folders = [Path("/usr/include"), Path("/usr/local/include")]
    return bool(os.environ.get("SCALEBOX_TESTLIB")) or any((folder / "testlib.h").is_file() for folder in folders)


def seconds_of(entry: Gold) -> float:
    """How long the submission took on its slowest test where it was recorded; 0 where nobody noted it."""
    return entry.submission.get("max_s") or 0.0


def part(found: Sequence[Gold], one_in: int) -> list[Gold]:
    """In a bounded run, the submissions to the problems whose hash falls in one of ``one_in`` classes."""
    return [entry for entry in found if shared.chosen(entry.row["id"], one_in)]
