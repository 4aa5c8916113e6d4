"""The compatibility routes: what their clients send, and what they read in the reply."""

from __future__ import annotations

import base64
import builtins
from typing import Any

import httpx2
import pytest

from scalebox.api.service import Service
from scalebox.client.mock import ISOLATION, MockJudge
from scalebox.config import Settings
from scalebox.core.errors import DeadlineExceeded, QueueFull
from scalebox.core.limits import MIB, Usage
from scalebox.core.problem import (
    AskWhen,
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    ProgramChecker,
    StdioCase,
    Tolerance,
)
from scalebox.core.result import CompileResult, Exceeded, RunReport, RunResult
from scalebox.core.submission import Completion, RunSpec, Submission
from scalebox.core.verdict import Verdict
from scalebox.wire import legacy
from scalebox.wire.convert_legacy import IMPORTS
from scalebox.wire.convert_v1 import RunCall

Json = dict[str, Any]
EXEC_INFO = {"status", "message", "compile_result", "run_result", "executor_pod_name", "files", "verdict", "reason"}
RUN_RESULT = {"status", "execution_time", "cpu_time", "return_code", "stdout", "stderr"}


def batch(cases: Json, extra: Json | None = None, **config: object) -> Json:
    """A /common_evaluate_batch request."""
    inside = {"language": "python", "provided_data": {"test_cases": cases}, **config}
    return {"completion": "```python\nx\n```", "id": 7, "config": inside, "extra": extra or {}, "unknown": 1}


def stdio(*pairs: tuple[str, str]) -> Json:
    """Cases in columns."""
    return {"type": "stdin_stdout", "input": [given for given, _ in pairs], "output": [due for _, due in pairs]}


async def post(client: httpx2.AsyncClient, body: Json, path: str = "/common_evaluate_batch") -> Json:
    """A reply that has to be 200."""
    reply = await client.post(path, json=body)
    assert reply.status_code == 200, reply.text
    shown: Json = reply.json()
    return shown


async def test_stdio_cases(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    config = {"run_timeout": 3, "compile_timeout": 20, "mem_limit": 65536}
    reply = await post(client, batch(stdio(("1", "2"), ("3", "4")), {"total_timeout": 50}, **config))
    [(submission, problem, options)] = judge.calls
    assert submission == Completion(text="```python\nx\n```", language="python")
    assert [(case.input, case.answer) for case in problem.tests if isinstance(case, StdioCase)] == [
        (b"1", b"2"),
        (b"3", b"4"),
    ]
    assert isinstance(problem.checker, CheckerSpec)
    assert problem.checker.name == "floats"
    assert (problem.limits.cpu_seconds, problem.limits.compile_seconds) == (3.0, 20.0)
    assert problem.limits.memory_bytes == 64 * MIB
    assert (options.stop_on_failure, options.in_order, options.deadline_seconds) == (True, False, 50.0)
    legacy.EvaluateOut.model_validate(reply)
    assert (reply["id"], reply["accepted"], reply["extracted_type"]) == (7, True, "fenced")
    assert len(reply["tests"]) == 2
    test = reply["tests"][0]
    assert test["passed"] is True
    assert test["test_info"] == {"input": {"stdin": "1"}, "output": {"stdout": "2"}}
    assert set(test["exec_info"]) == EXEC_INFO
    assert set(test["exec_info"]["run_result"]) == RUN_RESULT
    assert (test["exec_info"]["status"], test["exec_info"]["run_result"]["status"]) == ("Success", "Finished")


@pytest.mark.parametrize("run_all", [True, False])
async def test_without_run_all_cases_the_tests_end_with_the_first_failure(
    client: httpx2.AsyncClient, judge: MockJudge, run_all: bool
) -> None:
    judge.verdict_of = lambda _source, case: Verdict.WA if case.name in {"1", "2"} else Verdict.AC
    cases = stdio(*[("", "")] * 4)
    inside = batch(cases)
    inside["config"]["extra"] = {"run_all_cases": run_all}
    for body in (batch(cases, {"run_all_cases": run_all}), inside):
        reply = await post(client, body)
        assert reply["accepted"] is False
        passed = [test["passed"] for test in reply["tests"]]
        assert passed == ([True, False, False, True] if run_all else [True, False])


async def test_options_of_ours_are_taken(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    extra = {"in_order": True, "learned_limits": True, "fresh": True}
    reply = await post(client, batch(stdio(("", "")), extra))
    options = judge.calls[0][2]
    assert (options.stop_on_failure, options.in_order, options.learned_limits, options.fresh) == (
        True,
        True,
        True,
        True,
    )
    assert reply["tests"][0]["index"] == 0
    await post(client, batch(stdio(("", "")), {**extra, "run_all_cases": True}))
    assert (judge.calls[1][2].stop_on_failure, judge.calls[1][2].in_order) == (False, False)


@pytest.mark.parametrize(
    ("verdict", "status", "run_status", "fails"),
    [
        (Verdict.AC, "Success", "Finished", False),
        (Verdict.WA, "Success", "Finished", False),
        (Verdict.RTE, "Failed", "Finished", True),
        (Verdict.TLE, "Failed", "TimeLimitExceeded", True),
        (Verdict.MLE, "Failed", "Finished", True),
        (Verdict.OLE, "Failed", "Finished", True),
        (Verdict.IE, "SandboxError", "Finished", False),
        (Verdict.JE, "SandboxError", "Finished", False),
    ],
)
async def test_only_our_failures_are_sandbox_errors(
    client: httpx2.AsyncClient, judge: MockJudge, verdict: Verdict, status: str, run_status: str, fails: bool
) -> None:
    judge.verdict_of = lambda _source, _case: verdict
    info = (await post(client, batch(stdio(("", "")))))["tests"][0]["exec_info"]
    assert (info["status"], info["run_result"]["status"], info["verdict"]) == (status, run_status, verdict.value)
    assert (info["run_result"]["return_code"] != 0) is fails


async def test_function_calls(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    cases = {"fn_name": "f", "input": [[1, "a"], [{"$tuple": [1]}, None]], "output": [[[2]], [0.5]]}
    reply = await post(client, batch(cases))
    first, second = judge.calls[0][1].tests
    assert isinstance(first, CallCase)
    assert isinstance(second, CallCase)
    assert (first.function, first.args, first.answer) == ("f", (1, "a"), [2])
    assert (second.args, second.answer) == (({"$tuple": [1]}, None), 0.5)  # nothing is special in these values
    assert first.tolerance == Tolerance(absolute=1e-6, relative=1e-6)
    info = reply["tests"][0]["test_info"]
    assert info == {"type": "function_call", "fn_name": "f", "input": [1, "a"], "output": [[2]]}


async def test_function_calls_in_json_text(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    cases = {"type": "function_call", "fn_name": "f", "json_input": True, "input": ["[1]\n2\n"], "output": ["[3]"]}
    await post(client, batch(cases))
    [case] = judge.calls[0][1].tests
    assert isinstance(case, CallCase)
    assert (case.args, case.answer) == (([1], 2), [3])


async def test_python_asserts(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    code = "def check(candidate):\n    assert candidate() == 1\n"
    reply = await post(client, batch({"type": "assert", "test": code, "entry_point": "f"}))
    [case] = judge.calls[0][1].tests
    assert isinstance(case, AssertCase)
    assert (case.style, case.entry_point) == (AssertStyle.CHECK, "f")
    assert case.code.endswith(code)
    assert "from typing import *" in (case.prompt or "")
    assert reply["tests"][0]["test_info"] is None
    assert reply["test_code"] == case.code


def test_the_imports_put_in_front_hide_no_builtin() -> None:
    names: Json = {}
    exec(IMPORTS, names)  # ruff: ignore[exec-builtin] -- our own text
    assert {name for name in names if name in dir(builtins) and not name.startswith("__")} == set()


async def test_asserts_of_other_languages(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    await post(client, batch({"type": "assert", "tests": "main();", "stop_tokens": ["\n}"]}, language="cpp"))
    [case] = judge.calls[0][1].tests
    assert isinstance(case, AssertCase)
    assert (case.style, case.code, case.stop_tokens) == (AssertStyle.APPEND, "main();", ("\n}",))


async def test_common_evaluate_takes_one_object_a_case(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    cases = [
        {"type": "stdin_stdout", "input": "1", "output": "2", "fn_name": None},
        {"type": "function_call", "fn_name": "f", "input": [1], "output": [2]},
    ]
    body = {"completion": "x", "config": {"language": "python", "provided_data": {"test_cases": cases}}}
    assert len((await post(client, body, "/common_evaluate"))["tests"]) == 2
    assert [type(case) for case in judge.calls[0][1].tests] == [StdioCase, CallCase]


async def test_submit_with_provided_data(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    test = [{"input": {"stdin": "1"}, "output": {"stdout": "2"}}]
    data = {"id": 0, "content": "", "labels": "{}", "test": test}
    config = {"language": "python", "dataset_type": "CommonOJDataset", "provided_data": data}
    body = {"dataset": "d", "id": "a", "completion": "x", "config": config}
    reply = await post(client, body, "/submit")
    assert (reply["id"], reply["tests"][0]["test_info"]) == ("a", test[0])
    config["dataset_type"] = "Other"
    assert (await client.post("/submit", json=body)).status_code == 422


@pytest.mark.parametrize(
    ("extra", "language", "when"),
    [
        ({}, "python", AskWhen.UNDECIDED),
        ({"special_judge_language": "cpp", "force_special_judge": True}, "cpp", AskWhen.ALWAYS),
    ],
)
async def test_a_special_judge_speaks_the_protocol_files(
    client: httpx2.AsyncClient, judge: MockJudge, extra: Json, language: str, when: AskWhen
) -> None:
    await post(client, batch(stdio(("1", "2")), {"special_judge_program": "exit(0)", **extra}))
    checker = judge.calls[0][1].checker
    assert isinstance(checker, ProgramChecker)
    assert (checker.protocol, checker.when) == (CheckerProtocol.FILES, when)
    assert (checker.program.language, *checker.program.files.values()) == (language, "exit(0)")


T = "config.provided_data.test_cases"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (batch({"type": "stdin_stdout", "input": ["1", "2"], "output": ["1"]}), f"{T}.output"),
        (batch({"type": "stdin_stdout", "input": [], "output": []}), T),
        (batch({"type": "stdin_stdout"}), T),
        (batch(stdio(("", "")) | {"input": [5]}), f"{T}.input.0"),
        (batch({"type": "function_call", "input": [[1]], "output": [[1]]}), f"{T}.fn_name"),
        (batch({"fn_name": "f", "input": ["1"], "output": [[1]]}), f"{T}.input.0"),
        (batch({"fn_name": "f", "input": [[1]], "output": [[1, 2]]}), f"{T}.output.0"),
        (batch({"fn_name": "f", "json_input": True, "input": ["NaN"], "output": ["1"]}), f"{T}.input.0"),
        (batch({"fn_name": "f", "json_input": True, "input": ["1"], "output": ["1e999"]}), f"{T}.output.0"),
        (batch({"type": "assert"}), f"{T}.test"),
        (batch({"type": "assert", "test": "def check(c): ..."}), f"{T}.entry_point"),
        (batch({"type": "unheard"}), f"{T}.type"),
        (batch(stdio(("", "")), custom_extract_logic="x"), "config.custom_extract_logic"),
        (
            batch({"fn_name": "f", "input": [[1]], "output": [[1]]}, {"special_judge_program": "x"}),
            "extra.special_judge_program",
        ),
        (batch(stdio(("", "")), run_timeout=-1), "config.run_timeout"),
        ({"completion": "x", "config": {"provided_data": {"test_cases": stdio()}}}, "config.language"),
        ({"config": {}}, "completion"),
    ],
)
async def test_bad_requests_are_refused_before_anything_runs(
    client: httpx2.AsyncClient, judge: MockJudge, body: Json, field: str
) -> None:
    reply = await client.post("/common_evaluate_batch", json=body)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field)
    assert judge.calls == []


async def test_ping(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/v1/ping")).json() == "pong"


RUN_CODE: Json = {"compile_timeout": 10, "run_timeout": 10, "code": "x", "stdin": None, "memory_limit_MB": 512,
                  "language": "python", "files": {}, "fetch_files": [], "expected_stdout": "unknown"}  # fmt: skip


async def test_run_code(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    encoded = base64.b64encode(b"\xff").decode()
    more = {"stdin": "1 2\n", "files": {"a/b": encoded, "none": None}, "fetch_files": ["a/b"]}
    reply = await post(client, RUN_CODE | more, "/run_code")
    legacy.RunCodeOut.model_validate(reply)
    assert set(reply) == EXEC_INFO
    assert (reply["status"], reply["run_result"]["stdout"], reply["files"]) == ("Success", "1 2\n", {"a/b": encoded})
    assert (reply["compile_result"], reply["executor_pod_name"]) == (None, "here")
    [(submission, spec)] = judge.runs
    assert submission == Submission(source="x", language="python")
    assert spec.limits.memory_bytes == 512 * MIB
    assert spec.deadline_seconds <= 29.0  # this client hangs up after 30


async def test_run_code_waits_where_the_queue_is_full(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.errors += [QueueFull(0.0)] * 3
    assert (await post(client, RUN_CODE, "/run_code"))["status"] == "Success"


async def test_run_code_without_hope_is_504(client: httpx2.AsyncClient, judge: MockJudge, settings: Settings) -> None:
    judge.errors.append(DeadlineExceeded())
    assert (await client.post("/run_code", json=RUN_CODE)).status_code == 504
    judge.errors.append(QueueFull(60.0))
    hasty = RunCall(submission=Submission(source="x", language="python"), spec=RunSpec(deadline_seconds=0.1))
    with pytest.raises(DeadlineExceeded):
        await Service(judge, settings).run(hasty, "default", patient=True)


async def test_evaluation_waits_where_the_queue_is_full(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    judge.errors += [QueueFull(0.0)] * 3
    reply = await client.post("/common_evaluate_batch", json=batch(stdio(("1", "2"))))
    assert (reply.status_code, reply.json()["accepted"]) == (200, True)
    judge.errors.append(QueueFull(60.0))
    reply = await client.post("/common_evaluate_batch", json=batch(stdio(("1", "2")), {"total_timeout": 0.1}))
    assert (reply.status_code, reply.json()["error"]["code"]) == (504, "deadline")


def report(run: RunResult | None = None, compiled: Verdict | None = None) -> RunReport:
    """A run report."""
    compile_result = None
    if run is None:
        compile_result = CompileResult(verdict=compiled, cached=False, usage=Usage(), message="line 1")
    return RunReport(run=run, compile=compile_result, extraction=None, isolation=ISOLATION)


def ended(exit_code: int | None, signal: int | None = None, exceeded: Exceeded | None = None) -> RunResult:
    """How a run ended."""
    return RunResult(
        exit_code=exit_code, signal=signal, exceeded=exceeded, usage=Usage(), stdout=b"\xff", stderr=b"line 1"
    )


@pytest.mark.parametrize(
    ("given", "status", "run_status", "return_code"),
    [
        (report(ended(0)), "Success", "Finished", 0),
        (report(ended(3)), "Failed", "Finished", 3),
        (report(ended(None, 11)), "Failed", "Finished", -11),
        (report(ended(None, 9, Exceeded.TIME)), "Failed", "TimeLimitExceeded", -9),
        (report(ended(0, None, Exceeded.MEMORY)), "Failed", "Finished", 1),
        (report(compiled=Verdict.CE), "Failed", "Finished", 1),
        (report(compiled=Verdict.IE), "SandboxError", "Finished", 1),
    ],
)
async def test_how_a_run_ended(
    client: httpx2.AsyncClient, judge: MockJudge, given: RunReport, status: str, run_status: str, return_code: int
) -> None:
    judge.report = given
    reply = await post(client, RUN_CODE, "/run_code")
    legacy.RunCodeOut.model_validate(reply)
    run = reply["run_result"]
    assert (reply["status"], run["status"], run["return_code"]) == (status, run_status, return_code)
    assert run["stderr"] == "line 1"
    assert (reply["compile_result"] is None) is (given.run is not None)
