"""Requests that end in the same bytes are read once, and mean exactly what they mean when read whole."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.api import tails
from scalebox.api.app import create_app
from scalebox.api.tails import Tails
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import RequestError
from scalebox.wire import legacy
from scalebox.wire.convert_legacy import EvaluateCall, batch_call
from scalebox.wire.parse import parse_json, validate

CASES = {"type": "stdin_stdout", "input": ["1"], "output": ["2"]}
CONFIG = json.dumps({"language": "python", "provided_data": {"test_cases": CASES}})
OTHER = CONFIG.replace('"2"', '"3"')


def whole(body: bytes) -> EvaluateCall:
    """What it means."""
    return batch_call(validate(legacy.BatchIn, parse_json(body)))


def outcome(work: Callable[[], EvaluateCall]) -> object:
    """The call, or what was wrong."""
    try:
        return work()
    except RequestError as error:
        return error.code, error.field


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request is large."""
    monkeypatch.setattr(tails, "LEAST_BYTES", 0)


TEXT = st.sampled_from([
    '""',
    '"x"',
    '"\\"config\\""',
    '"\\"config"',
    '"a \\"config\\": {} b"',
    '"\\\\"',
    "1",
    "null",
    '"é"',
])
MEMBERS = st.lists(
    st.tuples(st.sampled_from(["completion", "id", "extra", "dataset", "config", "c\\u006fnfig"]), TEXT), max_size=3
)
AFTER = st.sampled_from([
    "",
    ', "id": 5',
    ', "id": 0',
    ', "extra": {"run_all_cases": true}',
    ', "completion": "z"',
    ", ",
    "}",
])
BODIES = st.builds(
    lambda before, config, after, space: (
        "{" + "".join(f'"{key}":{space}{value},' for key, value in before) + f'"config":{space}{config}{after}' + "}"
    ).encode(),
    st.just([("completion", '"c"')]) | st.just([("completion", '"d"'), ("id", "7")]) | MEMBERS,
    st.sampled_from([CONFIG, OTHER]),
    AFTER,
    st.sampled_from(["", " "]),
)


@given(st.lists(BODIES, min_size=1, max_size=6))
def test_what_is_not_read_again_means_the_same(bodies: list[bytes]) -> None:
    kept = Tails()
    for body in [*bodies, *bodies]:
        found = outcome(lambda body=body: kept.call(body, legacy.BatchIn, whole))  # type: ignore[misc]
        assert found == outcome(lambda body=body: whole(body))  # type: ignore[misc]


def body_of(completion: str, config: str = CONFIG) -> bytes:
    """A request as clients write it."""
    return json.dumps({"completion": completion, "config": json.loads(config)}).encode()


def test_the_same_end_is_read_once() -> None:
    kept, read = Tails(), []

    def noted(body: bytes) -> EvaluateCall:
        read.append(body)
        return whole(body)

    texts = ["a", "b", 'c "config"', 'd "config']
    calls = [kept.call(body_of(text), legacy.BatchIn, noted) for text in texts]
    assert [call.submission.text for call in calls] == texts
    assert read == [body_of("a"), body_of('d "config')]  # the cut of the last one is inside its completion
    assert calls[0].problem is calls[1].problem


def test_an_end_of_the_same_length_and_beginning_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "_HEAD_BYTES", 8)
    kept = Tails()
    for config in (CONFIG, OTHER, CONFIG):
        assert kept.call(body_of("a", config), legacy.BatchIn, whole) == whole(body_of("a", config))


def test_what_is_kept_is_bounded() -> None:
    size = len(body_of("")) - body_of("").find(b'"config"')
    kept = Tails(most_bytes=size)
    for config in (CONFIG, CONFIG + " "):
        kept.call(b'{"completion":"a","config":' + config.encode() + b"}", legacy.BatchIn, whole)
        assert kept._held <= size


def test_a_shape_is_not_taken_for_another() -> None:
    kept = Tails()
    kept.call(body_of("a"), legacy.BatchIn, whole)
    with pytest.raises(RequestError):
        kept.call(body_of("a"), legacy.SingleIn, lambda body: whole(body) and validate_single(body))


def validate_single(body: bytes) -> EvaluateCall:
    """Refused: the cases are columns."""
    validate(legacy.SingleIn, parse_json(body))
    raise AssertionError


async def test_rollouts_of_a_large_problem_share_it(judge: MockJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "LEAST_BYTES", 256 << 10)
    config = {"language": "python", "provided_data": {"test_cases": {"input": ["x" * 300_000], "output": ["1"]}}}
    transport = httpx2.ASGITransport(app=create_app(judge, Settings()))
    async with httpx2.AsyncClient(transport=transport, base_url="http://scalebox") as client:
        for number in range(3):
            body = {"completion": f"```python\nprint({number})\n```", "id": number, "config": config}
            reply = await client.post("/common_evaluate_batch", json=body)
            assert (reply.status_code, reply.json()["id"]) == (200, number)
    assert len({id(call[1]) for call in judge.calls}) == 1
    assert len({str(call[0]) for call in judge.calls}) == 3
