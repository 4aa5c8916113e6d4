"""The steps that transactions on the registry are made of. Decides no move that the table of moves does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic_core import to_json
from sqlalchemy import Connection, Select, and_, case, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from scalebox.core.errors import RequestError
from scalebox.registry import rows, schema
from scalebox.registry.entry import Dispute, JudgeVersion, NewJudge, UnknownJudge, Use, parsed_id, short
from scalebox.registry.states import Move, State, after
from scalebox.wire.judge_text import digest_of

_LONGEST: Final = {"by": 200, "reason": 4000, "output": 65_536}

Key = tuple[str, int]
"""Problem and version."""


class Work:
    """One transaction.

    Args:
        connection: in which it is.
        is_postgres: whether rows are locked one by one; else the whole database is a writer's.
        now: says the time.
    """

    def __init__(self, connection: Connection, is_postgres: bool, now: Callable[[], str]) -> None:
        self.connection = connection
        self._is_postgres = is_postgres
        self._now = now

    def lock_problem(self, problem_id: str, name: str) -> None:
        """The row of a problem, made where there is none, ours until the end of the transaction."""
        made = postgresql.insert if self._is_postgres else sqlite.insert
        values = {
            "id": problem_id,
            "short": short(problem_id),
            "name": name.replace("\0", "\ufffd")[:500],
            "versions": 0,
        }
        self.connection.execute(made(schema.problems).values(values).on_conflict_do_nothing(index_elements=["id"]))
        self.connection.execute(select(schema.problems.c.id).filter_by(id=problem_id).with_for_update())

    def locked(self, reference: str) -> JudgeVersion:
        """A judge whose problem is ours until the end of the transaction."""
        found = self.find(reference)
        self.connection.execute(select(schema.problems.c.id).filter_by(id=found[0]).with_for_update())
        return self.get(self.find(reference))  # which one is active may have changed

    def next_version(self, problem_id: str) -> int:
        query = update(schema.problems).filter_by(id=problem_id).values(versions=schema.problems.c.versions + 1)
        self.connection.execute(query)
        return int(self.connection.scalars(select(schema.problems.c.versions).filter_by(id=problem_id)).one())

    def insert(self, new: NewJudge, text: str, by: str) -> Key:
        version, now = self.next_version(new.problem_id), self._now()
        values = {
            "problem": new.problem_id,
            "version": version,
            "state": new.state.value,
            "category": new.category,
            "origin": new.origin,
            "checker": text,
            "digest": digest_of(text),
            "provenance": json_text(new.provenance),
            "evidence": json_text(new.evidence),
            "created_at": now,
            "changed_at": now,
        }
        self.connection.execute(insert(schema.judges).values({**values, **rows.rate_values(new.rates)}))
        self.note((new.problem_id, version), None, new.state, by, new.origin)
        return new.problem_id, version

    def move(self, judge: JudgeVersion, move: Move, by: str, reason: str) -> None:
        end = after(judge.state, move, judge.id)
        self.set(judge, state=end.value)
        self.note((judge.problem_id, judge.version), judge.state, end, by, reason)

    def note(self, key: Key, start: State | None, end: State, by: str, reason: str) -> None:
        values = {
            "problem": key[0],
            "version": key[1],
            "start": None if start is None else start.value,
            "end": end.value,
            "at": self._now(),
            "by": cut("by", by),
            "reason": cut("reason", reason),
        }
        self.connection.execute(insert(schema.changes).values(values))

    def set(self, judge: JudgeVersion, **values: object) -> None:
        query = update(schema.judges).filter_by(problem=judge.problem_id, version=judge.version)
        self.connection.execute(query.values(changed_at=self._now(), **values))

    def retire_active(self, problem_id: str, by: str, reason: str) -> None:
        version = self.active_version(problem_id)
        if version is not None:
            self.move(self.get((problem_id, version)), Move.RETIRE, by, reason)

    def bump(self) -> None:
        query = update(schema.facts).filter_by(name="revision")
        self.connection.execute(query.values(value=schema.facts.c.value + 1))

    def active_version(self, problem_id: str) -> int | None:
        return self.connection.scalar(
            select(schema.judges.c.version).filter_by(problem=problem_id, state=State.ACTIVE.value)
        )

    def active_before(self, problem_id: str, current: int | None) -> int | None:
        """The version that was put into use before the current one, or last, where none is; as long as it is retired."""
        query = (
            select(schema.changes.c.version)
            .join(
                schema.judges,
                and_(
                    schema.judges.c.problem == schema.changes.c.problem,
                    schema.judges.c.version == schema.changes.c.version,
                ),
            )
            .where(
                schema.changes.c.problem == problem_id,
                schema.changes.c.end == State.ACTIVE.value,
                schema.judges.c.state == State.RETIRED.value,
            )
            .order_by(schema.changes.c.number.desc())
        )
        if current is not None:
            first = select(func.min(schema.changes.c.number)).filter_by(
                problem=problem_id, version=current, end=State.ACTIVE.value
            )
            query = query.where(schema.changes.c.number < first.scalar_subquery())
        return self.connection.scalars(query.limit(1)).first()

    def add_use(self, key: Key, use: Use) -> None:
        table = schema.uses
        made = postgresql.insert if self._is_postgres else sqlite.insert
        counts = {
            "judgements": use.judgements,
            "accepted": use.accepted,
            "refused": use.refused,
            "broken": use.broken,
        }
        added = {name: table.c[name] + count for name, count in counts.items()}
        query = made(table).values(problem=key[0], version=key[1], **counts)
        self.connection.execute(query.on_conflict_do_update(index_elements=["problem", "version"], set_=added))

    def dispute(self, number: int) -> Dispute:
        return rows.dispute_of(self.connection.execute(select(schema.disputes).filter_by(number=number)).one())

    def find(self, reference: str) -> Key:
        """Problem and version of what a reference names.

        Raises:
            UnknownJudge: nothing here.
        """
        found = parsed_id(reference)
        if found is not None:
            key = self.key(*found)
            if key is not None:
                return key
        preferred = case((schema.judges.c.state == State.ACTIVE.value, 0), else_=1)
        query = (
            select(schema.judges.c.problem, schema.judges.c.version)
            .join(schema.problems)
            .where(is_problem(reference))
            .order_by(preferred, schema.judges.c.version.desc())
        )
        there = self.connection.execute(query).all()
        if not there:
            raise UnknownJudge(reference)
        if len({row.problem for row in there}) > 1:
            message = f"{reference[:200]!r} names several problems"
            hint = "use the id of the judge, or of the problem"
            raise RequestError(message, field="judge", hint=hint, code="ambiguous")
        return there[0].problem, there[0].version

    def key(self, digits: str, version: int) -> Key | None:
        query = select(schema.judges.c.problem).join(schema.problems)
        query = query.where(schema.problems.c.short == digits, schema.judges.c.version == version)
        problem = self.connection.scalar(query)
        return None if problem is None else (problem, version)

    def get(self, key: Key) -> JudgeVersion:
        query = rows.judges_query().where(schema.judges.c.problem == key[0], schema.judges.c.version == key[1])
        return rows.judge_of(self.connection.execute(query).one())

    def again(self, judge: JudgeVersion) -> JudgeVersion:
        return self.get((judge.problem_id, judge.version))


def is_problem(reference: str) -> Any:  # ruff: ignore[any-type] - an expression of SQL
    """Whether a problem is the one that a reference names."""
    table = schema.problems
    return (table.c.id == reference) | (table.c.short == reference) | (table.c.name == reference)


def of_judge(table: Any, key: Key) -> Select[Any]:  # ruff: ignore[any-type] - a table of any columns
    """The rows of a table that are about one judge."""
    return select(table).where(table.c.problem == key[0], table.c.version == key[1])


def json_text(value: Mapping[str, object]) -> str:
    """An object as the tables hold it."""
    return to_json(dict(value)).decode()


def cut(name: str, text: str) -> str:
    """A text as long as may be, without what PostgreSQL does not take."""
    return text.replace("\0", "\ufffd")[: _LONGEST[name]]
