"""The figures of the report, as SVG: small, labelled, in colours that the colour-blind tell apart; the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

mpl.rcParams.update({
    "svg.hashsalt": "scalebox",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
})

COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999")
"""Okabe and Ito's."""
HATCHES: Final = ("", "//", "..", "xx", "\\\\", "++", "--")
"""So that they are told apart in grey too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Groups of horizontal bars, one a series."""

    title: str
    axis: str
    groups: Sequence[str]
    series: Mapping[str, Sequence[float | None]]
    """Of each group; None where there is nothing to show."""
    line: tuple[float, str] | None = None
    """A value to draw across all, and what it says."""
    logarithmic: bool = False


def draw(bars: Bars, path: Path) -> None:
    """Write the figure."""
    count, thick = len(bars.series), 0.8 / len(bars.series)
    figure = Figure(
        figsize=(6.5, 0.9 + 0.17 * count * len(bars.groups) + 0.12 * len(bars.groups)), layout="constrained"
    )
    axes = figure.add_subplot()
    for number, (name, values) in enumerate(bars.series.items()):
        places = [group - 0.4 + (number + 0.5) * thick for group in range(len(bars.groups))]
        shown = [(place, value) for place, value in zip(places, values, strict=True) if value is not None]
        drawn = axes.barh(
            [place for place, _ in shown],
            [value for _, value in shown],
            height=thick * 0.9,
            label=name,
            color=COLOURS[number % len(COLOURS)],
            hatch=HATCHES[number % len(HATCHES)],
            edgecolor="white",
            linewidth=0.5,
        )
        axes.bar_label(drawn, fmt=label, padding=2, fontsize=7)
    _finish(axes, bars)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def label(value: float) -> str:
    """Three digits, and no powers of ten."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _finish(axes: Axes, bars: Bars) -> None:
    axes.set_yticks(range(len(bars.groups)), bars.groups)
    axes.invert_yaxis()
    axes.set_xlabel(bars.axis)
    axes.set_title(bars.title, loc="left", fontsize=9)
    axes.margins(x=0.12)
    if bars.logarithmic:
        axes.set_xscale("log")
    if bars.line is not None:
        value, said = bars.line
        axes.axvline(value, color="black", linewidth=0.8, linestyle="--", label=said)
    axes.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
