"""Requests in the shape of the v1 API, written from its documentation and from nothing of the server. Pure."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping

from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import AssertCase, CallCase, CheckerSpec, Problem, ProgramChecker, StdioCase, TestCase
from scalebox.core.submission import Completion, Submission

Json = dict[str, object]


def judge_body(submission: Submission | Completion, problem: Problem) -> Json:
    """The body of ``POST /v1/judge``."""
    body: Json = {"problem": problem_body(problem), "detail": "full", "deadline_s": 600, "fresh": True}
    match submission:
        case Submission():
            return body | {"source": submission.source, "language": submission.language}
        case Completion(language=None):
            return body | {"completion": submission.text}
        case Completion():
            return body | {"completion": submission.text, "language": submission.language}


def problem_body(problem: Problem) -> Json:
    """A problem."""
    return {
        "tests": [test_body(test) for test in problem.tests],
        "checker": checker_body(problem.checker),
        "limits": limits_body(problem.limits),
    }


def checker_body(checker: CheckerSpec | ProgramChecker) -> Json:
    """A checker; options at their defaults are left out, so that only what a name takes is sent."""
    if isinstance(checker, ProgramChecker):
        return _program_body(checker)
    body: Json = {"name": checker.name}
    if not checker.case_sensitive:
        body["case_sensitive"] = False
    if checker.name == "floats":
        body |= {"abs": checker.absolute, "rel": checker.relative, "mode": checker.mode}
    return body


def _program_body(checker: ProgramChecker) -> Json:
    return {
        "name": "program",
        "protocol": checker.protocol.value,
        "language": checker.program.language,
        "files": dict(checker.program.files),
        "entry": checker.program.entry,
        "flags": list(checker.flags),
        "when": checker.when.value,
    }


def limits_body(limits: Limits) -> Json:
    """Limits in seconds and MiB."""
    body: Json = {
        "cpu_s": limits.cpu_seconds,
        "memory_mb": limits.memory_bytes // MIB,
        "output_mb": limits.output_bytes // MIB,
        "processes": limits.processes,
        "disk_mb": limits.disk_bytes // MIB,
        "compile_s": limits.compile_seconds,
        "judge_s": limits.judge_seconds,
    }
    return body if limits.wall_seconds is None else body | {"wall_s": limits.wall_seconds}


def test_body(test: TestCase) -> Json:
    """One test of any kind."""
    match test:
        case StdioCase():
            return _stdio(test)
        case CallCase():
            return _call(test)
        case AssertCase():
            return _assert(test)
        case _:
            message = f"no shape for {type(test).__name__}"
            raise TypeError(message)


test_body.__test__ = False  # type: ignore[attr-defined]  # pytest would collect it


def _stdio(test: StdioCase) -> Json:
    body: Json = {
        "kind": "stdio",
        "name": test.name,
        "input_base64": base64.b64encode(test.input).decode(),
        "answer_base64": base64.b64encode(test.answer).decode(),
    }
    if test.files:
        body["files"] = {path: base64.b64encode(data).decode() for path, data in test.files.items()}
    return body


def _call(test: CallCase) -> Json:
    body: Json = {
        "kind": "call",
        "name": test.name,
        "function": test.function,
        "args": [value_body(value) for value in test.args],
        "answer": value_body(test.answer),
    }
    if test.tolerance is not None:
        body["tolerance"] = {"abs": test.tolerance.absolute, "rel": test.tolerance.relative}
    return body


def _assert(test: AssertCase) -> Json:
    body: Json = {"kind": "assert", "name": test.name, "code": test.code, "style": test.style.value}
    if test.entry_point is not None:
        body["entry_point"] = test.entry_point
    if test.prompt is not None:
        body["prompt"] = test.prompt
    return body


def value_body(value: object) -> object:
    """A value of a call case as JSON."""
    match value:
        case float() if not math.isfinite(value):
            return {"$float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
        case tuple():
            return {"$tuple": [value_body(item) for item in value]}
        case set() | frozenset():
            return {"$set": [value_body(item) for item in value]}
        case bytes():
            return {"$bytes": base64.b64encode(value).decode()}
        case list():
            return [value_body(item) for item in value]
        case dict():
            return _dict_body(value)
        case _:
            return value


def _dict_body(value: Mapping[object, object]) -> object:
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: value_body(item) for key, item in value.items()}
    return {"$dict": [[value_body(key), value_body(item)] for key, item in value.items()]}
