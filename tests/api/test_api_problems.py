"""Registered problems: one registration, one reading, one object; found again after a restart; damage is noticed."""

from __future__ import annotations

import asyncio
import json
import os
import tracemalloc
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from scalebox.api import problems, service
from scalebox.api.app import create_app
from scalebox.api.errors import ShelfFull, Unknown
from scalebox.api.problem_files import ProblemFiles, open_problem_files
from scalebox.api.problems import Problems, weight
from scalebox.assembly import open_problems
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import DeadlineExceeded
from scalebox.core.problem import Problem
from scalebox.wire.canonical import id_of, read_problem

Json = dict[str, Any]
ASK: Json = {"source": "print(1)", "language": "python"}
NOBODY = "sha256:" + "0" * 64
MIB = 1 << 20


def problem(answer: str = "42", size: int = 0) -> Json:
    """A problem of about so many bytes."""
    return {"tests": [{"kind": "stdio", "input": "x" * size, "answer": answer}]}


def text_of(tree: Json) -> bytes:
    """Its canonical text."""
    return read_problem(json.dumps(tree).encode())[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where problems lie."""
    return tmp_path / "problems"


def files_in(folder: Path, max_bytes: int = MIB, max_count: int = 100) -> ProblemFiles:
    """A store in that folder."""
    folder.mkdir(mode=0o700, exist_ok=True)
    return ProblemFiles(folder, max_bytes=max_bytes, max_count=max_count)


def names(folder: Path) -> list[str]:
    """What lies there."""
    return os.listdir(folder)


def over(judge: MockJudge, files: ProblemFiles | None, **settings: Any) -> httpx2.AsyncClient:  # noqa: ANN401 - settings
    """A client of a new service over these files."""
    app = create_app(judge, Settings(**{"max_body_mb": 1, **settings}), files)
    return client_of(app)


def client_of(app: FastAPI) -> httpx2.AsyncClient:
    """A client of an application."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url="http://scalebox")


async def test_a_problem_is_registered_once_and_judged_by_id(judge: MockJudge, folder: Path) -> None:
    async with over(judge, files_in(folder)) as client:
        made = await client.post("/v1/problems", json=problem())
        again = await client.put(f"/v1/problems/{made.json()['id']}", json=problem())
        assert (made.status_code, again.status_code) == (201, 200)
        text = text_of(problem())
        assert made.json() == {"id": id_of(text), "tests": 1, "bytes": len(text), "kept": "disk"}
        assert again.json() == made.json()
        for _ in range(3):
            reply = await client.post("/v1/judge", json={**ASK, "problem_id": made.json()["id"]})
            assert (reply.status_code, reply.json()["verdict"]) == (200, "AC")
    given = [call[1] for call in judge.calls]
    assert given[0] == read_problem(text)[0]
    assert given[0] is given[1] is given[2]


async def test_a_problem_survives_a_restart_and_is_read_once(
    judge: MockJudge, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with over(judge, files_in(folder)) as client:
        problem_id = (await client.post("/v1/problems", json=problem())).json()["id"]
    read: list[bytes] = []

    def noted(body: bytes) -> object:
        read.append(body)
        return read_problem(body)

    monkeypatch.setattr(problems, "read_problem", noted)
    judge.gate = asyncio.Event()
    async with over(judge, files_in(folder)) as client, asyncio.TaskGroup() as group:
        asked = [group.create_task(client.post("/v1/judge", json={**ASK, "problem_id": problem_id})) for _ in range(64)]
        for _ in asked:
            await judge.started.acquire()
        judge.gate.set()
    assert {task.result().status_code for task in asked} == {200}
    assert read == [text_of(problem())]
    assert len({id(call[1]) for call in judge.calls}) == 1


async def test_a_batch_judges_by_id(judge: MockJudge, folder: Path) -> None:
    async with over(judge, files_in(folder)) as client:
        problem_id = (await client.post("/v1/problems", json=problem())).json()["id"]
        lines = [{**ASK, "problem_id": problem_id}, {**ASK, "problem_id": NOBODY}]
        reply = await client.post("/v1/judge/batch", content="\n".join(map(json.dumps, lines)))
    found = {line["index"]: line for line in map(json.loads, reply.text.splitlines())}
    assert found[0]["verdict"] == "AC"
    assert found[1]["error"]["code"] == "problem_unknown"


async def test_an_unknown_problem_is_404_and_says_what_to_do(client: httpx2.AsyncClient, judge: MockJudge) -> None:
    for reply in (
        await client.post("/v1/judge", json={**ASK, "problem_id": NOBODY}),
        await client.get(f"/v1/problems/{NOBODY}"),
    ):
        error = reply.json()["error"]
        assert (reply.status_code, error["code"], error["field"]) == (404, "problem_unknown", "problem_id")
        assert "POST /v1/problems" in error["hint"]
    assert not judge.calls


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "field", "code"),
    [
        ("PUT", f"/v1/problems/{NOBODY}", problem(), 422, "id", "id_mismatch"),
        ("PUT", "/v1/problems/sha256:1", problem(), 422, "id", "invalid_problem_id"),
        ("GET", "/v1/problems/..%2Fsecret", None, 404, None, "not_found"),
        ("POST", "/v1/problems", {"tests": []}, 422, "tests", "too_short"),
        ("POST", "/v1/problems", {"tests": [{"kind": "stdio", "input": ""}]}, 422, "tests.0.answer", "missing"),
        ("POST", "/v1/problems", {**problem(), "more": 1}, 422, "more", "extra_forbidden"),
        ("POST", "/v1/judge", {**ASK, "problem_id": "one"}, 422, "problem_id", "invalid_problem_id"),
        (
            "POST",
            "/v1/judge",
            {**ASK, "problem_id": NOBODY, "problem": problem()},
            422,
            "problem_id",
            "conflicting_fields",
        ),
        ("POST", "/v1/judge", ASK, 422, "problem", "missing"),
    ],
)
async def test_what_is_wrong_is_named(
    client: httpx2.AsyncClient, method: str, path: str, body: Json | None, status: int, field: str | None, code: str
) -> None:
    reply = await client.request(method, path, json=body)
    error = reply.json()["error"]
    assert (reply.status_code, error["field"], error["code"]) == (status, field, code)


async def test_reading_back_takes_the_key_and_gives_the_same_problem(judge: MockJudge, folder: Path) -> None:
    async with over(judge, files_in(folder), api_key=SecretStr("k")) as client:
        assert (await client.post("/v1/problems", json=problem())).status_code == 401
        key = {"X-API-Key": "k"}
        problem_id = (await client.post("/v1/problems", json=problem(), headers=key)).json()["id"]
        assert (await client.get(f"/v1/problems/{problem_id}")).status_code == 401
        reply = await client.get(f"/v1/problems/{problem_id}", headers=key)
        assert (reply.status_code, reply.content) == (200, text_of(problem()))
        assert (await client.put(f"/v1/problems/{problem_id}", content=reply.content, headers=key)).status_code == 200


async def test_without_a_folder_memory_keeps_it(judge: MockJudge) -> None:
    async with over(judge, None) as client:
        made = (await client.post("/v1/problems", json=problem())).json()
        assert made["kept"] == "memory"
        assert (await client.post("/v1/judge", json={**ASK, "problem_id": made["id"]})).status_code == 200
        assert (await client.get(f"/v1/problems/{made['id']}")).content == text_of(problem())


Damage = Callable[[Path], object]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes().replace(b"NDI=", b"NDM=")),
        lambda path: (path.unlink(), path.mkdir()),
    ],
)  # fmt: skip
async def test_a_damaged_file_is_never_believed(judge: MockJudge, folder: Path, damage: Damage) -> None:
    problem_id = id_of(text_of(problem()))
    assert files_in(folder).write(problem_id, text_of(problem()))
    [name] = names(folder)
    damage(folder / name)
    async with over(judge, files_in(folder)) as client:
        reply = await client.post("/v1/judge", json={**ASK, "problem_id": problem_id})
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "problem_unknown")
        assert (await client.put(f"/v1/problems/{problem_id}", json=problem())).status_code in {200, 201}
        assert (await client.post("/v1/judge", json={**ASK, "problem_id": problem_id})).status_code == 200


def test_a_damaged_file_is_written_anew(folder: Path) -> None:
    files, text = files_in(folder), text_of(problem())
    files.write(id_of(text), text)
    [path] = folder.iterdir()
    path.write_bytes(text[:-1] + b" ")
    assert files.read(id_of(text)) is None
    assert not path.exists()
    assert files.write(id_of(text), text)
    assert files.read(id_of(text)) == text


def test_the_longest_unused_go_first(folder: Path) -> None:
    texts = [text_of(problem(str(number))) for number in range(6)]
    files = files_in(folder, max_count=4)
    for age, text in zip((5, 4, 3, 2), texts, strict=False):
        files.write(id_of(text), text)
        os.utime(folder / f"{id_of(text).removeprefix('sha256:')}.json", (1_000 - age, 1_000 - age))
    assert files.read(id_of(texts[0])) == texts[0]  # used, so it is the youngest now
    files.write(id_of(texts[4]), texts[4])
    assert [files.read(id_of(text)) is not None for text in texts] == [True, False, True, True, True, False]


@pytest.mark.parametrize("processes", [1, 3])
def test_the_folder_stays_within_its_bytes(folder: Path, processes: int) -> None:
    """Each process may exceed the bound by a sixty-fourth."""
    most = 64 * 1024
    stores = [files_in(folder, max_bytes=most, max_count=10_000) for _ in range(processes)]
    for number in range(300):
        text = text_of(problem(str(number), 500))
        assert stores[number % processes].write(id_of(text), text)
        assert sum(path.stat().st_size for path in folder.iterdir()) <= most + (processes - 1) * (most // 64 + 2048)
    assert len(list(folder.iterdir())) > 60


def test_one_too_large_is_not_kept_and_removes_nothing(folder: Path) -> None:
    files = files_in(folder, max_bytes=1000)
    small, large = text_of(problem()), text_of(problem(size=2000))
    assert files.write(id_of(small), small)
    assert not files.write(id_of(large), large)
    assert files.read(id_of(small)) == small


def test_what_a_dead_process_left_half_written_goes(folder: Path) -> None:
    files = files_in(folder, max_count=1)
    for name, age in ((".old.tmp", 5000.0), (".new.tmp", 0.0)):
        (folder / name).write_bytes(b"half")
        changed = (folder / name).stat().st_mtime - age
        os.utime(folder / name, (changed, changed))
    files.write(id_of(text_of(problem())), text_of(problem()))
    assert sorted(path.name for path in folder.iterdir() if path.suffix == ".tmp") == [".new.tmp"]


async def test_a_full_disk_leaves_it_in_memory(judge: MockJudge, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ProblemFiles, "_write", full)
    async with over(judge, files_in(folder)) as client:
        made = await client.post("/v1/problems", json=problem())
        assert (made.status_code, made.json()["kept"]) == (201, "memory")
        assert (await client.post("/v1/judge", json={**ASK, "problem_id": made.json()["id"]})).status_code == 200
    assert not names(folder)


def test_the_first_folder_that_is_ours_alone_is_taken(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="ascii")
    aside = tmp_path / "aside"
    aside.mkdir(mode=0o755)
    link = tmp_path / "link"
    link.symlink_to(aside)
    files, why = open_problem_files([blocked / "x", link, aside], max_bytes=MIB, max_count=1)
    assert files is not None
    assert files.folder == aside
    assert aside.stat().st_mode & 0o777 == 0o700
    assert "Not a directory" in why
    assert "link" in why
    assert open_problem_files([link], max_bytes=MIB, max_count=1)[0] is None


def test_a_problem_is_for_its_owner_only(folder: Path) -> None:
    files_in(folder).write(id_of(text_of(problem())), text_of(problem()))
    assert [path.stat().st_mode & 0o777 for path in folder.iterdir()] == [0o600]


@pytest.mark.parametrize(
    ("megabytes", "level", "kept"), [(1, "strict", True), (0, "strict", False), (1, "none", False)]
)
def test_no_answers_lie_where_programs_could_read_them(tmp_path: Path, megabytes: int, level: str, kept: bool) -> None:
    files, why = open_problems(Settings(state_dir=tmp_path, problems_mb=megabytes), level)
    assert (files is not None, why == "") == (kept, kept)
    assert (tmp_path / "problems").exists() is kept


async def beside(work: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401 - as Beside
    """In a thread, as the service does."""
    return await asyncio.to_thread(work, *args)


def shelf(folder: Path | None, fits: int, size: int = 1000) -> tuple[Problems, list[str]]:
    """A shelf with room for so many problems of a size, and ids of four on disk."""
    texts = [text_of(problem(str(number), size)) for number in range(4)]
    if folder is not None:
        for text in texts:
            files_in(folder).write(id_of(text), text)
    room = fits * weight(texts[0])
    return Problems(None if folder is None else files_in(folder), room, beside), [id_of(text) for text in texts]


async def test_memory_is_bounded_by_what_is_in_use(folder: Path) -> None:
    kept, ids = shelf(folder, 2)
    async with kept.lease(ids[0]), kept.lease(ids[1]), kept.lease(ids[1]):
        with pytest.raises(ShelfFull):
            async with kept.lease(ids[2]):
                pass
        with pytest.raises(DeadlineExceeded):
            async with kept.lease(ids[2], 0.01, patient=True):
                pass
        full = kept.held
    async with kept.lease(ids[2]), kept.lease(ids[3]):
        assert kept.held == full  # the unused went


async def test_who_waits_gets_the_room_that_is_given_back(folder: Path) -> None:
    kept, ids = shelf(folder, 1)

    async def second() -> None:
        async with kept.lease(ids[1], 60.0, patient=True):
            pass

    async with kept.lease(ids[0]):
        waiting = asyncio.create_task(second())
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
    async with asyncio.timeout(30):
        await waiting


async def test_who_does_not_wait_is_refused_beside_one_who_waits(folder: Path) -> None:
    kept, ids = shelf(folder, 1)

    async def use(seconds: float, *, patient: bool) -> None:
        async with kept.lease(ids[1], seconds, patient=patient):
            pass

    async with kept.lease(ids[0]):
        waiting = asyncio.create_task(use(600.0, patient=True))
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
        async with asyncio.timeout(60):
            with pytest.raises(ShelfFull):
                await use(600.0, patient=False)
            with pytest.raises(DeadlineExceeded):
                await use(0.05, patient=True)
        assert not waiting.done()
    async with asyncio.timeout(60):
        await waiting


@pytest.mark.parametrize("patient", [False, True])
async def test_a_deadline_holds_while_a_problem_is_read(folder: Path, *, patient: bool) -> None:
    shelf(folder, 1)
    never = asyncio.Event()

    async def stuck(work: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401 - as Beside
        await never.wait()
        return work(*args)

    kept = Problems(files_in(folder), MIB, stuck)

    async def use(seconds: float) -> None:
        async with kept.lease(NOBODY, seconds, patient=patient):
            pass

    first = asyncio.create_task(use(600.0))  # has the turn
    async with asyncio.timeout(60):
        with pytest.raises(DeadlineExceeded):
            await use(0.05)
    first.cancel()
    await asyncio.wait({first})


async def test_who_gives_up_while_a_problem_is_read_wakes_those_who_wait(folder: Path) -> None:
    _, ids = shelf(folder, 1)
    reading = asyncio.Event()

    async def slow(work: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401 - as Beside
        if work is read_problem and id_of(text_of(problem("0", 1000))) == id_of(args[0]):  # type: ignore[arg-type]
            reading.set()
            await asyncio.Event().wait()
        return await beside(work, *args)

    kept = Problems(files_in(folder), weight(text_of(problem("0", 1000))), slow)

    async def use(problem_id: str) -> None:
        async with kept.lease(problem_id, 600.0, patient=True):
            pass

    async with asyncio.timeout(60):
        first = asyncio.create_task(use(ids[0]))
        await reading.wait()
        second = asyncio.create_task(use(ids[1]))
        done, _ = await asyncio.wait({second}, timeout=0.2)
        assert not done
        first.cancel()
        await second
    assert first.cancelled()


async def test_the_judge_is_given_what_is_left(judge: MockJudge, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the deadline, after the wait for the problem."""
    async with over(judge, files_in(folder)) as client:
        problem_id = (await client.post("/v1/problems", json=problem())).json()["id"]
        now = 0.0
        monkeypatch.setattr(service, "monotonic", lambda: now)
        made = Problems.lease

        @asynccontextmanager
        async def waited(*args: Any, **more: Any) -> AsyncGenerator[Problem, None]:  # noqa: ANN401 - as lease
            nonlocal now
            async with made(*args, **more) as found:
                now += 30.0
                yield found

        monkeypatch.setattr(Problems, "lease", waited)
        body = {**ASK, "problem_id": problem_id}
        assert (await client.post("/v1/judge", json={**body, "deadline_s": 100})).status_code == 200
        late = await client.post("/v1/judge", json={**body, "deadline_s": 20})
        assert (late.status_code, late.json()["error"]["code"]) == (504, "deadline")
    assert [options.deadline_seconds for _, _, options in judge.calls] == [70.0]


@dataclass
class Alone:
    """A cell of two, of which the other is not needed."""

    number: int = 0
    count: int = 2

    def up(self) -> Sequence[int]:
        """This one."""
        return [0]

    def owner(self, _key: str) -> int:
        """This one."""
        return 0

    async def ask(self, cell: int, kind: int, payload: bytes = b"") -> bytes:
        """Nobody is there."""
        raise AssertionError((cell, kind, payload))


async def test_a_cell_keeps_no_problem_that_the_others_could_not_find(judge: MockJudge) -> None:
    async with client_of(create_app(judge, Settings(), None, Alone())) as client:
        for reply in (
            await client.post("/v1/problems", json=problem()),
            await client.post("/v1/judge", json={**ASK, "problem_id": NOBODY}),
            await client.get(f"/v1/problems/{NOBODY}"),
        ):
            error = reply.json()["error"]
            assert (reply.status_code, error["code"], error["field"]) == (422, "not_offered", "problem_id")
            assert "in problem" in error["hint"]


async def test_a_cell_whose_disk_is_full_keeps_what_is_there_already(judge: MockJudge, folder: Path) -> None:
    small, large = problem(), problem(size=5000)
    async with client_of(create_app(judge, Settings(), files_in(folder, max_bytes=1000), Alone())) as client:
        made = await client.post("/v1/problems", json=small)
        assert (made.status_code, made.json()["kept"]) == (201, "disk")
        refused = await client.post("/v1/problems", json=large)
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "not_offered")
        for tree, status in ((small, 200), (large, 404)):
            reply = await client.post("/v1/judge", json={**ASK, "problem_id": id_of(text_of(tree))})
            assert reply.status_code == status


async def test_one_problem_is_always_let_in(folder: Path) -> None:
    kept, ids = shelf(folder, 0)
    async with kept.lease(ids[0]) as first:
        with pytest.raises(ShelfFull):
            async with kept.lease(ids[1]):
                pass
        async with kept.lease(ids[0]) as same:
            assert same is first


async def test_a_lease_ends_however_its_block_ends(folder: Path) -> None:
    kept, ids = shelf(folder, 1)
    with pytest.raises(ZeroDivisionError):
        async with kept.lease(ids[0]):
            raise ZeroDivisionError
    with pytest.raises(Unknown):
        async with kept.lease(NOBODY):
            pass
    async with kept.lease(ids[1]):
        pass


async def test_in_memory_alone_the_longest_unused_is_forgotten() -> None:
    kept, ids = shelf(None, 2)
    for number in (0, 1, 0, 2):
        made, text = read_problem(json.dumps(problem(str(number), 1000)).encode())
        await kept.register(id_of(text), made, text)
        async with kept.lease(ids[number]):
            pass
    async with kept.lease(ids[0]), kept.lease(ids[2]):
        with pytest.raises(Unknown):
            async with kept.lease(ids[1]):
                pass


async def test_registering_at_once_is_fine(judge: MockJudge, folder: Path) -> None:
    async with over(judge, files_in(folder)) as one, over(judge, files_in(folder)) as other:
        replies = await asyncio.gather(
            *(client.post("/v1/problems", json=problem(str(n % 3))) for n in range(30) for client in (one, other))
        )
    assert {reply.status_code for reply in replies} <= {200, 201}
    assert len({reply.json()["id"] for reply in replies}) == 3
    assert len(names(folder)) == 3


async def test_what_another_version_kept_and_this_one_cannot_read_is_unknown(judge: MockJudge, folder: Path) -> None:
    text = json.dumps({**problem(), "later": True}).encode()
    files_in(folder).write(id_of(text), text)
    async with over(judge, files_in(folder)) as client:
        reply = await client.post("/v1/judge", json={**ASK, "problem_id": id_of(text)})
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "problem_unknown")
    kept = Problems(files_in(folder), MIB, beside)
    with pytest.raises(Unknown):
        async with kept.lease(id_of(text)):
            pass
    assert kept.held == 0


async def test_one_service_judges_what_another_was_given(judge: MockJudge, folder: Path) -> None:
    async with over(judge, files_in(folder)) as one, over(judge, files_in(folder)) as other:
        problem_id = (await one.post("/v1/problems", json=problem())).json()["id"]
        assert (await other.post("/v1/judge", json={**ASK, "problem_id": problem_id})).status_code == 200


async def test_a_full_shelf_is_to_be_asked_again(
    judge: MockJudge, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(judge, Settings(problems_memory_mb=1), files_in(folder, max_bytes=64 * MIB))
    async with client_of(app) as client:
        ids = [(await client.post("/v1/problems", json=problem(str(n), 700_000))).json()["id"] for n in range(2)]
        judge.gate = asyncio.Event()
        first = asyncio.create_task(client.post("/v1/judge", json={**ASK, "problem_id": ids[0]}))
        await judge.started.acquire()
        full = await client.post("/v1/judge", json={**ASK, "problem_id": ids[1]})
        assert (full.status_code, full.json()["error"]["code"]) == (429, "no_room")
        assert int(full.headers["Retry-After"]) >= 1
        judge.gate.set()
        assert (await first).status_code == 200
        assert (await client.post("/v1/judge", json={**ASK, "problem_id": ids[1]})).status_code == 200


async def test_what_is_used_does_not_grow_old_on_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "_TOUCH_SECONDS", -1.0)
    kept, ids = shelf(folder, 4)
    async with kept.lease(ids[0]):
        pass
    path = folder / f"{ids[0].removeprefix('sha256:')}.json"
    os.utime(path, (1, 1))
    async with kept.lease(ids[0]):
        pass
    assert path.stat().st_mtime > 1


def test_memory_is_taken_for_about_what_it_is() -> None:
    """Of values, which take many times the bytes of their text."""
    for value in ([[number] for number in range(5000)], [{"k": number} for number in range(5000)], list(range(20_000))):
        text = text_of({"tests": [{"kind": "call", "function": "f", "args": [value], "answer": 1}]})
        tracemalloc.start()
        kept, _ = read_problem(text)
        taken = tracemalloc.get_traced_memory()[0] - len(text)
        tracemalloc.stop()
        assert kept.tests
        assert taken / 2 < weight(text) < 4 * taken
