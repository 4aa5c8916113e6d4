"""Registered judges behind the service: the routes, which problem gets which judge, and that a change touches nothing in flight."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from registry.samples import SUMS, new, version
from registry.samples import TESTS as SAMPLES

from scalebox.api.app import create_app
from scalebox.api.judges import Judges, NoRegistry
from scalebox.client.client import HttpJudge
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.limits import Limits
from scalebox.core.problem import CheckerSpec, Problem, ProgramChecker
from scalebox.core.result import CheckResult, Judgement
from scalebox.core.submission import Completion, JudgeOptions, Submission
from scalebox.core.verdict import Verdict
from scalebox.registry.database import RegistryError
from scalebox.registry.entry import Use
from scalebox.registry.states import State
from scalebox.registry.store import Registry
from scalebox.synthesis.box import outputs_of
from scalebox.synthesis.measuring.labels import Labelled, LabelledSubmission
from scalebox.synthesis.measuring.measure import Contestant, measure
from scalebox.wire.convert_client import judgement_from

TESTS = [{"kind": "stdio", "input": "5\n", "answer": "2 3\n"}, {"kind": "stdio", "input": "2\n", "answer": "1 1\n"}]
LEGACY = {"type": "stdin_stdout", "input": ["2\n", "5\n"], "output": ["1 1\n", "2 3\n"]}
"""The same problem, its cases in another order."""


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    """An empty registry."""
    opened = Registry(str(tmp_path / "judges.db"))
    yield opened
    opened.close()


@pytest.fixture
def app(judge: MockJudge, settings: Settings, registry: Registry, tmp_path: Path) -> FastAPI:
    """The application over that registry."""
    return create_app(judge, settings, open_registry=lambda: Registry(str(tmp_path / "judges.db")))


@pytest.fixture
async def judges(app: FastAPI) -> AsyncIterator[Judges]:
    """What the application knows of the registry."""
    known: Judges = app.state.service.judges
    yield known
    await known.aclose()


def v1(tests: object = None, **more: object) -> dict[str, Any]:
    """A judge request."""
    return {"source": "x", "language": "python", "problem": {"tests": tests or TESTS, **more}}


def legacy(**extra: object) -> dict[str, Any]:
    """A request of the compatibility route."""
    config = {"language": "python", "provided_data": {"test_cases": LEGACY}, "extra": extra}
    return {"completion": "```python\nx\n```", "config": config}


def asked(judge: MockJudge) -> object:
    """The checker of the problem judged last."""
    return judge.calls[-1][1].checker


async def post(client: httpx2.AsyncClient, path: str, body: object = None) -> dict[str, Any]:
    """A reply that must be good."""
    reply = await client.post(path, json=body)
    assert reply.status_code in {200, 201}, reply.text
    tree: dict[str, Any] = reply.json()
    return tree


async def test_the_life_of_a_judge_by_http(client: httpx2.AsyncClient, registry: Registry, judges: Judges) -> None:
    one, two = (registry.add(new(version(number)))[0].id for number in (1, 2))
    assert (await post(client, f"/v1/judges/{one}/activate", {"reason": "good"}))["state"] == "active"
    assert (await post(client, f"/v1/judges/{two}/activate"))["state"] == "active"
    listed = (await client.get("/v1/judges")).json()
    assert [(row["id"], row["state"]) for row in listed["judges"]] == [(one, "retired"), (two, "active")]
    assert listed["next_offset"] is None
    back = await post(client, "/v1/judges/split/rollback")
    assert (back["id"], back["state"]) == (one, "active")
    assert back["checker"] == {
        "language": "python",
        "name": "program",
        "protocol": "function",
        "source": version(1),
    }
    assert back["evidence"] == {"proof": {"outcome": "proved"}}
    assert back["changes"][1] == {
        "start": "validated",
        "end": "active",
        "at": back["changes"][1]["at"],
        "by": "api",
        "reason": "good",
    }
    assert (await post(client, f"/v1/judges/{one}/retire"))["state"] == "retired"
    said = await post(client, f"/v1/judges/{one}/disputes", {"reason": "3 2 is right", "output": "3 2"})
    assert (said["judge"], said["by"], said["upheld"]) == (one, "default", None)
    assert (await client.get(f"/v1/judges/{one}")).json()["open_disputes"] == 1


@pytest.mark.parametrize("path", ["contest/2020:split", "contest%2F2020%3Asplit"])
async def test_a_problems_name_may_have_slashes(
    client: httpx2.AsyncClient, registry: Registry, judges: Judges, path: str
) -> None:
    one, two = (registry.add(new(version(number), name="contest/2020:split"))[0].id for number in (1, 2))
    await judges.refresh()
    await post(client, f"/v1/judges/{one}/activate")
    assert (await post(client, f"/v1/judges/{two}/activate"))["id"] == two
    assert (await client.get(f"/v1/judges/{path}")).json()["id"] == two
    assert (await post(client, f"/v1/judges/{path}/disputes", {"reason": "odd"}))["judge"] == two
    assert (await post(client, f"/v1/judges/{path}/rollback"))["id"] == one
    assert (await post(client, f"/v1/judges/{path}/retire"))["state"] == "retired"


REFUSED = [
    ("GET", "/v1/judges/none", 404, "judge_unknown", "judge"),
    ("POST", "/v1/judges/none/activate", 404, "judge_unknown", "judge"),
    ("POST", "/v1/judges/split/activate", 409, "illegal_transition", "judge"),
    ("POST", "/v1/judges/split/rollback", 409, "illegal_transition", "judge"),
    ("POST", "/v1/judges/split/disputes", 422, "missing", "reason"),
    ("GET", "/v1/judges?state=odd", 422, "invalid", "state"),
    ("GET", "/v1/judges?limit=0", 422, "invalid", "limit"),
    ("GET", "/v1/judges?colour=red", 422, "extra_forbidden", "colour"),
]


async def test_what_cannot_be_is_refused_with_its_field(
    client: httpx2.AsyncClient, registry: Registry, judges: Judges
) -> None:
    assert judges is not None
    registry.add(new(state=State.DRAFT))
    for method, path, status, code, field in REFUSED:
        reply = await client.request(method, path)
        error = reply.json()["error"]
        assert (reply.status_code, error["code"], error["field"]) == (status, code, field), path
        assert error["hint"]


async def test_a_problem_gets_its_judge_whichever_way_it_comes(
    client: httpx2.AsyncClient, judge: MockJudge, registry: Registry, judges: Judges
) -> None:
    one = registry.add(new())[0].id
    await judges.refresh()
    reply = await post(client, "/v1/judge", v1())
    assert "judge" not in reply
    assert asked(judge) == CheckerSpec()
    await post(client, f"/v1/judges/{one}/activate")
    name = {"id": one, "problem": "split", "version": 1}
    assert (await post(client, "/v1/judge", v1()))["judge"] == name
    checker = asked(judge)
    assert isinstance(checker, ProgramChecker)
    assert checker.program.files == {"source": SUMS}
    assert (await post(client, "/common_evaluate_batch", legacy()))["judge"] == name
    registered = await post(client, "/v1/problems", v1()["problem"])
    by_id = {"source": "x", "language": "python", "problem_id": registered["id"]}
    assert (await post(client, "/v1/judge", by_id))["judge"] == name
    problem = judge.calls[-1][1]
    await post(client, "/v1/judge", by_id)
    assert judge.calls[-1][1] is problem  # one object, whose key is made once
    lines = (await client.post("/v1/judge/batch", json=v1())).text
    assert f'"id":"{one}"' in lines


OTHERS = [
    v1(checker="exact"),
    v1(checker={"name": "floats", "abs": 0.1}),
    v1(tests=TESTS[:1]),
    v1(tests=[*TESTS, {"kind": "stdio", "input": "1\n", "answer": "0 1\n"}]),
    v1(tests=[*TESTS, {"kind": "call", "function": "f", "args": [], "answer": 1}]),
]


async def test_another_problem_or_comparison_stays_what_it_is(
    client: httpx2.AsyncClient, registry: Registry, judges: Judges
) -> None:
    registry.activate(registry.add(new())[0].id)
    await judges.refresh()
    assert "judge" in await post(client, "/v1/judge", v1())
    for body in OTHERS:
        assert "judge" not in await post(client, "/v1/judge", body), body


async def test_a_request_may_keep_the_default_comparison(
    client: httpx2.AsyncClient, judge: MockJudge, registry: Registry, judges: Judges
) -> None:
    registry.activate(registry.add(new())[0].id)
    await judges.refresh()
    assert "judge" in await post(client, "/v1/judge", v1())
    assert "judge" not in await post(client, "/v1/judge", v1() | {"registered_judge": False})
    assert asked(judge) == CheckerSpec()
    lines = (await client.post("/v1/judge/batch", json=v1() | {"registered_judge": False})).text
    assert '"judge"' not in lines


async def test_what_is_measured_on_a_server_is_the_judge_that_was_named(
    app: FastAPI, judge: MockJudge, registry: Registry, judges: Judges
) -> None:
    registry.activate(registry.add(new())[0].id)
    await judges.refresh()
    problem = Labelled(name="split", tests=SAMPLES)
    submission = Submission(source="x", language="python")
    problem.submissions = [LabelledSubmission(name="s", submission=submission, right=True)]
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with HttpJudge("http://scalebox", transport=transport) as remote:
        await measure(remote, [Contestant(name="named", everywhere=CheckerSpec())], [problem], 1)
        assert asked(judge) == CheckerSpec()
        judged = await remote.judge(submission, Problem(tests=SAMPLES, checker=CheckerSpec()), JudgeOptions())
        assert judged.judge is not None  # it is what would have been asked
        assert len(await outputs_of(remote, submission, SAMPLES, Limits(), "")) == 2
        assert asked(judge) == CheckerSpec()


async def test_a_judge_that_the_row_brings_goes_first(
    client: httpx2.AsyncClient, judge: MockJudge, registry: Registry, judges: Judges
) -> None:
    registry.activate(registry.add(new())[0].id)
    await judges.refresh()
    reply = await post(client, "/common_evaluate_batch", legacy(special_judge_program="import sys"))
    assert "judge" not in reply
    checker = asked(judge)
    assert isinstance(checker, ProgramChecker)
    assert checker.program.files == {"source": "import sys"}


async def test_a_change_touches_no_judgement_in_flight(
    client: httpx2.AsyncClient, judge: MockJudge, registry: Registry, judges: Judges
) -> None:
    one, two = (registry.add(new(version(number)))[0].id for number in (1, 2))
    await post(client, f"/v1/judges/{one}/activate")
    judge.gate = asyncio.Event()
    early = asyncio.create_task(post(client, "/v1/judge", v1()))
    await judge.started.acquire()
    await post(client, f"/v1/judges/{two}/activate")
    late = asyncio.create_task(post(client, "/v1/judge", v1()))
    await judge.started.acquire()
    judge.gate.set()
    assert [(await task)["judge"]["version"] for task in (early, late)] == [1, 2]
    checkers = [call[1].checker for call in judge.calls]
    sources = [checker.program.files["source"] for checker in checkers if isinstance(checker, ProgramChecker)]
    assert sources == [version(1), version(2)]


class AskingJudge(MockJudge):
    """A judge in memory whose every case was decided by the problem's program: the last one against the output."""

    breaks = False
    """Whether the program broke over that output, and was found sound elsewhere."""

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        """As the parent does, with the program's word in each case."""
        judgement = await super().judge(submission, problem, options)
        verdicts = [Verdict.AC] * (len(judgement.cases) - 1) + [Verdict.WA]
        checks = [CheckResult(verdict=verdict, name="program:function", stage="judge") for verdict in verdicts]
        checks[-1] = replace(checks[-1], broke=self.breaks)
        cases = [replace(case, check=check) for case, check in zip(judgement.cases, checks, strict=True)]
        return replace(judgement, cases=cases)


async def test_uses_are_counted_and_kept(settings: Settings, registry: Registry, tmp_path: Path) -> None:
    one = registry.add(new())[0].id
    registry.activate(one)
    app = create_app(AskingJudge(), settings, open_registry=lambda: Registry(str(tmp_path / "judges.db")))
    judges: Judges = app.state.service.judges
    await judges.refresh()
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        await post(client, "/v1/judge", v1())
        await post(client, "/common_evaluate_batch", legacy())
    assert registry.get(one).use == Use()
    await judges.aclose()  # writes what was counted
    assert registry.get(one).use == Use(judgements=2, accepted=2, refused=2)


async def test_a_judge_that_broke_is_counted_and_told_so_though_its_output_is_wrong(
    settings: Settings, registry: Registry, tmp_path: Path
) -> None:
    one = registry.add(new())[0].id
    registry.activate(one)
    asked_one = AskingJudge()
    asked_one.breaks = True
    app = create_app(asked_one, settings, open_registry=lambda: Registry(str(tmp_path / "judges.db")))
    judges: Judges = app.state.service.judges
    await judges.refresh()
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        reply = await post(client, "/v1/judge", v1())
    assert [case["checker"].get("broke") for case in reply["cases"]] == [None, True]
    read = judgement_from(json.dumps(reply).encode())
    assert [case.check.said for case in read.cases if case.check] == [Verdict.AC, Verdict.JE]
    await judges.aclose()
    assert registry.get(one).use == Use(judgements=1, accepted=1, broken=1)


async def test_a_problem_whose_cases_have_more_than_input_and_answer_is_no_known_one(
    client: httpx2.AsyncClient, judge: MockJudge, registry: Registry, judges: Judges
) -> None:
    registry.activate(registry.add(new())[0].id)
    await judges.refresh()
    for more in ({"args": ["-x"]}, {"files": {"f": "MQ=="}}):
        reply = await post(client, "/v1/judge", v1([TESTS[0] | more, TESTS[1]]))
        assert "judge" not in reply
        assert asked(judge) == CheckerSpec()
    assert "judge" in await post(client, "/v1/judge", v1())


async def test_a_state_folder_that_cannot_be_entered_is_survived() -> None:
    def locked() -> Registry:
        raise PermissionError(13, "Permission denied")

    judges = Judges(locked)
    await judges.refresh()
    with pytest.raises(NoRegistry):
        await judges.ask(lambda registry: registry.list())


async def _taken(turns: asyncio.Queue[None], count: int) -> None:
    for _ in range(count):
        await turns.get()


async def test_the_watch_goes_on_after_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: asyncio.Queue[None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def fails() -> Registry:
        loop.call_soon_threadsafe(turns.put_nowait, None)
        raise AssertionError("a fault of ours")

    monkeypatch.setattr("scalebox.api.judges.LOOK_SECONDS", 0)
    watch = asyncio.create_task(Judges(fails).watch())
    twice = asyncio.create_task(_taken(turns, 2))
    done, _ = await asyncio.wait([watch, twice], return_when=asyncio.FIRST_COMPLETED)
    assert watch not in done
    watch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watch


async def test_a_registry_that_fails_is_survived(
    client: httpx2.AsyncClient, registry: Registry, judges: Judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = registry.add(new())[0].id
    registry.activate(one)
    await judges.refresh()
    with monkeypatch.context() as broken:

        def fail(*_: object) -> None:
            raise RegistryError("gone")

        broken.setattr(Registry, "revision", fail)
        broken.setattr(Registry, "note_uses", fail)
        await judges.refresh()
        assert (await post(client, "/v1/judge", v1()))["judge"]["id"] == one  # what it said last holds
        await judges.refresh()
    await judges.refresh()
    assert registry.get(one).use.judgements == 1  # counted all the same


async def test_without_a_registry_there_is_none(judge: MockJudge, settings: Settings) -> None:
    app = create_app(judge, settings)
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        reply = await client.get("/v1/judges")
        assert (reply.status_code, reply.json()["error"]["code"]) == (422, "not_offered")
        assert "judge" not in await post(client, "/v1/judge", v1())


async def test_a_registry_that_is_made_later_is_found(judge: MockJudge, settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    app = create_app(judge, settings, open_registry=lambda: Registry(str(path)) if path.exists() else None)
    known: Judges = app.state.service.judges
    await known.refresh()
    made = Registry(str(path))
    one = made.add(new())[0].id
    made.activate(one)
    await known.refresh()
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        assert (await post(client, "/v1/judge", v1()))["judge"]["id"] == one
    await known.aclose()
    made.close()


async def test_only_the_services_own_key_changes_judges(judge: MockJudge, registry: Registry, tmp_path: Path) -> None:
    keyed = Settings(
        max_body_mb=1,
        api_key="own",  # type: ignore[arg-type]  # pydantic makes it a secret
        tenants=[{"name": "lab", "key": "theirs"}],  # type: ignore[arg-type]
    )
    app = create_app(judge, keyed, open_registry=lambda: Registry(str(tmp_path / "judges.db")))
    one = registry.add(new())[0].id
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:

        async def status(key: str, path: str) -> int:
            method = "GET" if path == "" else "POST"
            body = {"reason": "wrong"} if path == "/disputes" else None
            headers = {"X-API-Key": key}
            return (await client.request(method, f"/v1/judges/{one}{path}", headers=headers, json=body)).status_code

        assert [await status(key, "") for key in ("none", "theirs", "own")] == [401, 200, 200]
        assert [await status(key, "/activate") for key in ("none", "theirs")] == [401, 403]
        assert await status("theirs", "/disputes") == 201
        assert registry.get(one).state is State.VALIDATED
        assert await status("own", "/activate") == 200
        assert [await status("theirs", path) for path in ("/retire", "/rollback")] == [403, 403]
    await app.state.service.judges.aclose()


async def test_a_running_service_keeps_up_by_itself(
    app: FastAPI, client: httpx2.AsyncClient, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scalebox.api.judges.LOOK_SECONDS", 0.001)
    one = registry.add(new())[0].id
    async with app.router.lifespan_context(app), asyncio.timeout(600):
        assert "judge" not in await post(client, "/v1/judge", v1())
        registry.activate(one)  # as another process does
        while "judge" not in await post(client, "/v1/judge", v1()):
            pass
        registry.retire(one)
        while "judge" in await post(client, "/v1/judge", v1()):
            pass
    assert registry.get(one).use.judgements >= 1  # written at the latest when it ends
