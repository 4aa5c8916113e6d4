"""The registry of judges: every change is one transaction, checked against the table of moves. Blocks; called beside an event loop.

A judge is a version of its problem's judge and never changes; what changes is its state, what was measured of it and how often it was
used. At most one version of a problem is active. To activate one retires the one before it, in the same transaction, and
to roll back retires the active one and restores the one that was active before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pydantic_core import to_json
from sqlalchemy import Connection, Select, and_, case, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from scalebox.core.errors import RequestError
from scalebox.core.problem import ProgramChecker
from scalebox.core.result import JudgeName
from scalebox.registry import rows, schema
from scalebox.registry.database import Database
from scalebox.registry.entry import (
    Dispute,
    JudgeVersion,
    NewJudge,
    Story,
    UnknownJudge,
    Use,
    judge_id,
    parsed_id,
    short,
)
from scalebox.registry.states import IllegalMove, Move, State, after
from scalebox.synthesis.rates import Rates
from scalebox.wire.judge_text import digest_of, judge_from_text, judge_text

MOST_LISTED: Final = 1000
_LONGEST: Final = {"by": 200, "reason": 4000, "output": 65_536}

Key = tuple[str, int]
"""Problem and version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Active:
    """A judge in use."""

    name: JudgeName
    problem_id: str
    checker: ProgramChecker


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which judges to list."""

    state: State | None = None
    category: str | None = None
    problem: str | None = None
    """Id, short id or name."""
    limit: int = MOST_LISTED
    offset: int = 0


def utc_now() -> str:
    """Now, as the registry writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Registry:
    """Judges in a database.

    Args:
        url: see `Database`.
        now: says the time; ISO 8601, UTC.

    Raises:
        RegistryError: as every method does where the database fails.
    """

    def __init__(self, url: str, now: Callable[[], str] = utc_now) -> None:
        self._database = Database(url)
        self._now = now

    @property
    def shown(self) -> str:
        """Its URL, without a password."""
        return self._database.shown

    def close(self) -> None:
        """Close what is open."""
        self._database.close()

    # Reading

    def revision(self) -> int:
        """A number that goes up whenever another judge becomes active, or none."""
        with self._database.read() as connection:
            return int(connection.scalars(select(schema.facts.c.value).filter_by(name="revision")).one())

    def active(self) -> tuple[int, Sequence[Active]]:
        """The judges in use, and the revision at which they are."""
        columns = (schema.judges.c.problem, schema.judges.c.version, schema.judges.c.checker, schema.problems.c.name)
        joined = schema.judges.join(schema.problems)
        with self._database.read() as connection:
            # The revision first: what is read after it is at least as new, whatever the isolation level.
            revision = int(connection.scalars(select(schema.facts.c.value).filter_by(name="revision")).one())
            found = connection.execute(
                select(*columns).select_from(joined).where(schema.judges.c.state == State.ACTIVE.value)
            ).all()
        return revision, [
            Active(
                name=JudgeName(id=judge_id(row.problem, row.version), problem=row.name, version=row.version),
                problem_id=row.problem,
                checker=judge_from_text(row.checker),
            )
            for row in found
        ]

    def list(self, wanted: Filter | None = None) -> Sequence[JudgeVersion]:
        """Judges by problem and version; newest problems last."""
        wanted = wanted or Filter()
        query = rows.judges_query()
        if wanted.state is not None:
            query = query.where(schema.judges.c.state == wanted.state.value)
        if wanted.category is not None:
            query = query.where(schema.judges.c.category == wanted.category)
        if wanted.problem is not None:
            query = query.where(_is_problem(wanted.problem))
        query = query.order_by(schema.problems.c.name, schema.judges.c.problem, schema.judges.c.version)
        query = query.limit(wanted.limit).offset(wanted.offset)
        with self._database.read() as connection:
            return [rows.judge_of(row) for row in connection.execute(query)]

    def get(self, reference: str) -> JudgeVersion:
        """One judge.

        Args:
            reference: its id; or a problem's id, short id or name, for the one in use, else the newest version.

        Raises:
            UnknownJudge: there is none.
        """
        with self._database.read() as connection:
            return self._get(connection, self._find(connection, reference))

    def story(self, reference: str) -> Story:
        """A judge with all that happened to it.

        Raises:
            UnknownJudge: there is none.
        """
        with self._database.read() as connection:
            key = self._find(connection, reference)
            judge = self._get(connection, key)
            moves = connection.execute(_of(schema.changes, key).order_by(schema.changes.c.number)).all()
            said = connection.execute(_of(schema.disputes, key).order_by(schema.disputes.c.number)).all()
        return Story(
            judge=judge, changes=[rows.change_of(row) for row in moves], disputes=[rows.dispute_of(row) for row in said]
        )

    # Making

    def add(self, new: NewJudge, by: str = "") -> tuple[JudgeVersion, bool]:
        """Keep a judge. The same text for the same problem is kept once; its state is then left as it is.

        Returns:
            The judge, and whether it was not there yet.

        Raises:
            IllegalMove: a new judge can be a draft, or validated by its proof.
        """
        if new.state not in {State.DRAFT, State.VALIDATED}:
            message = f"a new judge cannot be {new.state}"
            raise IllegalMove(message, field="state", hint="add it, then activate it", code="illegal_transition")
        text = judge_text(new.checker)
        with self._database.write() as connection:
            self._lock_problem(connection, new.problem_id, new.problem_name)
            known = connection.scalar(
                select(schema.judges.c.version).filter_by(problem=new.problem_id, digest=digest_of(text))
            )
            if known is not None:
                return self._get(connection, (new.problem_id, known)), False
            key = self._insert(connection, new, text, by)
            return self._get(connection, key), True

    def restore_whole(self, story: Story) -> bool:
        """Keep a judge with its state, counts and history, as it was exported. False where its text is there already.

        Raises:
            RequestError: its problem has another active judge here.
        """
        judge = story.judge
        text = judge_text(judge.checker)
        with self._database.write() as connection:
            self._lock_problem(connection, judge.problem_id, judge.problem_name)
            digest = digest_of(text)
            if connection.scalar(select(schema.judges.c.version).filter_by(problem=judge.problem_id, digest=digest)):
                return False
            if judge.state is State.ACTIVE and self._active_version(connection, judge.problem_id) is not None:
                message = f"problem {judge.problem_name!r} has another active judge here"
                hint = "retire that one first, or import without the states"
                raise RequestError(message, field="state", hint=hint, code="active_exists")
            key = (judge.problem_id, self._next_version(connection, judge.problem_id))
            connection.execute(insert(schema.judges).values(rows.values_of(judge, key[1], text)))
            rows.insert_history(connection, key, story)
            if judge.state is State.ACTIVE:
                self._bump(connection)
            return True

    # Moving

    def validate(self, reference: str, evidence: Mapping[str, object], by: str = "") -> JudgeVersion:
        """A draft that was proved.

        Args:
            reference: of the judge.
            evidence: what proves it; kept beside what was known before, under new names.

        Raises:
            UnknownJudge, IllegalMove: as they say.
        """
        with self._database.write() as connection:
            judge = self._locked(connection, reference)
            whole = dict(judge.evidence) | dict(evidence)
            self._move(connection, judge, Move.VALIDATE, by, "proved")
            self._set(connection, judge, evidence=_json(whole))
            return self._again(connection, judge)

    def activate(self, reference: str, by: str = "", reason: str = "") -> JudgeVersion:
        """Use a judge from now on, and retire the one that was in use for its problem.

        Raises:
            UnknownJudge, IllegalMove: as they say.
        """
        with self._database.write() as connection:
            judge = self._locked(connection, reference)
            after(judge.state, Move.ACTIVATE, judge.id)
            self._retire_active(connection, judge.problem_id, by, f"replaced by version {judge.version}")
            self._move(connection, judge, Move.ACTIVATE, by, reason)
            self._bump(connection)
            return self._again(connection, judge)

    def retire(self, reference: str, by: str = "", reason: str = "") -> JudgeVersion:
        """Use a judge no more.

        Raises:
            UnknownJudge, IllegalMove: as they say.
        """
        with self._database.write() as connection:
            judge = self._locked(connection, reference)
            self._move(connection, judge, Move.RETIRE, by, reason)
            if judge.state is State.ACTIVE:
                self._bump(connection)
            return self._again(connection, judge)

    def roll_back(self, reference: str, by: str = "", reason: str = "") -> JudgeVersion:
        """Use the version again that was in use before the one that is.

        Args:
            reference: of the problem, or of one of its judges.

        Raises:
            UnknownJudge: there is none.
            IllegalMove: none was in use before.
        """
        with self._database.write() as connection:
            some = self._locked(connection, reference)
            current = self._active_version(connection, some.problem_id)
            earlier = self._active_before(connection, some.problem_id, current)
            if earlier is None:
                message = f"problem {some.problem_name!r} has no judge that was in use before"
                hint = "`scalebox judges show` has the history; activate a validated version instead"
                raise IllegalMove(message, field="judge", hint=hint, code="illegal_transition")
            judge = self._get(connection, (some.problem_id, earlier))
            self._retire_active(connection, some.problem_id, by, f"rolled back to version {earlier}")
            self._move(connection, judge, Move.RESTORE, by, reason or "rollback")
            self._bump(connection)
            return self._again(connection, judge)

    # Counting

    def note_rates(self, reference: str, rates: Rates) -> JudgeVersion:
        """What was measured of a judge, in place of what was measured before.

        Raises:
            UnknownJudge: there is none.
        """
        with self._database.write() as connection:
            judge = self._locked(connection, reference)
            self._set(connection, judge, **rows.rate_values(rates))
            return self._again(connection, judge)

    def note_uses(self, uses: Mapping[str, Use]) -> None:
        """Add to the counters of judges, by id; one that is gone is left out."""
        with self._database.write() as connection:
            for reference, use in sorted(uses.items()):  # in one order, so that no two writers wait for each other
                found = parsed_id(reference)
                key = None if found is None else self._key(connection, *found)
                if key is not None:
                    self._add_use(connection, key, use)

    def dispute(self, reference: str, reason: str, output: str = "", by: str = "") -> Dispute:
        """Note that a judge is said to be wrong.

        Raises:
            UnknownJudge: there is none.
            RequestError: no reason is given.
        """
        if not reason.strip():
            raise RequestError("a dispute needs a reason", field="reason", hint="say what is wrong", code="missing")
        with self._database.write() as connection:
            judge = self._locked(connection, reference)
            values = {
                "problem": judge.problem_id,
                "version": judge.version,
                "reason": _cut("reason", reason),
                "output": _cut("output", output),
                "by": _cut("by", by),
                "opened_at": self._now(),
            }
            number = connection.execute(insert(schema.disputes).values(values)).inserted_primary_key
            assert number is not None  # ruff: ignore[assert] - it was inserted
            return self._dispute(connection, int(number[0]))

    def settle(self, number: int, *, upheld: bool) -> Dispute:
        """Say of a dispute whether the judge was wrong.

        Raises:
            RequestError: there is no such dispute, or it is settled.
        """
        with self._database.write() as connection:
            query = update(schema.disputes).where(
                schema.disputes.c.number == number, schema.disputes.c.settled_at.is_(None)
            )
            done = connection.execute(query.values(settled_at=self._now(), upheld=upheld))
            if done.rowcount != 1:
                message = f"there is no open dispute {number}"
                hint = "`scalebox judges show` lists those of a judge"
                raise RequestError(message, field="dispute", hint=hint, code="dispute_unknown")
            return self._dispute(connection, number)

    # The parts of transactions

    def _lock_problem(self, connection: Connection, problem_id: str, name: str) -> None:
        """The row of a problem, made where there is none, ours until the end of the transaction."""
        made = postgresql.insert if self._database.is_postgres else sqlite.insert
        values = {
            "id": problem_id,
            "short": short(problem_id),
            "name": name.replace("\0", "\ufffd")[:500],
            "versions": 0,
        }
        connection.execute(made(schema.problems).values(values).on_conflict_do_nothing(index_elements=["id"]))
        connection.execute(select(schema.problems.c.id).filter_by(id=problem_id).with_for_update())

    def _locked(self, connection: Connection, reference: str) -> JudgeVersion:
        """A judge whose problem is ours until the end of the transaction."""
        found = self._find(connection, reference)
        connection.execute(select(schema.problems.c.id).filter_by(id=found[0]).with_for_update())
        return self._get(connection, self._find(connection, reference))  # which one is active may have changed

    def _next_version(self, connection: Connection, problem_id: str) -> int:
        query = update(schema.problems).filter_by(id=problem_id).values(versions=schema.problems.c.versions + 1)
        connection.execute(query)
        return int(connection.scalars(select(schema.problems.c.versions).filter_by(id=problem_id)).one())

    def _insert(self, connection: Connection, new: NewJudge, text: str, by: str) -> Key:
        version, now = self._next_version(connection, new.problem_id), self._now()
        values = {
            "problem": new.problem_id,
            "version": version,
            "state": new.state.value,
            "category": new.category,
            "origin": new.origin,
            "checker": text,
            "digest": digest_of(text),
            "provenance": _json(new.provenance),
            "evidence": _json(new.evidence),
            "created_at": now,
            "changed_at": now,
        }
        connection.execute(insert(schema.judges).values({**values, **rows.rate_values(new.rates)}))
        self._note(connection, (new.problem_id, version), None, new.state, by, new.origin)
        return new.problem_id, version

    def _move(self, connection: Connection, judge: JudgeVersion, move: Move, by: str, reason: str) -> None:
        end = after(judge.state, move, judge.id)
        self._set(connection, judge, state=end.value)
        self._note(connection, (judge.problem_id, judge.version), judge.state, end, by, reason)

    def _note(self, connection: Connection, key: Key, start: State | None, end: State, by: str, reason: str) -> None:
        values = {
            "problem": key[0],
            "version": key[1],
            "start": None if start is None else start.value,
            "end": end.value,
            "at": self._now(),
            "by": _cut("by", by),
            "reason": _cut("reason", reason),
        }
        connection.execute(insert(schema.changes).values(values))

    def _set(self, connection: Connection, judge: JudgeVersion, **values: object) -> None:
        query = update(schema.judges).filter_by(problem=judge.problem_id, version=judge.version)
        connection.execute(query.values(changed_at=self._now(), **values))

    def _retire_active(self, connection: Connection, problem_id: str, by: str, reason: str) -> None:
        version = self._active_version(connection, problem_id)
        if version is not None:
            self._move(connection, self._get(connection, (problem_id, version)), Move.RETIRE, by, reason)

    def _bump(self, connection: Connection) -> None:
        query = update(schema.facts).filter_by(name="revision")
        connection.execute(query.values(value=schema.facts.c.value + 1))

    def _active_version(self, connection: Connection, problem_id: str) -> int | None:
        return connection.scalar(
            select(schema.judges.c.version).filter_by(problem=problem_id, state=State.ACTIVE.value)
        )

    def _active_before(self, connection: Connection, problem_id: str, current: int | None) -> int | None:
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
        return connection.scalars(query.limit(1)).first()

    def _add_use(self, connection: Connection, key: Key, use: Use) -> None:
        table = schema.uses
        made = postgresql.insert if self._database.is_postgres else sqlite.insert
        counts = {
            "judgements": use.judgements,
            "accepted": use.accepted,
            "refused": use.refused,
            "broken": use.broken,
        }
        added = {name: table.c[name] + count for name, count in counts.items()}
        query = made(table).values(problem=key[0], version=key[1], **counts)
        connection.execute(query.on_conflict_do_update(index_elements=["problem", "version"], set_=added))

    def _dispute(self, connection: Connection, number: int) -> Dispute:
        return rows.dispute_of(connection.execute(select(schema.disputes).filter_by(number=number)).one())

    def _find(self, connection: Connection, reference: str) -> Key:
        """Problem and version of what a reference names.

        Raises:
            UnknownJudge: nothing here.
        """
        found = parsed_id(reference)
        if found is not None:
            key = self._key(connection, *found)
            if key is not None:
                return key
        preferred = case((schema.judges.c.state == State.ACTIVE.value, 0), else_=1)
        query = (
            select(schema.judges.c.problem, schema.judges.c.version)
            .join(schema.problems)
            .where(_is_problem(reference))
            .order_by(preferred, schema.judges.c.version.desc())
        )
        there = connection.execute(query).all()
        if not there:
            raise UnknownJudge(reference)
        if len({row.problem for row in there}) > 1:
            message = f"{reference[:200]!r} names several problems"
            hint = "use the id of the judge, or of the problem"
            raise RequestError(message, field="judge", hint=hint, code="ambiguous")
        return there[0].problem, there[0].version

    def _key(self, connection: Connection, digits: str, version: int) -> Key | None:
        query = select(schema.judges.c.problem).join(schema.problems)
        query = query.where(schema.problems.c.short == digits, schema.judges.c.version == version)
        problem = connection.scalar(query)
        return None if problem is None else (problem, version)

    def _get(self, connection: Connection, key: Key) -> JudgeVersion:
        query = rows.judges_query().where(schema.judges.c.problem == key[0], schema.judges.c.version == key[1])
        return rows.judge_of(connection.execute(query).one())

    def _again(self, connection: Connection, judge: JudgeVersion) -> JudgeVersion:
        return self._get(connection, (judge.problem_id, judge.version))


def _is_problem(reference: str) -> Any:  # ruff: ignore[any-type] - an expression of SQL
    table = schema.problems
    return (table.c.id == reference) | (table.c.short == reference) | (table.c.name == reference)


def _of(table: Any, key: Key) -> Select[Any]:  # ruff: ignore[any-type] - a table of any columns
    return select(table).where(table.c.problem == key[0], table.c.version == key[1])


def _json(value: Mapping[str, object]) -> str:
    return to_json(dict(value)).decode()


def _cut(name: str, text: str) -> str:
    """A text as long as may be, without what PostgreSQL does not take."""
    return text.replace("\0", "\ufffd")[: _LONGEST[name]]
