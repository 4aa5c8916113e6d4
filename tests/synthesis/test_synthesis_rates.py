"""Wilson's score interval against published values."""

from __future__ import annotations

import pytest

from scalebox.synthesis.rates import Rate, wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0000),
    ],
)
def test_the_interval_is_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert list(wilson(hits, total)) == pytest.approx([low, high], abs=5e-5)


def test_nothing_counted_says_nothing() -> None:
    nothing = Rate(hits=0, total=0)
    assert nothing.share is None
    assert nothing.interval is None
    assert nothing + Rate(hits=1, total=2) == Rate(hits=1, total=2)


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ValueError, match="2 of 1 is no share"):
        Rate(hits=2, total=1)
