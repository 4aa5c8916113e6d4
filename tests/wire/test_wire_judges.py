"""Programs that judge, on the wire: what a client may write, and that what our client sends is read as it was meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scalebox.core.errors import RequestError
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AskWhen,
    CheckerProtocol,
    GroupRule,
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
)
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.wire import v1
from scalebox.wire.convert_client import judge_body
from scalebox.wire.convert_v1 import judge_call
from scalebox.wire.parse import parse_json, validate

SUBMISSION = Submission(source="x", language="python")
TEXT = ProgramText(language="cpp", files={"a/check.cc": "int main() {}", "a/b.h": "\ufeffé"}, entry="a/check.cc")
LIMITS = Limits(cpu_seconds=3, memory_bytes=64 * MIB)


def read(problem: dict[str, Any]) -> Problem:
    """The problem that a request means."""
    tree = {"source": "x", "language": "python", "problem": problem}
    return judge_call(validate(v1.JudgeV1, parse_json(json.dumps(tree).encode()))).problem


def stdio(**more: object) -> dict[str, object]:
    """A test."""
    return {"kind": "stdio", "input": "1", "answer": "2", **more}


@pytest.mark.parametrize("protocol", list(CheckerProtocol))
@pytest.mark.parametrize("limits", [None, LIMITS])
def test_our_client_says_what_it_means(protocol: CheckerProtocol, limits: Limits | None) -> None:
    order = ("output", "input") if protocol is CheckerProtocol.ARGV else ("input", "answer", "output")
    checker = ProgramChecker(
        protocol=protocol, program=TEXT, order=order, flags=("-x",), when=AskWhen.ALWAYS, limits=limits
    )
    interactor = Interactor(protocol=InteractorProtocol.KATTIS, program=TEXT, flags=("y",), limits=limits)
    problem = Problem(
        tests=[
            StdioCase(name="0", input=b"\xff", answer=b"", group="g", weight=2.0, checker=checker),
            InteractiveCase(name="1", input=b"\xff", answer=b"2", args=("7",), group="h"),
        ],
        checker=checker,
        interactor=interactor,
        groups={"g": GroupRule.MIN, "h": GroupRule.SUM},
    )
    body = json.dumps(judge_body(SUBMISSION, problem, JudgeOptions())).encode()
    assert judge_call(validate(v1.JudgeV1, parse_json(body))).problem == problem


def test_a_judge_of_one_source_and_its_defaults() -> None:
    given = {"name": "program", "protocol": "files", "language": "python", "source": "exit(0)"}
    checker = read({"tests": [stdio()], "checker": given}).checker
    assert isinstance(checker, ProgramChecker)
    assert (checker.when, checker.limits, checker.flags) == (AskWhen.UNDECIDED, None, ())
    assert checker.program.files[checker.program.entry] == "exit(0)"


PROGRAM = {"name": "program", "protocol": "files", "language": "python", "source": "x"}
FILES = {"source": None, "files": {"a": "x"}, "entry": "a"}


@pytest.mark.parametrize(
    ("problem", "field"),
    [
        ({"checker": "program"}, "problem.checker"),
        ({"checker": PROGRAM | {"protocol": "telepathy"}}, "problem.checker.protocol"),
        ({"checker": PROGRAM | {"source": None}}, "problem.checker.source"),
        ({"checker": PROGRAM | {"files": {"a": "x"}, "entry": "a"}}, "problem.checker.source"),
        ({"checker": PROGRAM | FILES | {"entry": None}}, "problem.checker.entry"),
        ({"checker": PROGRAM | FILES | {"entry": "b"}}, "problem.checker.entry"),
        ({"checker": PROGRAM | FILES | {"files": {"a": "x", "../b": ""}}}, "problem.checker.files.../b"),
        ({"checker": PROGRAM | {"order": ["input"]}}, "problem.checker.order"),
        ({"checker": PROGRAM | {"protocol": "argv", "order": ["stdin"]}}, "problem.checker.order.0"),
        ({"checker": PROGRAM | {"when": "never"}}, "problem.checker.when"),
        ({"checker": PROGRAM | {"tolerance": 1}}, "problem.checker.tolerance"),
        ({"checker": PROGRAM | {"limits": {"cpu": 1}}}, "problem.checker.limits.cpu"),
        ({"tests": [stdio(checker=PROGRAM | {"language": 5})]}, "problem.tests.0.checker.language"),
        ({"tests": [{"kind": "interactive"}]}, "problem.interactor"),
        ({"interactor": {"protocol": "files", "language": "python", "source": "x"}}, "problem.interactor.protocol"),
        ({"groups": {"a": "max"}}, "problem.groups.a"),
    ],
)
def test_what_has_no_meaning_is_refused_by_its_field(problem: dict[str, Any], field: str) -> None:
    with pytest.raises(RequestError) as refusal:
        read({"tests": [stdio()], **problem})
    assert refusal.value.field == field
