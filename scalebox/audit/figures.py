"""The figures of an audit: sums over the reports of its problems. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from scalebox.audit.comparisons import FLOATS, MAIN
from scalebox.audit.findings import NOT_AUDITED, ORDER, OWN, Flaw, Report
from scalebox.rows.row import BadRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """How many references one comparison does not accept."""

    comparison: str
    compared: int
    """Problems it could be asked of."""
    rejected: int
    """Its own reference is not accepted, for whatever reason."""
    by_comparison: int
    """Likewise, and the reference ended normally on every case: the comparison alone decided."""

    @property
    def share(self) -> float | None:
        """Of the problems compared that are rejected; None where there are none."""
        return self.rejected / self.compared if self.compared else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What becomes of the problems that the comparisons alone reject: exact, tokens and floats all three."""

    own_checker: int
    """The checker that the row declares accepts the reference."""
    other_comparison: int
    """Another built-in comparison does."""
    special_judge: int
    """Nothing does: a special judge is needed, or the reference or the answers are wrong."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.own_checker + self.other_comparison + self.special_judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often one flaw was found."""

    flaw: Flaw
    problems: int
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of one audit."""

    rows: int
    bad_rows: int
    not_audited: int
    audited: int
    cases: int
    runs: int
    """Of every case."""
    rejections: Sequence[Rejection]
    """exact, tokens, floats, and the checkers that rows declare."""
    remaining: Remaining
    counts: Sequence[Count]
    """Worst first; those that were not found have zeros."""

    def body(self) -> dict[str, object]:
        """The figures as plain JSON."""
        tree = asdict(self)
        for shown, rejection in zip(tree["rejections"], self.rejections, strict=True):
            shown["share"] = rejection.share
        return tree

    def count(self, flaw: Flaw) -> Count:
        """How often a flaw was found."""
        return next(count for count in self.counts if count.flaw is flaw)


def figures(reports: Sequence[Report], bad: Sequence[BadRow], runs: int) -> Figures:
    """Sum up.

    Args:
        reports: one for each row that could be read.
        bad: the rows that could not.
        runs: of every case.
    """
    audited = [report for report in reports if report.audited]
    compared = [report for report in audited if report.compared]
    declared = [report for report in audited if report.declared is not None]
    rejections = [_rejection(name, compared, name) for name in MAIN]
    rejections.append(_rejection("the checker that rows declare", declared, OWN))
    return Figures(
        rows=len(reports) + len(bad),
        bad_rows=len(bad),
        not_audited=len(reports) - len(audited),
        audited=len(audited),
        cases=sum(report.cases for report in audited),
        runs=runs,
        rejections=rejections,
        remaining=_remaining(compared),
        counts=[_count(flaw, reports) for flaw in ORDER],
    )


def _rejection(title: str, problems: Sequence[Report], name: str) -> Rejection:
    rejected = [report for report in problems if name in report.rejected]
    return Rejection(
        comparison=title,
        compared=len(problems),
        rejected=len(rejected),
        by_comparison=sum(not report.fails for report in rejected),
    )


def _remaining(problems: Sequence[Report]) -> Remaining:
    left = [report for report in problems if FLOATS in report.rejected and not report.fails]
    own = [report for report in left if report.declared is not None and OWN not in report.rejected]
    other = [report for report in left if report not in own and not _needs_judge(report)]
    return Remaining(own_checker=len(own), other_comparison=len(other), special_judge=len(left) - len(own) - len(other))


def _needs_judge(report: Report) -> bool:
    return report.has(Flaw.SPECIAL)


def _count(flaw: Flaw, reports: Sequence[Report]) -> Count:
    found = [finding for report in reports for finding in report.findings if finding.flaw is flaw]
    return Count(flaw=flaw, problems=len(found), cases=sum(len(finding.cases) for finding in found))


def something_wrong(figures: Figures, reports: Sequence[Report]) -> bool:
    """Whether a verdict would be wrong, or could not be had: a bad row, one that was not audited, no cases, or a reference that the
    problem's own checker does not accept (our default where the row declares none)."""
    flawed = any(OWN in report.rejected or report.has(Flaw.NO_CASES) for report in reports)
    return bool(figures.bad_rows or flawed or any(figures.count(flaw).problems for flaw in NOT_AUDITED))
