"""When who is refused may come again, on a clock that the tests turn."""

from __future__ import annotations

import pytest

from scalebox.judge.pace import Pace


def paced(*, interval: float, count: int = 50) -> tuple[Pace, float]:
    """A queue that somebody leaves every so many seconds, and the time."""
    pace, now = Pace(), 0.0
    pace.come(now)
    for _ in range(count):
        pace.come(now)
        now += interval
        pace.leave(now)
    return pace, now


def test_nobody_has_left_yet() -> None:
    pace = Pace()
    pace.come(0.0)
    assert pace.promise(0.0) == pytest.approx(1.0)


@pytest.mark.parametrize("interval", [2.0, 7.5])
def test_one_after_the_other_at_the_speed_at_which_others_leave(interval: float) -> None:
    pace, now = paced(interval=interval)
    assert [pace.promise(now) for _ in range(3)] == pytest.approx([interval, 2 * interval, 3 * interval], rel=0.1)


def test_bounds() -> None:
    fast, now = paced(interval=0.001)
    assert fast.promise(now) == pytest.approx(1.0)
    slow, now = paced(interval=1000.0)
    assert slow.promise(now) == pytest.approx(60.0)


def test_nobody_has_left_for_longer_than_usual() -> None:
    pace, now = paced(interval=1.0)
    assert pace.promise(now + 20.0) == pytest.approx(20.0, rel=0.1)


def test_time_in_which_nobody_was_here_does_not_count() -> None:
    pace, now = paced(interval=2.0)
    pace.leave(now)
    assert pace.here == 0
    now += 100_000.0
    pace.come(now)
    pace.come(now)
    pace.leave(now + 2.0)
    assert pace.promise(now + 2.0) == pytest.approx(2.0, rel=0.2)
