"""Models: any endpoint that answers, whatever it answers; the budget holds; nothing that is known is asked again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from synthesis.serving import served

from scalebox.core.errors import RequestError
from scalebox.synthesis.model.budget import Budget, Caps, Prices
from scalebox.synthesis.model.cassette import Cassette, CassetteError
from scalebox.synthesis.model.endpoint import Clock, Endpoint, EndpointSettings, open_endpoint
from scalebox.synthesis.model.replay import open_forward, replay_app
from scalebox.synthesis.model.request import BudgetSpent, Message, ModelError, ModelRequest, Reply
from scalebox.synthesis.model.trail import RememberingModel, Trail, TrailError

QUESTION = ModelRequest(purpose="draft", problem="p", messages=(Message(role="user", content="Draft a judge."),))
OTHER = ModelRequest(purpose="draft", problem="p", messages=(Message(role="user", content="Another."),))
App = Callable[[dict[str, object], Callable[[dict[str, object]], Awaitable[None]]], Awaitable[None]]


def completion(text: str | None, finish: str = "stop", usage: dict[str, int] | None = None) -> bytes:
    """A chat completion as endpoints send it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    tree: dict[str, object] = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    if usage is not None:
        tree["usage"] = usage
    return json.dumps(tree).encode()


USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


@dataclass(slots=True)
class Script:
    """An endpoint that answers what it is told to, one thing after the other; the last for ever."""

    answers: Sequence[tuple[int, bytes, dict[str, str]]]
    bodies: list[dict[str, object]] = field(default_factory=list)
    endless: bool = False
    silent: bool = False

    async def __call__(
        self,
        scope: dict[str, object],
        receive: Callable[[], Awaitable[dict[str, object]]],
        send: Callable[[dict[str, object]], Awaitable[None]],
    ) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            piece = message.get("body", b"")
            assert isinstance(piece, bytes)
            body += piece
            if not message.get("more_body"):
                break
        self.bodies.append(json.loads(body))
        if self.silent:
            await receive()  # until the client goes
            return
        status, content, headers = self.answers[min(len(self.bodies), len(self.answers)) - 1]
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"application/json"), *sent],
        })
        while self.endless:
            await send({"type": "http.response.body", "body": b" " * 65536, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": content})


@dataclass(slots=True)
class FakeTime:
    """Time that passes only when somebody sleeps."""

    at: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds

    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, sleep=self.sleep)


@asynccontextmanager
async def endpoint(
    script: Script, budget: Budget | None = None, time: FakeTime | None = None, **settings: object
) -> AsyncGenerator[Endpoint, None]:
    """The endpoint of a script, behind a real socket."""
    given = {"most_tokens": 100, "tries": 3, "seconds": 30.0} | settings
    async with served(script) as url:
        chosen = EndpointSettings(url=f"{url}/v1", model="m", **given)  # type: ignore[arg-type]
        budget = budget or Budget(Prices(), Caps())
        async with open_endpoint(chosen, budget, (time or FakeTime()).clock()) as opened:
            yield opened


async def test_a_reply_comes_with_what_it_took() -> None:
    script = Script([(200, completion("hello", usage=USAGE), {})])
    budget = Budget(Prices(input_per_million=1e6, output_per_million=2e6), Caps())
    async with endpoint(script, budget, extra_body={"top_k": 20}) as model:
        reply = await model.ask(QUESTION)
    assert (reply.text, reply.input_tokens, reply.output_tokens, reply.money) == ("hello", 10, 5, 20.0)
    assert (budget.tokens, budget.money) == (15, 20.0)
    assert script.bodies[0]["top_k"] == 20
    assert script.bodies[0]["model"] == "m"


@pytest.mark.parametrize(
    ("first", "slept"),
    [
        ((429, b'{"error": {"message": "slow down"}}', {"retry-after": "7"}), 7.0),
        ((500, b"oops", {}), None),
        ((503, b"", {"retry-after": "3"}), 3.0),
        ((200, b"<html>not JSON</html>", {}), None),
        ((200, b"", {}), None),
        ((200, b'{"choices": [{"message": null}]}', {}), None),
    ],
)
async def test_what_is_no_reply_is_asked_for_again(
    first: tuple[int, bytes, dict[str, str]], slept: float | None
) -> None:
    script = Script([first, (200, completion("at last", usage=USAGE), {})])
    time = FakeTime()
    async with endpoint(script, time=time) as model:
        assert (await model.ask(QUESTION)).text == "at last"
    assert len(script.bodies) == 2
    assert len(time.slept) == 1
    assert time.slept[0] == slept if slept is not None else time.slept[0] > 0


@pytest.mark.parametrize("content", [completion(""), completion(None), completion("cut", "length")])
async def test_an_empty_or_cut_reply_is_a_reply(content: bytes) -> None:
    async with endpoint(Script([(200, content, {})])) as model:
        reply = await model.ask(QUESTION)
    assert reply.text in {"", "cut"}


async def test_a_refusal_is_not_tried_again() -> None:
    script = Script([(401, b'{"error": {"message": "who are you"}}', {})])
    budget = Budget(Prices(input_per_million=1), Caps())
    async with endpoint(script, budget) as model:
        with pytest.raises(ModelError, match="who are you"):
            await model.ask(QUESTION)
    assert len(script.bodies) == 1
    assert budget.tokens == 0


async def test_a_reply_that_does_not_end_is_given_up() -> None:
    script = Script([(200, b"", {})], endless=True)
    budget = Budget(Prices(), Caps())
    async with endpoint(script, budget, tries=2) as model:
        with pytest.raises(ModelError, match="2 tries"):
            await model.ask(QUESTION)
    assert budget.tokens == 2 * (QUESTION.most_input_tokens + 100)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens", "n"])
def test_no_further_field_undoes_the_bounds(name: str) -> None:
    with pytest.raises(RequestError, match=name) as caught:
        EndpointSettings(url="http://127.0.0.1:9/v1", model="m", extra_body={"top_p": 0.9, name: 2})
    assert caught.value.field == "SCALEBOX_LLM_EXTRA_BODY"


def test_what_is_out_when_a_run_is_killed_is_told_as_spent() -> None:
    told: list[tuple[int, float]] = []
    budget = Budget(Prices(output_per_million=1e6), Caps(), spent_tokens=7)
    budget.told = lambda: told.append((budget.most_tokens, budget.most_money))
    first = budget.reserve(10, 5)
    assert told == [(22, 5.0)]
    budget.reserve(1, 1)
    budget.settle(first, 0, 0.0)
    assert told[1:] == [(24, 6.0), (9, 1.0)]


async def test_silence_is_given_up() -> None:
    script = Script([(200, b"", {})], silent=True)
    async with endpoint(script, tries=2, seconds=0.2) as model:
        with pytest.raises(ModelError, match="2 tries"):
            await model.ask(QUESTION)
    assert len(script.bodies) == 2


async def test_nobody_there_takes_no_money() -> None:
    budget = Budget(Prices(), Caps())
    chosen = EndpointSettings(url="http://127.0.0.1:9/v1", model="m", tries=2)
    async with open_endpoint(chosen, budget, FakeTime().clock()) as model:
        with pytest.raises(ModelError):
            await model.ask(QUESTION)
    assert budget.tokens == 0


async def test_requests_keep_their_distance() -> None:
    time = FakeTime()
    async with endpoint(
        Script([(200, completion("x", usage=USAGE), {})]), time=time, requests_per_minute=30.0
    ) as model:
        for _ in range(3):
            await model.ask(QUESTION)
    assert time.at == pytest.approx(4.0)


@pytest.mark.parametrize("caps", [Caps(tokens=1000), Caps(money=1000.0)])
async def test_the_cap_holds_whatever_replies_take(caps: Caps) -> None:
    usage = {"prompt_tokens": 20, "completion_tokens": 100, "total_tokens": 120}
    script = Script([(200, completion("x", usage=usage), {})])
    budget = Budget(Prices(input_per_million=1e6, output_per_million=1e6), caps)
    async with endpoint(script, budget) as model:
        results = await asyncio.gather(*(model.ask(QUESTION) for _ in range(30)), return_exceptions=True)
    assert any(isinstance(result, BudgetSpent) for result in results)
    assert any(isinstance(result, Reply) for result in results)
    assert budget.tokens <= 1000
    assert budget.money <= 1000


async def test_a_killed_run_asks_nothing_again(tmp_path: Path) -> None:
    script = Script([(200, completion("once", usage=USAGE), {})])
    path = tmp_path / "trail.jsonl"
    async with endpoint(script) as model:
        trail = Trail(path)
        assert not (await RememberingModel(model, "m", trail).ask(QUESTION)).replayed
        trail.close()
        with path.open("ab") as file:
            file.write(b'{"kind": "asked", "key": "torn')
        trail = Trail(path)
        again = await RememberingModel(model, "m", trail).ask(QUESTION)
        assert (again.text, again.replayed) == ("once", True)
        assert not (await RememberingModel(model, "m", trail).ask(OTHER)).replayed
        trail.close()
    assert len(script.bodies) == 2
    assert [json.loads(line)["kind"] for line in path.read_text().splitlines()] == ["asked", "asked"]


def test_two_runs_do_not_share_a_trail(tmp_path: Path) -> None:
    trail = Trail(tmp_path / "trail.jsonl")
    with pytest.raises(TrailError, match="another run"):
        Trail(tmp_path / "trail.jsonl")
    trail.close()
    Trail(tmp_path / "trail.jsonl").close()


def test_a_trail_refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "trail.jsonl"
    path.write_text("{}\n")
    with pytest.raises(TrailError, match="line 1"):
        Trail(path)


async def test_a_cassette_replays_what_was_recorded_and_holds_no_prompt(tmp_path: Path) -> None:
    script = Script([(200, completion("recorded", usage=USAGE), {})])
    path = tmp_path / "cassette.jsonl"
    async with (
        served(script) as behind,
        open_forward(f"{behind}/v1", 30.0) as forward,
        served(replay_app(Cassette(path), forward)) as url,
    ):
        assert await _asked(url) == "recorded"
        assert await _asked(url) == "recorded"
    assert len(script.bodies) == 1
    assert "Draft a judge" not in path.read_text()
    async with served(replay_app(Cassette(path))) as url:
        assert await _asked(url) == "recorded"
        with pytest.raises(ModelError, match="no reply is recorded"):
            await _asked(url, OTHER)


async def _asked(url: str, request: ModelRequest = QUESTION) -> str:
    chosen = EndpointSettings(url=f"{url}/v1", model="any name", tries=1)
    async with open_endpoint(chosen, Budget(Prices(), Caps()), FakeTime().clock()) as model:
        return (await model.ask(request)).text


async def test_a_recording_server_passes_refusals_on(tmp_path: Path) -> None:
    script = Script([(401, b'{"error": {"message": "no"}}', {})])
    async with (
        served(script) as behind,
        open_forward(f"{behind}/v1", 30.0) as forward,
        served(replay_app(Cassette(tmp_path / "c.jsonl"), forward)) as url,
    ):
        with pytest.raises(ModelError, match="no"):
            await _asked(url)
    assert not (tmp_path / "c.jsonl").exists()


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz"])
def test_a_cassette_goes_on_after_a_torn_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for number in (1, 2):
        Cassette(path).record(f"key {number}", Reply(text=f"{number}" * 99, model="m"))
    whole = path.read_bytes()
    for cut in (1, 3, 25):
        path.write_bytes(whole[:-cut])
        torn = Cassette(path)
        found = torn.find("key 1")
        assert found is not None
        assert found.text == "1" * 99
        torn.record("key 3", Reply(text="three", model="m"))
        torn.record("key 4", Reply(text="four", model="m"))
        again = Cassette(path)
        assert {key for key in ("key 1", "key 3", "key 4") if again.find(key)} == {"key 1", "key 3", "key 4"}
        assert [file.name for file in tmp_path.iterdir()] == [name]


async def test_known_replies_are_recorded_too(tmp_path: Path) -> None:
    trail = Trail(tmp_path / "trail.jsonl")
    trail.keep(QUESTION, "m", Reply(text="known", model="m"))
    script = Script([(401, b"{}", {})])
    cassette = Cassette(tmp_path / "c.jsonl")
    async with endpoint(script) as model:
        for _ in range(2):
            await RememberingModel(model, "m", trail, cassette).ask(QUESTION)
    trail.close()
    assert not script.bodies
    assert len((tmp_path / "c.jsonl").read_text().splitlines()) == len(Cassette(tmp_path / "c.jsonl")) == 1


def test_a_cassette_that_is_no_gzip_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl.gz"
    path.write_text("plain text\n")
    with pytest.raises(CassetteError, match="no gzip file"):
        Cassette(path)


def test_a_cassette_refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"key": "x"}\n')
    with pytest.raises(CassetteError, match="line 1"):
        Cassette(path)
