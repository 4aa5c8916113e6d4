"""The page of a measurement: one HTML file, nothing loaded from elsewhere, what outputs say is text. And the figures as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from scalebox.synthesis.measuring.measure import MOST_EXAMPLES, Counted, Measured
from scalebox.synthesis.rates import Rate, rate_body

_TEMPLATE: Final = "page.html.j2"
_PART_END: Final = re.compile(r"([/_:.-])(?=\w)")
Body = dict[str, Any]


def percent(share: float | None) -> str:
    """A share for people."""
    return "-" if share is None else f"{100 * share:.1f} %"


def interval(rate: Rate) -> str:
    """Its interval for people."""
    found = rate.interval
    return "" if found is None else f"{100 * found[0]:.1f} to {100 * found[1]:.1f} %"


def span(rate: Rate) -> tuple[float, float] | None:
    """Where its interval is drawn: start and width in percent, never too narrow to be seen."""
    found = rate.interval
    return None if found is None else (min(99.0, 100 * found[0]), max(1.0, 100 * (found[1] - found[0])))


def breakable(name: str) -> Markup:
    """A name that may be broken after its parts."""
    return Markup(_PART_END.sub(r"\1<wbr>", str(escape(name))))  # ruff: ignore[unsafe-markup-use] - it is escaped


def worst_first(measured: Sequence[Measured]) -> list[str]:
    """Every problem, those first on which the first judge was wrong most often."""

    def missed(name: str) -> int:
        counted = measured[0].problems.get(name) if measured else None
        if counted is None:
            return 0
        return counted.right.total - counted.right.hits + counted.wrong.total - counted.wrong.hits

    return sorted(names(measured), key=lambda name: (-missed(name), name))


def names(measured: Sequence[Measured]) -> list[str]:
    """Every problem that any of them was measured on."""
    return sorted({name for one in measured for name in one.problems})


def render(measured: Sequence[Measured], facts: Sequence[str]) -> str:
    """The page.

    Args:
        measured: what was counted of each.
        facts: on what and how, in a few short sentences.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"percent": percent, "interval": interval, "span": span, "breakable": breakable}
    template = environment.from_string(
        files("scalebox.synthesis.measuring").joinpath(_TEMPLATE).read_text(encoding="utf-8")
    )
    return template.render(measured=measured, problems=worst_first(measured), facts=facts, most=MOST_EXAMPLES)


def figures(measured: Sequence[Measured]) -> Body:
    """The figures."""
    return {"judges": [_figures(one) for one in measured]}


def _figures(one: Measured) -> Body:
    mean = one.mean
    return {
        "name": one.contestant.name,
        **_counted(one.whole),
        "mean_of_problems": {"tpr": mean[0], "tnr": mean[1]},
        "problems_without": one.without,
        "problems": {
            name: _counted(counted) | {"id": one.ids[name], "judge": one.contestant.judge_id(name, one.ids[name])}
            for name, counted in one.problems.items()
        },
        "mistakes": [asdict(mistake) | {"said": mistake.said.value} for mistake in one.mistakes],
    }


def _counted(counted: Counted) -> Body:
    return {
        "tpr": rate_body(counted.right),
        "tnr": rate_body(counted.wrong),
        "broken": counted.broken,
        "undecided": counted.undecided,
    }
