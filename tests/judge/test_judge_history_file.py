"""The learned order over a restart: kept, shared, bounded, and never worth more than a fresh start when it is broken."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.cli import serve
from scalebox.cli.serve import keeping_order
from scalebox.config import Settings
from scalebox.core.result import Health, Isolation
from scalebox.judge.history import Histories, Snapshot
from scalebox.judge.history_file import NAME, HistoryFile, load_into

KEY, OTHER = b"\x01" * 32, b"\x02" * 32


def learned(*failing: int, cases: int = 6, key: bytes = KEY) -> Histories:
    """Of submissions that failed one case each."""
    histories = Histories()
    for case in failing:
        histories.of(key, cases).note(dict.fromkeys(range(cases), 0.01), [case])
    return histories


def after_restart(folder: Path) -> Histories:
    """What a new server starts with."""
    histories = Histories()
    load_into(histories, HistoryFile(folder))
    return histories


def test_the_order_is_that_of_before(tmp_path: Path) -> None:
    before = learned(4, 4, 2)
    HistoryFile(tmp_path / "new").save(before.snapshots({}))
    again = after_restart(tmp_path / "new").of(KEY, 6)
    assert again.order() == before.of(KEY, 6).order()
    assert again.order()[0] == 4
    again.note(dict.fromkeys(range(6), 0.01), [1])  # and it goes on learning
    assert again.noted == 4


def test_a_problem_without_failures_is_not_kept(tmp_path: Path) -> None:
    histories = Histories()
    histories.of(KEY, 3).note({0: 0.1}, [])
    HistoryFile(tmp_path).save(histories.snapshots({}))
    assert not list(tmp_path.iterdir())


def test_only_what_is_new_is_written(tmp_path: Path) -> None:
    histories = learned(1)
    assert [key for key, _ in histories.snapshots({KEY: 1})] == []
    assert [key for key, _ in histories.snapshots({KEY: 0})] == [KEY]


def test_cells_keep_what_the_others_learned(tmp_path: Path) -> None:
    one, two = HistoryFile(tmp_path), HistoryFile(tmp_path)
    one.save(learned(1, 1, 1).snapshots({}))
    two.save(learned(5, key=OTHER).snapshots({}))
    two.save(learned(3).snapshots({}))  # of fewer submissions
    again = after_restart(tmp_path)
    assert (again.of(KEY, 6).order()[0], again.of(OTHER, 6).order()[0]) == (1, 5)


def test_the_file_is_bounded_and_the_latest_stay(tmp_path: Path) -> None:
    file = HistoryFile(tmp_path, most_bytes=4000)
    for number in range(100):
        file.save(learned(number % 6, key=bytes([number]) * 32).snapshots({}))
    assert (tmp_path / NAME).stat().st_size <= 4100
    kept = [key[0] for key, _ in file.load()]
    assert kept == list(range(100 - len(kept), 100))
    assert len(kept) > 5


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[]",
        b"[" * 100_000,
        b'{"version":1}',
        b'{"version":2,"problems":{}}',
        b'{"version":1,"problems":[]}',
        b'{"version":1,"problems":{"zz":{}}}',
        b'{"version":1,"problems":{"01":{"noted":1,"ran":[1],"failed":[1,2],"seconds":[0],"sample":[[0]]}}}',
        b'{"version":1,"problems":{"01":{"noted":1,"ran":[1],"failed":[1],"seconds":[0],"sample":[[1]]}}}',
        b'{"version":1,"problems":{"01":{"noted":1,"ran":[-1],"failed":[1],"seconds":[0],"sample":[[0]]}}}',
        b'{"version":1,"problems":{"01":{"noted":1,"ran":[1],"failed":[1],"seconds":[NaN],"sample":[[0]]}}}',
        b'{"version":1,"problems":{"01":{"noted":"x","ran":[1],"failed":[1],"seconds":[0],"sample":[[0]]}}}',
    ],
)
def test_a_broken_file_is_as_good_as_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(content)
    assert len(after_restart(tmp_path)) == 0
    HistoryFile(tmp_path).save(learned(2).snapshots({}))
    assert after_restart(tmp_path).of(KEY, 6).order()[0] == 2


class Learner:
    """As much of a judge as its keeper looks at."""

    def __init__(self) -> None:
        self.histories = Histories()

    async def health(self) -> Health:
        isolation = Isolation(level="strict", walls=())
        return Health(
            ready=True,
            isolation=isolation,
            missing_walls={},
            slots=1,
            busy=0,
            queued=0,
            languages={},
            version="",
            node="",
        )


@pytest.mark.parametrize(("keep", "kept"), [(True, 3), (False, 0)])
async def test_a_server_keeps_what_it_learned(keep: bool, kept: int, tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path, keep_order=keep)
    first, second = Learner(), Learner()
    async with keeping_order(first, settings):  # type: ignore[arg-type]
        first.histories.of(KEY, 6).note(dict.fromkeys(range(6), 0.01), [3])
    async with keeping_order(second, settings):  # type: ignore[arg-type]
        assert second.histories.of(KEY, 6).order()[0] == kept


@pytest.mark.parametrize("error", [OSError("no space"), ValueError("odd")])
async def test_what_could_not_be_written_is_written_later(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    loop, later = asyncio.get_running_loop(), asyncio.Event()
    real = HistoryFile.save

    def save(file: HistoryFile, learned: Sequence[tuple[bytes, Snapshot]]) -> None:
        tries.append(len(learned))
        if len(tries) == 1:
            raise error
        real(file, learned)
        loop.call_soon_threadsafe(later.set)

    monkeypatch.setattr(HistoryFile, "save", save)
    monkeypatch.setattr(serve, "_ORDER_SECONDS", 0.001)
    first = Learner()
    first.histories.of(KEY, 6).note(dict.fromkeys(range(6), 0.01), [3])
    async with keeping_order(first, Settings(state_dir=tmp_path, keep_order=True)), asyncio.timeout(60):  # type: ignore[arg-type]
        await later.wait()
    assert tries[:2] == [1, 1]
    assert after_restart(tmp_path / "learned").of(KEY, 6).order()[0] == 3


@given(cut=st.integers(0, 400))
def test_half_a_file_never_raises(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("half")
    HistoryFile(folder).save(learned(1, 2).snapshots({}))
    whole = (folder / NAME).read_bytes()
    (folder / NAME).write_bytes(whole[:cut])
    assert len(after_restart(folder)) in {0, 1}
    assert json.loads(whole)["version"] == 1
