"""The HTML page of an audit: one file that needs nothing else, worst problems first. Everything a data set says is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined

from scalebox.audit.audit import Outcome, Problem
from scalebox.audit.findings import ORDER, Flaw

MOST: Final = 200
"""Problems that are shown in full; all of them are in the suggestions."""
MOST_BAD_ROWS: Final = 100
_NAMES: Final = 20
"""Cases that are named."""
_TEMPLATE: Final = "page.html.j2"
_SEVERE: Final = ORDER.index(Flaw.LAXER)
_MILD: Final = ORDER.index(Flaw.NEAR)


def worst_first(problems: Sequence[Problem]) -> list[Problem]:
    """The problems with findings; the worst flaw first, and of one flaw that which concerns most cases."""
    flawed = [problem for problem in problems if problem.report.findings]
    return sorted(flawed, key=_rank)


def _rank(problem: Problem) -> tuple[int, float, int]:
    worst = problem.report.findings[0]
    share = len(worst.cases) / problem.report.cases if problem.report.cases else 1.0
    return ORDER.index(worst.flaw), -share, problem.report.row


def severity(flaw: Flaw) -> str:
    """``bad``, ``fair`` or ``mild``: the colour of a flaw."""
    place = ORDER.index(flaw)
    return "bad" if place < _SEVERE else "fair" if place < _MILD else "mild"


def percent(share: float | None) -> str:
    """A share for people."""
    return "-" if share is None else f"{100 * share:.1f} %"


def named(cases: Sequence[str]) -> str:
    """The names of cases, the first of them where there are many."""
    shown = ", ".join(cases[:_NAMES])
    return shown if len(cases) <= _NAMES else f"{shown} and {len(cases) - _NAMES} more"


def render(outcome: Outcome, source: str, facts: Sequence[str]) -> str:
    """The page.

    Args:
        outcome: of the audit.
        source: what was audited.
        facts: how, in a few short sentences.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"percent": percent, "named": named, "severity": severity}
    template = environment.from_string(files("scalebox.audit").joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    problems = worst_first(outcome.problems)
    return template.render(
        source=source,
        facts=facts,
        figures=outcome.figures,
        counts=[count for count in outcome.figures.counts if count.problems],
        problems=problems[:MOST],
        flawed=len(problems),
        bad=outcome.bad[:MOST_BAD_ROWS],
    )
