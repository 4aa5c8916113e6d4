"""What the compatibility replies say of a program that never ran, and of where a program was found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scalebox.client.mock import MockJudge
from scalebox.core.limits import Usage
from scalebox.core.result import CompileResult, ExtractionResult, Judgement
from scalebox.core.verdict import Verdict
from scalebox.wire import legacy
from scalebox.wire.convert_legacy import EvaluateCall, batch_call
from scalebox.wire.reply_legacy import evaluate_reply, extracted_type


def call(*, run_all: bool) -> EvaluateCall:
    """An evaluation of two cases."""
    cases = legacy.BatchCases(type="stdin_stdout", input=["", ""], output=["", ""])
    config = legacy.BatchConfig(language="cpp", provided_data=legacy.BatchData(test_cases=cases))
    return batch_call(legacy.BatchIn(completion="x", config=config, extra=legacy.ExtraIn(run_all_cases=run_all)))


async def refused(verdict: Verdict, reason: str, compiled: CompileResult | None) -> Judgement:
    """A judgement of which no case ran."""
    made = call(run_all=True)
    judge = MockJudge(verdict_of=lambda _source, _case: Verdict.SK)
    judgement = await judge.judge(made.submission, made.problem, made.options)
    return replace(judgement, verdict=verdict, reason=reason, reward=None, compile=compiled, extraction=None)


@pytest.mark.parametrize(("run_all", "entries"), [(True, 2), (False, 1)])
async def test_a_compile_error_is_the_programs_fault_in_every_case(run_all: bool, entries: int) -> None:
    compiled = CompileResult(verdict=Verdict.CE, cached=False, usage=Usage(), message="line 1")
    reply = evaluate_reply(call(run_all=run_all), await refused(Verdict.CE, "line 1", compiled))
    assert len(reply["tests"]) == entries
    info = reply["tests"][0]["exec_info"]
    assert (reply["accepted"], info["status"], info["verdict"]) == (False, "Failed", "CE")
    assert (info["compile_result"]["return_code"], info["compile_result"]["stderr"]) == (1, "line 1")
    assert info["run_result"]["stderr"] == "line 1"


async def test_no_code_is_the_programs_fault() -> None:
    reply = evaluate_reply(call(run_all=False), await refused(Verdict.CE, "no_code", None))
    assert (reply["extracted_type"], reply["extracted_code"], reply["reason"]) == ("empty", "", "no_code")
    assert reply["tests"][0]["exec_info"]["status"] == "Failed"


@pytest.mark.parametrize(
    ("verdicts", "shown"),
    [
        ("AC WA AC", "AC WA"),
        ("JE AC WA TLE", "JE AC WA"),  # a judge's fault hides no failure behind it
        ("AC SK SK", "AC SK"),  # the deadline passed
        ("AC SK WA SK", "AC WA"),  # what did not run is not shown as anything
        ("SK SK WA AC", "WA"),  # the likeliest failure went first
        ("SK AC SK", "SK"),
        ("AC JE AC", "AC JE AC"),
    ],
)
async def test_stopping_shows_all_up_to_the_first_failure(verdicts: str, shown: str) -> None:
    given = [Verdict(name) for name in verdicts.split()]
    cases = legacy.BatchCases(type="stdin_stdout", input=[""] * len(given), output=[""] * len(given))
    config = legacy.BatchConfig(language="cpp", provided_data=legacy.BatchData(test_cases=cases))
    made = batch_call(legacy.BatchIn(completion="x", config=config))
    judge = MockJudge(verdict_of=lambda _source, case: given[int(case.name)])
    judgement = await judge.judge(made.submission, made.problem, replace(made.options, stop_on_failure=False))
    reply = evaluate_reply(made, judgement)
    assert " ".join(test["exec_info"]["verdict"] for test in reply["tests"]) == shown
    assert [given[test["index"]] for test in reply["tests"]] == [Verdict(name) for name in shown.split()]


async def test_a_deadline_is_ours() -> None:
    reply = evaluate_reply(call(run_all=True), await refused(Verdict.IE, "deadline", None))
    assert {test["exec_info"]["status"] for test in reply["tests"]} == {"SandboxError"}
    assert (reply["accepted"], reply["reward"], reply["reason"]) == (False, None, "deadline")


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("last-fenced", "fenced"),
        ("entry-fenced", "fenced"),
        ("unclosed-think", "fenced"),
        ("unclosed-fence", "incomplete_fenced"),
        ("stray-closer", "incomplete_fenced"),
        ("whole-text", "heuristic"),
        ("code-region", "heuristic"),
    ],
)
def test_rules_have_the_names_that_clients_know(rule: str, name: str) -> None:
    assert extracted_type(ExtractionResult(language="cpp", rule=rule, source="")) == name
