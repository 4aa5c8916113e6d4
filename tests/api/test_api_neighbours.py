"""What goes between the cells of a server: replies and errors, dealt lines, health and metrics put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from scalebox.api.errors import Conflict, NoRoom, TooLarge, retry_after, status_of
from scalebox.api.neighbours import Deal, pack, unpack, whole_health
from scalebox.client.mock import MockJudge
from scalebox.core.errors import (
    DeadlineExceeded,
    LanguageUnavailable,
    QueueFull,
    RequestError,
    SandboxError,
    ScaleBoxError,
)
from scalebox.telemetry.metrics import Metrics, join


@dataclass
class Others:
    """Neighbours that are up as a test says."""

    number: int
    count: int
    cells: Sequence[int]

    def up(self) -> Sequence[int]:
        """As told."""
        return self.cells

    def owner(self, key: str) -> int:
        """By length."""
        return self.cells[len(key) % len(self.cells)]

    async def ask(self, cell: int, kind: int, payload: bytes = b"") -> bytes:
        """Nobody is there."""
        raise AssertionError((cell, kind, payload))


@pytest.mark.parametrize("reply", [b"", b"{}", b"\0\1\2" * 1000])
def test_a_reply_crosses_as_it_is(reply: bytes) -> None:
    assert unpack(pack(reply)) == reply


@pytest.mark.parametrize(
    "error",
    [
        RequestError("no", field="problem.tests", hint="give one", code="empty"),
        LanguageUnavailable("no", field="language", hint="one of: c", code="unknown_language"),
        Conflict("this id was used for another body", field="id", hint="use a new id", code="id_conflict"),
        TooLarge("the request is larger", hint="send less", code="too_large"),
        DeadlineExceeded("late"),
    ],
)
def test_an_error_crosses_with_its_status_and_fields(error: ScaleBoxError) -> None:
    with pytest.raises(ScaleBoxError) as caught:
        unpack(pack(error))
    if not isinstance(error, TooLarge):
        assert status_of(caught.value) == status_of(error)
    if isinstance(error, RequestError):
        assert isinstance(caught.value, RequestError)
        told = caught.value
        assert (told.message, told.field, told.hint, told.code) == (error.message, error.field, error.hint, error.code)


@pytest.mark.parametrize("error", [QueueFull(7.5), NoRoom(2.0)])
def test_a_full_queue_crosses_with_its_pause(error: QueueFull) -> None:
    with pytest.raises(QueueFull) as caught:
        unpack(pack(error))
    assert retry_after(caught.value) == retry_after(error)


def test_a_failure_of_the_other_cell_is_ours() -> None:
    with pytest.raises(ScaleBoxError, match="a slot died") as caught:
        unpack(pack(SandboxError("a slot died")))
    assert status_of(caught.value) == 500


def test_lines_go_to_the_cell_that_has_the_fewest() -> None:
    deal = Deal(Others(number=1, count=3, cells=[0, 1, 2]))
    assert [deal.take() for _ in range(6)] == [None, 0, 2, None, 0, 2]
    deal.give_back(2)
    deal.give_back(2)
    assert [deal.take() for _ in range(3)] == [2, 2, None]


def test_lines_stay_where_there_is_no_other_cell() -> None:
    assert [Deal(None).take() for _ in range(2)] == [None, None]
    assert Deal(Others(number=0, count=2, cells=[])).take() is None


async def test_health_of_the_whole() -> None:
    part = replace(await MockJudge().health(), slots=4, busy=1, queued=2)
    whole = whole_health({0: replace(part, ready=False), 2: part}, Others(number=0, count=3, cells=[0, 2]))
    assert (whole.ready, whole.slots, whole.busy, whole.queued) == (True, 8, 2, 4)
    assert (whole.cells, whole.cells_up) == (3, 2)


def test_metrics_of_the_whole_keep_the_cells_apart() -> None:
    texts = {}
    for cell in (0, 10):
        metrics = Metrics()
        for _ in range(cell + 1):
            metrics.judged("AC", ran=2, seconds=0.1, queue_seconds=0.0)
        metrics.replied("/v1/problems/{id}", 200, 0.1)
        texts[cell] = metrics.render(queued=cell, busy=0, slots=4, ready=True)
    families = {family.name: family for family in text_string_to_metric_families(join(texts).decode())}
    assert len(join(texts).split(b"# TYPE scalebox_judgements_total ")) == 2
    values = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in families.values()
        for sample in family.samples
    }
    assert values["scalebox_judgements_total", ("cell", "10"), ("verdict", "AC")] == 11
    assert (
        values[
            "scalebox_queued",
            ("cell", "10"),
        ]
        == 10
    )
    assert (
        values[
            "scalebox_slots",
            ("cell", "0"),
        ]
        == 4
    )
    assert values["scalebox_http_requests_total", ("cell", "0"), ("route", "/v1/problems/{id}"), ("status", "200")] == 1
    assert (
        values[
            "scalebox_judge_seconds_count",
            ("cell", "0"),
        ]
        == 1
    )
