"""`scalebox serve --cells` in real processes: who works, what is one over all cells, and what happens when one goes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
from cells.cells_server import PATIENCE_SECONDS, TEST, CellsServer, cells_server, connections, judged, request, until
from runner.rig import NEEDS_ROOT
from typer.testing import CliRunner

from scalebox.cells.neighbours import rank
from scalebox.cli.main import app
from scalebox.runner.slot import tree_of

CPUS = len(os.sched_getaffinity(0))
PATIENT = {"SCALEBOX_DRAIN_SECONDS": "3600"}
pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(CPUS < 2, reason="two cells need two CPUs"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server() -> AsyncIterator[CellsServer]:
    """Two cells of two slots and one."""
    async with cells_server("--slots", "3", "--cells", "2") as started:
        await started.url()
        yield started


@pytest.fixture
async def url(server: CellsServer) -> str:
    """Where it listens."""
    return await server.url()


async def until_up(client: httpx2.AsyncClient, cells: int) -> None:
    """Wait until that many cells take work."""

    async def up() -> bool:
        with contextlib.suppress(httpx2.TransportError):
            health = (await client.get("/healthz")).json()
            return bool(health["cells"]["up"] == cells)
        return False

    await until(up)


def spread(counts: dict[int, int], before: dict[int, int]) -> list[int]:
    """How much more each cell has judged."""
    return [counts[cell] - before[cell] for cell in sorted(counts)]


async def test_connections_are_dealt_out_and_every_cell_works(url: str) -> None:
    async with connections(url, 3) as clients:
        before = await judged(clients[0])
        replies = await asyncio.gather(*(client.post("/v1/judge", json=request()) for client in clients))
        assert [reply.json()["verdict"] for reply in replies] == ["AC"] * 3
        assert spread(await judged(clients[0]), before) == [2, 1]


async def test_health_is_of_all_cells(url: str) -> None:
    async with connections(url, 1) as [client]:
        health = (await client.get("/healthz")).json()
        assert health["slots"]["total"] == 3
        assert health["cells"] == {"total": 2, "up": 2}
        assert (await client.get("/readyz")).status_code == 200


async def test_each_cell_keeps_to_its_cpus(server: CellsServer) -> None:
    sets = []
    for cell in range(2):
        up = await server.record(lambda record, cell=cell: record["event"] == "a cell is up" and record["cell"] == cell)  # type: ignore[misc]
        sets.append(set(up["cpus"]))
        assert os.sched_getaffinity(up["pid"]) == sets[-1]
        launchers = tree_of(up["pid"])
        assert launchers
        assert all(os.sched_getaffinity(pid) == sets[-1] for pid in launchers)
    assert not sets[0] & sets[1]


@NEEDS_ROOT
async def test_programs_of_different_cells_have_different_uids(url: str) -> None:
    body = {"source": "import os\nprint(os.getuid())", "language": "python"}
    async with connections(url, 2) as clients:
        replies = [await client.post("/v1/run", json=body) for client in clients]
    uids = {reply.json()["stdout"] for reply in replies}
    assert len(uids) == 2
    assert f"{os.getuid()}\n" not in uids


async def test_an_id_is_judged_once_wherever_it_comes_in(url: str) -> None:
    async with connections(url, 2) as clients:
        for name in ("one", "two", "three", "four"):
            before = await judged(clients[0])
            body = request(id=f"once-{name}")
            replies = [await client.post("/v1/judge", json=body) for client in (*clients, *clients)]
            assert len({reply.content for reply in replies}) == 1
            assert sum(spread(await judged(clients[0]), before)) == 1


async def test_an_id_in_flight_is_joined_by_another_cell(url: str) -> None:
    async with connections(url, 2) as clients:
        before = await judged(clients[0])
        body = request("import time\ntime.sleep(0.5)\nprint(1)", id="joined")
        replies = await asyncio.gather(*(client.post("/v1/judge", json=body) for client in clients))
        assert replies[0].content == replies[1].content
        assert sum(spread(await judged(clients[0]), before)) == 1


async def test_an_id_of_another_body_conflicts_in_every_cell(url: str) -> None:
    async with connections(url, 2) as clients:
        assert (await clients[0].post("/v1/judge", json=request(id="taken"))).status_code == 200
        for client in clients:
            reply = await client.post("/v1/judge", json=request("print(2)", id="taken"))
            assert (reply.status_code, reply.json()["error"]["code"]) == (409, "id_conflict")


async def test_errors_of_the_owning_cell_are_the_clients(url: str) -> None:
    async with connections(url, 2) as clients:
        for client in clients:
            reply = await client.post("/v1/judge", json=request(id="x") | {"language": "pyton"})
            error = reply.json()["error"]
            assert (reply.status_code, error["code"], error["field"]) == (422, "unknown_language", "language")


async def test_a_batch_on_one_connection_keeps_all_cells_busy(url: str) -> None:
    lines = [json.dumps(request(f"print(1)  # {number}")) for number in range(20)]
    lines[3] = "{"
    lines[4] = json.dumps(request(id="in-a-batch"))
    lines[5] = lines[4]
    async with connections(url, 1) as [client]:
        before = await judged(client)
        reply = await client.post("/v1/judge/batch", content="\n".join(lines))
        answers = {answer["index"]: answer for answer in map(json.loads, reply.text.splitlines())}
        assert sorted(answers) == list(range(20))
        assert answers[3]["error"]["code"] == "invalid_json"
        assert all(answers[index]["verdict"] == "AC" for index in range(20) if index != 3)
        more = spread(await judged(client), before)
        assert sum(more) == 18
        assert min(more) >= 5


async def test_a_cell_that_is_killed_is_started_again_and_the_others_go_on() -> None:
    async with cells_server("--slots", "2", "--cells", "2") as server:
        url = await server.url()
        async with connections(url, 2) as clients:
            os.kill(await server.pid_of(0), signal.SIGKILL)
            await until_up(clients[1], 1)
            assert (await clients[1].post("/v1/judge", json=request())).json()["verdict"] == "AC"
            async with connections(url, 1) as [new]:
                for number in range(8):  # ids that were the dead cell's are another's
                    reply = await new.post("/v1/judge", json=request(id=str(number)))
                    assert reply.json()["verdict"] == "AC"
            told = await server.record(lambda record: record["event"] == "a cell ended; it is started again")
            assert (told["cell"], told["why"]) == (0, "cell 0 was ended by SIGKILL")
            assert await server.pid_of(0, life=2) != await server.pid_of(0)
            await until_up(clients[1], 2)

            async def new_life_judges() -> bool:
                async with connections(url, 1) as [fresh]:
                    before = await judged(fresh)
                    assert (await fresh.post("/v1/judge", json=request())).json()["verdict"] == "AC"
                    return spread(await judged(fresh), before) == [1, 0]

            await until(new_life_judges)


async def test_a_cell_whose_loop_stands_still_is_killed_and_started_again() -> None:
    silence = {"SCALEBOX_CELL_SILENCE_SECONDS": "6"}
    async with cells_server("--slots", "2", "--cells", "2", environment=silence) as server:
        async with connections(await server.url(), 2) as clients:
            key = next(key for key in map(str, range(100)) if rank(f"default/{key}", [0, 1])[0] == 0)
            await until_up(clients[1], 2)
            os.kill(await server.pid_of(0), signal.SIGSTOP)
            asked = [asyncio.create_task(client.post("/v1/judge", json=request(id=key))) for client in clients]
            told = await server.record(lambda record: record["event"] == "a cell ended; it is started again")
            assert (told["cell"], told["why"]) == (0, "cell 0 did nothing for 6 s")
            ours, through_another = await asyncio.gather(*asked, return_exceptions=True)
            assert isinstance(ours, httpx2.RemoteProtocolError | httpx2.ReadError)
            assert isinstance(through_another, httpx2.Response)
            assert through_another.json()["verdict"] == "AC"  # the id is the other cell's by now
        await server.pid_of(0, life=2)
        async with connections(await server.url(), 2) as clients:
            await until_up(clients[0], 2)
            replies = [await client.post("/v1/judge", json=request(id=key)) for client in clients]
            assert [reply.json()["verdict"] for reply in replies] == ["AC", "AC"]


async def test_a_cell_that_is_told_to_end_finishes_first() -> None:
    two = cells_server("--slots", "2", "--cells", "2", environment=PATIENT)
    async with two as server, connections(await server.url(), 2) as clients:
        running = await begun(server, clients)
        os.kill(await server.pid_of(1), signal.SIGTERM)
        assert [(await reply).json()["verdict"] for reply in running] == ["AC", "AC"]
        await server.pid_of(1, life=2)
        await until_up(clients[0], 2)


async def begun(
    server: CellsServer, clients: Sequence[httpx2.AsyncClient], seconds: int = 2
) -> list[asyncio.Task[httpx2.Response]]:
    """Slow requests, one on each connection, that run by now; another connection has told."""
    problem = {"tests": [TEST], "limits": {"wall_s": 300}}
    body = request(f"import time\ntime.sleep({seconds})\nprint(1)", problem=problem)
    running = [asyncio.create_task(client.post("/v1/judge", json=body)) for client in clients]
    async with connections(await server.url(), 1) as [watch]:

        async def busy() -> bool:
            ran_out = all(task.done() for task in running)  # the machine was too slow to see them run
            return ran_out or bool((await watch.get("/healthz")).json()["slots"]["busy"] == len(clients))

        await until(busy)
    return running


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_draining_loses_nothing(number: signal.Signals) -> None:
    async with cells_server("--slots", "2", "--cells", "2", environment=PATIENT) as server:
        url = await server.url()
        host, port = url.removeprefix("http://").split(":")
        async with connections(url, 2) as clients:
            running = await begun(server, clients)
            late = []
            body = json.dumps(request()).encode()
            head = b"POST /v1/judge HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
            for _ in range(6):  # accepted by nobody yet when the signal comes, perhaps
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(head + body)
                late.append((reader, writer))
            await asyncio.gather(*(writer.drain() for _, writer in late))
            server.process.send_signal(number)
            assert [(await reply).json()["verdict"] for reply in running] == ["AC", "AC"]
            for reader, writer in late:
                reply = await reader.read()
                assert b" 200 OK\r\n" in reply
                assert b'"verdict":"AC"' in reply
                writer.close()
        assert await server.process.wait() == 0
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(host, int(port))


async def test_a_cell_without_connections_answers_the_others_before_it_ends() -> None:
    two = cells_server("--slots", "2", "--cells", "2", environment=PATIENT)
    async with two as server, connections(await server.url(), 1) as [client]:
        key = next(
            key for key in map(str, range(100)) if rank(f"default/{key}", [0, 1])[0] == 1
        )  # the connection is the other cell's
        body = request("import time\ntime.sleep(2)\nprint(1)", id=key)
        await until_up(client, 2)  # until then the id is the other one's
        running = asyncio.create_task(client.post("/v1/judge", json=body))
        async with connections(await server.url(), 1) as [watch]:

            async def busy() -> bool:
                return running.done() or bool((await watch.get("/healthz")).json()["slots"]["busy"] == 1)

            await until(busy)
        server.process.send_signal(signal.SIGTERM)
        assert (await running).json()["verdict"] == "AC"
        await server.record(lambda record: record["event"] == "the log ended")
        judgements = [record for record in server.records if record["event"] == "judged"]
        assert [(record["cell"], record["verdict"]) for record in judgements] == [(1, "AC")]


async def test_a_second_signal_does_not_wait() -> None:
    two = cells_server("--slots", "2", "--cells", "2", environment=PATIENT)
    async with two as server, connections(await server.url(), 2) as clients:
        running = await begun(server, clients, seconds=250)
        server.process.send_signal(signal.SIGINT)
        await server.record(lambda record: record["event"] == "Shutting down", 2)
        server.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await server.process.wait() == 0
        await asyncio.gather(*running, return_exceptions=True)


async def test_cells_end_with_their_supervisor() -> None:
    async with cells_server("--slots", "2", "--cells", "2") as server:
        await server.url()
        pids = [await server.pid_of(cell) for cell in range(2)]
        server.process.kill()

        async def gone() -> bool:
            return not await asyncio.to_thread(lambda: any(Path(f"/proc/{pid}").exists() for pid in pids))

        await until(gone)


async def test_a_cell_that_cannot_start_stops_the_start(tmp_path: Path) -> None:
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    async with cells_server("--slots", "2", "--cells", "2", environment={"SCALEBOX_PYTHON": str(broken)}) as server:
        assert await server.process.wait() == 2
        await server.record(lambda record: record["event"].startswith("scalebox: cell "))


async def test_a_port_that_is_taken_is_told_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with cells_server("--slots", "2", "--cells", "2", "--port", str(port)) as server:
            assert await server.process.wait() == 2
            [told, _] = [await server.record(lambda _: True, number) for number in (1, 2)]
    assert f"cannot listen on 127.0.0.1:{port}" in told["event"]
    assert "--port to a free one" in told["event"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cells", "0"], "--cells is auto, or a whole number from 1 to 512"),
        (["--cells", "two"], "--cells is auto, or a whole number from 1 to 512"),
        (["--cells", str(CPUS + 1)], f"--cells {CPUS + 1} is more than the {CPUS} CPUs that may be used here; give"),
        (["--cells", "2", "--slots", "1"], "give --cells 1 or less, or --slots 2 or more"),
    ],
)
def test_a_wrong_number_of_cells(options: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["serve", *options])
    assert result.exit_code == 2
    assert words in result.stderr


async def test_a_cell_is_nothing_to_start_by_hand() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "scalebox.cli.cell", "0", "0"), stderr=asyncio.subprocess.PIPE
    )
    _, words = await process.communicate()
    assert process.returncode == 2
    assert b"scalebox serve --cells" in words
