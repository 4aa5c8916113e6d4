"""Judges as JSON, for replies, commands and exported files, and back. Decides nothing; shows evidence whole, which may quote answers."""

from __future__ import annotations

from typing import Any

from scalebox.core.errors import RequestError
from scalebox.registry.entry import Change, Dispute, JudgeVersion, Story, Use, by_name
from scalebox.registry.states import State
from scalebox.synthesis.rates import Rate, Rates, rate_body
from scalebox.wire import judges_v1
from scalebox.wire.judge_text import judge_from_tree, judge_tree
from scalebox.wire.parse import parse_json, validate

Body = dict[str, Any]


def rates_body(rates: Rates) -> Body:
    """What was measured."""
    return {
        "tpr": rate_body(rates.right),
        "tnr": rate_body(rates.wrong),
        "broken": rates.broken,
        "measured_on": rates.measured_on,
    }


def summary(judge: JudgeVersion) -> Body:
    """A judge in a list."""
    use = judge.use
    return {
        "id": judge.id,
        "problem": {"id": judge.problem_id, "name": judge.problem_name},
        "version": judge.version,
        "state": judge.state.value,
        "category": judge.category,
        "origin": judge.origin,
        "language": judge.checker.program.language,
        "protocol": judge.checker.protocol.value,
        "rates": None if judge.rates is None else rates_body(judge.rates),
        "use": {
            "judgements": use.judgements,
            "accepted": use.accepted,
            "refused": use.refused,
            "broken": use.broken,
        },
        "open_disputes": judge.open_disputes,
        "created_at": judge.created_at,
        "changed_at": judge.changed_at,
    }


def detail(story: Story) -> Body:
    """A judge with all that is known of it."""
    judge = story.judge
    return summary(judge) | {
        "checker": judge_tree(judge.checker),
        "provenance": dict(judge.provenance),
        "evidence": dict(judge.evidence),
        "changes": [_change_body(change) for change in story.changes],
        "disputes": [dispute_body(dispute) for dispute in story.disputes],
    }


def exported(story: Story) -> Body:
    """A judge as a line of a file."""
    return {"format": judges_v1.FORMAT} | detail(story)


def dispute_body(dispute: Dispute) -> Body:
    """A dispute."""
    return {
        "number": dispute.number,
        "judge": dispute.judge_id,
        "reason": dispute.reason,
        "output": dispute.output,
        "by": dispute.by,
        "opened_at": dispute.opened_at,
        "settled_at": dispute.settled_at,
        "upheld": dispute.upheld,
    }


def _change_body(change: Change) -> Body:
    return {
        "start": None if change.start is None else change.start.value,
        "end": change.end.value,
        "at": change.at,
        "by": change.by,
        "reason": change.reason,
    }


def story_from(line: bytes) -> Story:
    """The judge in a line of an exported file.

    Raises:
        RequestError: the line is none.
    """
    model = validate(judges_v1.ExportedV1, parse_json(line))
    problem = model.problem
    if not problem.id.startswith(("sha256:", by_name(""))):
        hint = "it is sha256: and a digest of the cases, or name: and a name"
        raise RequestError(f"{problem.id[:100]!r} is no id of a problem", field="problem.id", hint=hint)
    rates = None
    if model.rates is not None:
        rates = Rates(
            right=_rate(model.rates.tpr, "rates.tpr"),
            wrong=_rate(model.rates.tnr, "rates.tnr"),
            broken=model.rates.broken,
            measured_on=model.rates.measured_on,
        )
    judge = JudgeVersion(
        problem_id=problem.id,
        problem_name=problem.name,
        version=model.version,
        state=State(model.state),
        category=model.category,
        origin=model.origin,
        checker=judge_from_tree(model.checker.model_dump(exclude_unset=True)),
        provenance=model.provenance,
        evidence=model.evidence,
        rates=rates,
        use=Use(**model.use.model_dump()),
        open_disputes=model.open_disputes,
        created_at=model.created_at,
        changed_at=model.changed_at,
    )
    changes = [
        Change(
            version=model.version,
            start=None if one.start is None else State(one.start),
            end=State(one.end),
            at=one.at,
            by=one.by,
            reason=one.reason,
        )
        for one in model.changes
    ]
    disputes = [
        Dispute(
            number=one.number,
            judge_id=model.id,
            reason=one.reason,
            output=one.output,
            by=one.by,
            opened_at=one.opened_at,
            settled_at=one.settled_at,
            upheld=one.upheld,
        )
        for one in model.disputes
    ]
    return Story(judge=judge, changes=changes, disputes=disputes)


def _rate(rate: judges_v1.RateV1, field: str) -> Rate:
    if rate.hits > rate.total:
        raise RequestError(f"{rate.hits} of {rate.total} is no share", field=field, hint="hits are at most the total")
    return Rate(hits=rate.hits, total=rate.total)
