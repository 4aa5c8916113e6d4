"""Every small case of the shared collection and every benign program gets the verdict due, by the library and over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from pathlib import Path
from typing import Final

import httpx2
import pytest

from acceptance import plain, shared
from acceptance.case_items import LANGUAGES, case_items, corpus_item
from acceptance.judging import REFUSED, Item, ask, ask_http, settle
from acceptance.serving import Server
from acceptance.v1_body import judge_body
from scalebox.core.errors import RequestError
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import JudgeOptions, RunSpec, Submission

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

KINDS: Final = frozenset({"stdin", "function_call", "assert", "run", "resource", "security"})
"""Kinds that judge one program; the rows of kind ``api`` have tests of their own below."""
ELSEWHERE: Final = {
    "sec-conftest-spoof": "needs the files of a whole project, which no test case has",
    "sec-symlink-fetch": "test_a_symlink_is_not_fetched",
    "load-no-false-tle": "test_load_makes_no_time_limit_verdicts",
}
POLL_SECONDS: Final = 0.02


def rows() -> tuple[list[shared.CaseRow], int]:
    """The rows of one program each, in the languages of this round; and how many need a module that is not here."""
    found = shared.read("cases/cases.jsonl", shared.CaseRow)
    mine = [
        row for row in found if row["kind"] in KINDS and row["language"] in LANGUAGES and row["id"] not in ELSEWHERE
    ]
    ready = [row for row in mine if all(map(plain.has_module, row.get("needs", [])))]
    return ready, len(mine) - len(ready)


def row(name: str) -> shared.CaseRow:
    """One row by its id."""
    return next(row for row in shared.read("cases/cases.jsonl", shared.CaseRow) if row["id"] == name)


def benign() -> list[Item]:
    """The benign corpus, without special judges, in the languages of this round."""
    found = shared.read("adversarial/corpus.jsonl", shared.CorpusRow)
    return [
        corpus_item(row)
        for row in found
        if row["kind"] == "benign" and row["language"] in LANGUAGES and row["test_type"] != "special_judge"
    ]


async def test_cases_by_the_library(judge: Judge) -> None:
    found, left_out = rows()
    items = [item for row in found for item in case_items(row)]
    await settle("cases", items, lambda item: ask(judge, item), left_out=left_out)


async def test_cases_over_http(http: httpx2.AsyncClient) -> None:
    found, left_out = rows()
    items = [item for row in found for item in case_items(row)]
    await settle("cases over HTTP", items, lambda item: ask_http(http, item), left_out=left_out)


async def test_load_makes_no_time_limit_verdicts(judge: Judge) -> None:
    await settle("load", case_items(row("load-no-false-tle")), lambda item: ask(judge, item))


async def test_benign_programs_by_the_library(judge: Judge) -> None:
    await settle("corpus", benign(), lambda item: ask(judge, item))


async def test_benign_programs_over_http(http: httpx2.AsyncClient) -> None:
    await settle("corpus over HTTP", benign(), lambda item: ask_http(http, item))


async def test_the_same_text_under_another_standard_is_another_program(judge: Judge) -> None:
    """The row of the corpus that comes with options for the compiler: here a standard is a language of its own."""
    rows = {found["id"]: found for found in shared.read("adversarial/corpus.jsonl", shared.CorpusRow)}
    item = corpus_item(rows["st-09"])
    for language, verdict in (("cpp17", "AC"), ("cpp", "WA"), ("cpp17", "AC")):
        submission = Submission(source=rows["st-09"]["program"], language=language)
        judgement = await judge.judge(submission, item.problem, JudgeOptions())
        assert judgement.verdict.value == verdict, language


async def test_a_symlink_is_not_fetched(judge: Judge) -> None:
    program = row("sec-symlink-fetch")["program"]
    assert program is not None
    report = await judge.run(Submission(source=program, language="python"), RunSpec(fetch_files=["out.txt"]))
    assert report.run is not None
    assert (report.run.exit_code, report.run.stdout, dict(report.run.files)) == (0, b"done\n", {})


# The rows of kind api.


async def test_no_tests_is_refused(judge: Judge, http: httpx2.AsyncClient) -> None:
    submission = Submission(source=str(row("api-zero-tests")["program"]), language="python")
    with pytest.raises(RequestError):
        await judge.judge(submission, Problem(tests=[]), JudgeOptions())
    reply = await http.post("/v1/judge", json={**judge_body(submission, Problem(tests=[]))})
    assert 400 <= reply.status_code < 500


async def test_inputs_without_answers_are_refused(http: httpx2.AsyncClient) -> None:
    completion = f"```python\n{row('api-length-mismatch')['program']}```"
    config = {"language": "python", "provided_data": {"test_cases": {"input": ["1", "2"], "output": ["1"]}}}
    reply = await http.post("/common_evaluate_batch", json={"completion": completion, "config": config})
    assert 400 <= reply.status_code < 500, reply.text


async def test_a_lone_surrogate_is_a_bad_request(http: httpx2.AsyncClient) -> None:
    program = row("api-lone-surrogate-code")["program"]
    body = {
        "source": program,
        "language": "python",
        "problem": {"tests": [{"kind": "stdio", "input": "", "answer": "x"}]},
    }
    reply = await http.post(
        "/v1/judge", content=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )
    assert reply.status_code == httpx2.codes.BAD_REQUEST, reply.text


async def test_a_lone_surrogate_never_passes(judge: Judge) -> None:
    item = case_items(row("api-lone-surrogate-code"))[0]
    outcome = await ask(judge, item)
    assert outcome.verdict in item.due | {REFUSED}, outcome


@pytest.mark.parametrize("kind", ["v1", "library"])
async def test_a_file_outside_the_work_folder_is_refused(judge: Judge, http: httpx2.AsyncClient, kind: str) -> None:
    submission = Submission(source=str(row("sec-path-traversal-files")["program"]), language="python")
    case = StdioCase(name="0", input=b"", answer=b"x", files={"../../escape.txt": b"hi"})
    problem = Problem(tests=[case])
    if kind == "library":
        with pytest.raises(RequestError):
            await judge.judge(submission, problem, JudgeOptions())
        return
    reply = await http.post("/v1/judge", json=judge_body(submission, problem))
    assert 400 <= reply.status_code < 500


def children(pid: int) -> list[int]:
    """The direct children of a process."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]


async def busy(http: httpx2.AsyncClient) -> int:
    """Slots in use."""
    return int((await http.get("/healthz")).json()["slots"]["busy"])


async def until_busy(http: httpx2.AsyncClient, *, wanted: bool) -> None:
    """Return as soon as some slot is in use, or none."""
    async with asyncio.timeout(60):
        while (await busy(http) > 0) is not wanted:  # ruff: ignore[async-busy-wait] -- another process has no event to wait for
            await asyncio.sleep(POLL_SECONDS)


async def test_a_killed_slot_costs_no_verdict(server: Server, http: httpx2.AsyncClient) -> None:
    item = case_items(row("api-worker-killed"))[0]
    await until_busy(http, wanted=False)
    request = asyncio.create_task(ask_http(http, item))
    await until_busy(http, wanted=True)
    for pid in children(server.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    outcome = await request
    assert outcome.verdict in item.due, outcome


async def test_a_client_that_hangs_up_frees_its_slot(server: Server, http: httpx2.AsyncClient) -> None:
    item = case_items(row("api-client-disconnect"))[0]
    await until_busy(http, wanted=False)
    async with httpx2.AsyncClient(base_url=server.url) as leaving:
        request = asyncio.create_task(ask_http(leaving, item))
        await until_busy(http, wanted=True)
        request.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await request
    async with asyncio.timeout(15):  # the program would sleep for 20 s
        await until_busy(http, wanted=False)


async def test_the_same_request_twice_is_one_judgement(http: httpx2.AsyncClient) -> None:
    item = case_items(row("api-duplicate-submit"))[0]
    body = {**judge_body(item.submission, item.problem), "id": "acceptance-same"}
    replies = await asyncio.gather(http.post("/v1/judge", json=body), http.post("/v1/judge", json=body))
    assert [reply.json()["verdict"] for reply in replies] == ["AC", "AC"]
    assert replies[0].json() == replies[1].json()
    other = await http.post("/v1/judge", json={**body, "source": "print(2)"})
    assert other.status_code == httpx2.codes.CONFLICT
