"""LiveCodeBench's questions with known tests, and two models' programs with their official verdicts. Pure but for reading the shared data."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypedDict

from acceptance import shared
from acceptance.gold import AGAINST, one_file
from acceptance.judging import Item
from scalebox.core.limits import Limits
from scalebox.core.problem import (
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    Problem,
    ProgramChecker,
    StdioCase,
    TestCase,
    Tolerance,
)
from scalebox.core.submission import Submission

FILE: Final = "data/outputs/lcb_mini.jsonl.gz"
HELD_WRONG: Final = Path(__file__).with_name("lcb_mini_held_wrong.toml")
IMPORTS: Final = "from typing import *\nfrom collections import *\nfrom itertools import *\nfrom functools import *\nfrom heapq import *\nfrom bisect import *\nfrom math import *\nfrom builtins import *\nimport collections, itertools, functools, heapq, bisect, math, string, re, random\n"
"""The programs were run with such a line in front, and count on it."""
TOLERANCES: Final = {"stdin": 1e-9, "functional": 1e-5}
"""AtCoder's where it is strictest, and LeetCode's."""
TIME: Final = -3
"""The code of an official verdict that the program took too long."""
_MESSAGE: Final = re.compile(r"Wrong answer at output_line_idx=(?P<line>\d+): .*? ?!= (?P<due>.*)", re.DOTALL)
JUDGES: Final = Path(__file__).with_name("lcb_judges")
"""Judges for questions that take more than one answer, by the question's id."""
LIMITS: Final = Limits(cpu_seconds=12, memory_bytes=1 << 30)


class KnownTest(TypedDict):
    """One test; the arguments of a function are a list as Python writes it."""

    input: str
    expected: str


class Sample(TypedDict):
    """A model's program with its official verdict."""

    model: str
    code: str
    passed: bool
    error_code: int | None
    error_message: str
    recorded_output: str | None


class Question(TypedDict):
    """One question."""

    id: str
    kind: str
    starter_code: str
    known_tests: list[KnownTest]
    samples: list[Sample]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldWrong:
    """An official verdict that is held to be wrong: what is due instead, and why."""

    id: str
    official: str
    due: str
    looked: str
    """What a plain run and the question's own rules show."""
    reason: str


def questions() -> list[Question]:
    """The questions whose tests are known."""
    return [question for question in shared.read(FILE, Question) if question["known_tests"]]


def official(sample: Sample) -> str:
    """The official verdict, in a word."""
    return "passed" if sample["passed"] else "failed"


def due(question: Question, sample: Sample) -> frozenset[str]:
    """The verdicts that agree with the official one, as far as the known tests can show.

    A program that failed on a test that is not known may pass on those that are, and time is the recording machine's.
    """
    if sample["passed"]:
        return frozenset({"AC"})
    if sample["error_code"] != TIME and failed_on_known(question, sample):
        return AGAINST
    return AGAINST | {"AC"}


def failed_on_known(question: Question, sample: Sample) -> bool:
    """Whether the test that the program officially failed on is among the known ones.

    They are tests on which programs of the question failed: where there are as many as such programs, each has one, and
    otherwise the official message names a line of the answer.
    """
    failed = sum(not one["passed"] for one in question["samples"])
    named = _MESSAGE.fullmatch(sample["error_message"])
    if named is None:
        return len(question["known_tests"]) == failed
    number, line = int(named["line"]), named["due"].strip()
    answers = [test["expected"].strip().splitlines() for test in question["known_tests"]]
    return any(answer[number : number + 1] == [line] for answer in answers)


def items(question: Question) -> list[Item]:
    """Each model's program, with all tests known; none where a test cannot be read."""
    try:
        tests = [_case(question, test, str(index)) for index, test in enumerate(question["known_tests"])]
    except SyntaxError:
        return []
    problem = Problem(tests=tests, checker=checker(question), limits=LIMITS)
    return [
        Item(
            id=item_id(question, sample),
            submission=Submission(source=IMPORTS + sample["code"], language="python"),
            problem=problem,
            due=_due(question, sample),
            plain=f"official: {official(sample)} {sample['error_message']}".strip(),
        )
        for sample in question["samples"]
    ]


def _due(question: Question, sample: Sample) -> frozenset[str]:
    held = held_wrong().get(item_id(question, sample))
    return due(question, sample) if held is None else frozenset(held.due.split("|"))


def item_id(question: Question, sample: Sample) -> str:
    """Question and model."""
    return f"{question['id']} {sample['model']}"


def checker(question: Question) -> CheckerSpec | ProgramChecker:
    """The question's judge, or tokens, of which numbers with a point need only be close."""
    judge = JUDGES / f"{question['id'].rpartition('/')[2]}.py"
    if judge.exists():
        text = one_file("python", judge.read_text(encoding="utf-8"))
        return ProgramChecker(protocol=CheckerProtocol.FUNCTION, program=text)
    tolerance = TOLERANCES[question["kind"]]
    return CheckerSpec(name="floats", absolute=tolerance, relative=tolerance)


def _case(question: Question, test: KnownTest, name: str) -> TestCase:
    if question["kind"] == "stdin":
        return StdioCase(name=name, input=test["input"].encode(), answer=test["expected"].encode())
    arguments = ast.literal_eval(test["input"])
    bound = TOLERANCES[question["kind"]]
    tolerance = Tolerance(absolute=bound, relative=bound)
    return CallCase(
        name=name, function=_function(question), args=arguments, answer=_value(test["expected"]), tolerance=tolerance
    )


def _function(question: Question) -> str:
    """``Solution().f`` by the question's starter code."""
    names: Sequence[str] = re.findall(r"def (\w+)\(self", question["starter_code"])
    return f"Solution().{names[-1]}"


def _value(text: str) -> object:
    """A value as Python prints it: text has no quotes around it."""
    try:
        value: object = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
    return value


@cache
def held_wrong() -> dict[str, HeldWrong]:
    """The official verdicts held to be wrong, by item."""
    entries = tomllib.loads(HELD_WRONG.read_text(encoding="utf-8")).get("held_wrong", [])
    return {entry["id"]: HeldWrong(**entry) for entry in entries}
