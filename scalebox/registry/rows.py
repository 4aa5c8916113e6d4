"""Rows of the tables to the nouns of the registry, and back. Decides nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Connection, Row, Select, func, insert, select

from scalebox.registry import schema
from scalebox.registry.entry import Change, Dispute, JudgeVersion, Story, Use, judge_id
from scalebox.registry.states import State
from scalebox.synthesis.rates import Rate, Rates
from scalebox.wire.judge_text import digest_of, judge_from_text


def judges_query() -> Select[Any]:
    """Judges with their problem's name, their use and the number of their open disputes."""
    judges, uses, said = schema.judges, schema.uses, schema.disputes
    same = (said.c.problem == judges.c.problem) & (said.c.version == judges.c.version)
    still_open = select(func.count()).where(same, said.c.settled_at.is_(None)).correlate(judges)
    used = (uses.c.problem == judges.c.problem) & (uses.c.version == judges.c.version)
    return select(
        judges,
        schema.problems.c.name.label("problem_name"),
        uses.c.judgements,
        uses.c.accepted,
        uses.c.refused,
        uses.c.broken.label("use_broken"),
        still_open.scalar_subquery().label("open_disputes"),
    ).select_from(judges.join(schema.problems).outerjoin(uses, used))


def judge_of(row: Row[Any]) -> JudgeVersion:
    """The judge in a row of that query."""
    return JudgeVersion(
        problem_id=row.problem,
        problem_name=row.problem_name,
        version=row.version,
        state=State(row.state),
        category=row.category,
        origin=row.origin,
        checker=judge_from_text(row.checker),
        provenance=json.loads(row.provenance),
        evidence=json.loads(row.evidence),
        rates=_rates_of(row),
        use=Use(
            judgements=row.judgements or 0,
            accepted=row.accepted or 0,
            refused=row.refused or 0,
            broken=row.use_broken or 0,
        ),
        open_disputes=row.open_disputes,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )


def _rates_of(row: Row[Any]) -> Rates | None:
    if row.right_total is None:
        return None
    return Rates(
        right=Rate(hits=row.right_hits, total=row.right_total),
        wrong=Rate(hits=row.wrong_hits, total=row.wrong_total),
        broken=row.broken,
        measured_on=row.measured_on,
    )


def rate_values(rates: Rates | None) -> Mapping[str, int | str | None]:
    """What was measured, as columns."""
    if rates is None:
        return {}
    return {
        "right_hits": rates.right.hits,
        "right_total": rates.right.total,
        "wrong_hits": rates.wrong.hits,
        "wrong_total": rates.wrong.total,
        "broken": rates.broken,
        "measured_on": rates.measured_on,
    }


def values_of(judge: JudgeVersion, version: int, text: str) -> Mapping[str, object]:
    """A judge as a row, with another number."""
    return {
        "problem": judge.problem_id,
        "version": version,
        "state": judge.state.value,
        "category": judge.category,
        "origin": judge.origin,
        "checker": text,
        "digest": digest_of(text),
        "provenance": to_json(dict(judge.provenance)).decode(),
        "evidence": to_json(dict(judge.evidence)).decode(),
        "created_at": judge.created_at,
        "changed_at": judge.changed_at,
        **rate_values(judge.rates),
    }


def insert_history(connection: Connection, key: tuple[str, int], story: Story) -> None:
    """What happened to a judge elsewhere."""
    place = {"problem": key[0], "version": key[1]}
    changes = [
        {
            **place,
            "start": None if one.start is None else one.start.value,
            "end": one.end.value,
            "at": one.at,
            "by": one.by,
            "reason": one.reason,
        }
        for one in story.changes
    ]
    disputes = [
        {
            **place,
            "reason": one.reason,
            "output": one.output,
            "by": one.by,
            "opened_at": one.opened_at,
            "settled_at": one.settled_at,
            "upheld": one.upheld,
        }
        for one in story.disputes
    ]
    use = story.judge.use
    counts = {
        "judgements": use.judgements,
        "accepted": use.accepted,
        "refused": use.refused,
        "broken": use.broken,
    }
    if changes:
        connection.execute(insert(schema.changes), changes)
    if disputes:
        connection.execute(insert(schema.disputes), disputes)
    if use != Use():
        connection.execute(insert(schema.uses).values(**place, **counts))


def change_of(row: Row[Any]) -> Change:
    """The move in a row."""
    return Change(
        version=row.version,
        start=None if row.start is None else State(row.start),
        end=State(row.end),
        at=row.at,
        by=row.by,
        reason=row.reason,
    )


def dispute_of(row: Row[Any]) -> Dispute:
    """The dispute in a row."""
    return Dispute(
        number=row.number,
        judge_id=judge_id(row.problem, row.version),
        reason=row.reason,
        output=row.output,
        by=row.by,
        opened_at=row.opened_at,
        settled_at=row.settled_at,
        upheld=row.upheld,
    )
