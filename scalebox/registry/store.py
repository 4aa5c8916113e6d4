"""The registry of judges: every change is one transaction, checked against the table of moves. Blocks; called beside an event loop.

A judge is a version of its problem's judge and never changes; what changes is its state, what was measured of it and how often it was
used. At most one version of a problem is active. To activate one retires the one before it, in the same transaction, and
to roll back retires the active one and restores the one that was active before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import insert, select, update

from scalebox.core.errors import RequestError
from scalebox.core.problem import ProgramChecker
from scalebox.core.result import JudgeName
from scalebox.registry import rows, schema
from scalebox.registry.database import Database
from scalebox.registry.entry import (
    Dispute,
    Filter,
    JudgeVersion,
    NewJudge,
    Story,
    Use,
    judge_id,
    parsed_id,
)
from scalebox.registry.states import IllegalMove, Move, State, after
from scalebox.registry.work import Work, cut, is_problem, json_text, of_judge
from scalebox.synthesis.rates import Rates
from scalebox.telemetry.logs import get_logger
from scalebox.wire.judge_text import digest_of, judge_from_text, judge_text

MOST_OPEN_DISPUTES: Final = 100
"""About one judge: any client may open them, and nobody reads more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Active:
    """A judge in use."""

    name: JudgeName
    problem_id: str
    checker: ProgramChecker


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
        self._log = get_logger("registry")

    @property
    def shown(self) -> str:
        """What may be seen of its URL."""
        return self._database.shown

    def close(self) -> None:
        """Close what is open."""
        self._database.close()

    # Reading

    def revision(self) -> int:
        """A number that goes up whenever another judge becomes active, or none."""
        with self._read() as work:
            return int(work.connection.scalars(select(schema.facts.c.value).filter_by(name="revision")).one())

    def active(self) -> tuple[int, Sequence[Active]]:
        """The judges in use, and the revision at which they are. One that cannot be read is logged and left out."""
        columns = (schema.judges.c.problem, schema.judges.c.version, schema.judges.c.checker, schema.problems.c.name)
        joined = schema.judges.join(schema.problems)
        with self._read() as work:
            # The revision first: what is read after it is at least as new, whatever the isolation level.
            revision = int(work.connection.scalars(select(schema.facts.c.value).filter_by(name="revision")).one())
            found = work.connection.execute(
                select(*columns).select_from(joined).where(schema.judges.c.state == State.ACTIVE.value)
            ).all()
        judges = []
        for row in found:
            name = JudgeName(id=judge_id(row.problem, row.version), problem=row.name, version=row.version)
            try:
                checker = judge_from_text(row.checker)
            except RequestError as error:  # written by another version, or by hand
                self._log.warning("a judge in use cannot be read and is not asked", judge=name.id, error=str(error))
                continue
            judges.append(Active(name=name, problem_id=row.problem, checker=checker))
        return revision, judges

    def list(self, wanted: Filter | None = None) -> Sequence[JudgeVersion]:
        """Judges by problem and version; newest problems last."""
        wanted = wanted or Filter()
        query = rows.judges_query()
        if wanted.state is not None:
            query = query.where(schema.judges.c.state == wanted.state.value)
        if wanted.category is not None:
            query = query.where(schema.judges.c.category == wanted.category)
        if wanted.problem is not None:
            query = query.where(is_problem(wanted.problem))
        query = query.order_by(schema.problems.c.name, schema.judges.c.problem, schema.judges.c.version)
        query = query.limit(wanted.limit).offset(wanted.offset)
        with self._read() as work:
            return [rows.judge_of(row) for row in work.connection.execute(query)]

    def get(self, reference: str) -> JudgeVersion:
        """One judge.

        Args:
            reference: its id; or a problem's id, short id or name, for the one in use, else the newest version.

        Raises:
            UnknownJudge: there is none.
        """
        with self._read() as work:
            return work.get(work.find(reference))

    def story(self, reference: str) -> Story:
        """A judge with all that happened to it.

        Raises:
            UnknownJudge: there is none.
        """
        with self._read() as work:
            key = work.find(reference)
            judge = work.get(key)
            moves = work.connection.execute(of_judge(schema.changes, key).order_by(schema.changes.c.number)).all()
            said = work.connection.execute(of_judge(schema.disputes, key).order_by(schema.disputes.c.number)).all()
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
        with self._write() as work:
            work.lock_problem(new.problem_id, new.problem_name)
            known = work.connection.scalar(
                select(schema.judges.c.version).filter_by(problem=new.problem_id, digest=digest_of(text))
            )
            if known is not None:
                return work.get((new.problem_id, known)), False
            key = work.insert(new, text, by)
            return work.get(key), True

    def restore_whole(self, story: Story) -> bool:
        """Keep a judge with its state, counts and history, as it was exported. False where its text is there already.

        Raises:
            RequestError: its problem has another active judge here.
        """
        judge = story.judge
        text = judge_text(judge.checker)
        with self._write() as work:
            work.lock_problem(judge.problem_id, judge.problem_name)
            digest = digest_of(text)
            if work.connection.scalar(
                select(schema.judges.c.version).filter_by(problem=judge.problem_id, digest=digest)
            ):
                return False
            if judge.state is State.ACTIVE and work.active_version(judge.problem_id) is not None:
                message = f"problem {judge.problem_name!r} has another active judge here"
                hint = "retire that one first, or import without the states"
                raise RequestError(message, field="state", hint=hint, code="active_exists")
            key = (judge.problem_id, work.next_version(judge.problem_id))
            work.connection.execute(insert(schema.judges).values(rows.values_of(judge, key[1], text)))
            rows.insert_history(work.connection, key, story)
            if judge.state is State.ACTIVE:
                work.bump()
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
        with self._write() as work:
            judge = work.locked(reference)
            whole = dict(judge.evidence) | dict(evidence)
            work.move(judge, Move.VALIDATE, by, "proved")
            work.set(judge, evidence=json_text(whole))
            return work.again(judge)

    def activate(self, reference: str, by: str = "", reason: str = "") -> JudgeVersion:
        """Use a judge from now on, and retire the one that was in use for its problem.

        Raises:
            UnknownJudge, IllegalMove: as they say.
        """
        with self._write() as work:
            judge = work.locked(reference)
            after(judge.state, Move.ACTIVATE, judge.id)
            work.retire_active(judge.problem_id, by, f"replaced by version {judge.version}")
            work.move(judge, Move.ACTIVATE, by, reason)
            work.bump()
            return work.again(judge)

    def retire(self, reference: str, by: str = "", reason: str = "") -> JudgeVersion:
        """Use a judge no more.

        Raises:
            UnknownJudge, IllegalMove: as they say.
        """
        with self._write() as work:
            judge = work.locked(reference)
            work.move(judge, Move.RETIRE, by, reason)
            if judge.state is State.ACTIVE:
                work.bump()
            return work.again(judge)

    def roll_back(self, reference: str, by: str = "", reason: str = "") -> JudgeVersion:
        """Use the version again that was in use before the one that is.

        Args:
            reference: of the problem, or of one of its judges.

        Raises:
            UnknownJudge: there is none.
            IllegalMove: none was in use before.
        """
        with self._write() as work:
            some = work.locked(reference)
            current = work.active_version(some.problem_id)
            earlier = work.active_before(some.problem_id, current)
            if earlier is None:
                message = f"problem {some.problem_name!r} has no judge that was in use before"
                hint = "`scalebox judges show` has the history; activate a validated version instead"
                raise IllegalMove(message, field="judge", hint=hint, code="illegal_transition")
            judge = work.get((some.problem_id, earlier))
            work.retire_active(some.problem_id, by, f"rolled back to version {earlier}")
            work.move(judge, Move.RESTORE, by, reason or "rollback")
            work.bump()
            return work.again(judge)

    # Counting

    def note_rates(self, reference: str, rates: Rates) -> JudgeVersion:
        """What was measured of a judge, in place of what was measured before.

        Raises:
            UnknownJudge: there is none.
        """
        with self._write() as work:
            judge = work.locked(reference)
            work.set(judge, **rows.rate_values(rates))
            return work.again(judge)

    def note_uses(self, uses: Mapping[str, Use]) -> None:
        """Add to the counters of judges, by id; one that is gone is left out."""
        with self._write() as work:
            for reference, use in sorted(uses.items()):  # in one order, so that no two writers wait for each other
                found = parsed_id(reference)
                key = None if found is None else work.key(*found)
                if key is not None:
                    work.add_use(key, use)

    def dispute(self, reference: str, reason: str, output: str = "", by: str = "") -> Dispute:
        """Note that a judge is said to be wrong.

        Raises:
            UnknownJudge: there is none.
            RequestError: no reason is given, or too many disputes about the judge are open.
        """
        if not reason.strip():
            raise RequestError("a dispute needs a reason", field="reason", hint="say what is wrong", code="missing")
        with self._write() as work:
            judge = work.locked(reference)
            if judge.open_disputes >= MOST_OPEN_DISPUTES:
                message = f"{judge.open_disputes} disputes about judge {judge.id} are open already"
                hint = "whoever keeps the registry settles them first (`scalebox judges settle`)"
                raise RequestError(message, field="judge", hint=hint, code="too_many_disputes")
            values = {
                "problem": judge.problem_id,
                "version": judge.version,
                "reason": cut("reason", reason),
                "output": cut("output", output),
                "by": cut("by", by),
                "opened_at": self._now(),
            }
            number = work.connection.execute(insert(schema.disputes).values(values)).inserted_primary_key
            assert number is not None  # ruff: ignore[assert] - it was inserted
            return work.dispute(int(number[0]))

    def settle(self, number: int, *, upheld: bool) -> Dispute:
        """Say of a dispute whether the judge was wrong.

        Raises:
            RequestError: there is no such dispute, or it is settled.
        """
        with self._write() as work:
            query = update(schema.disputes).where(
                schema.disputes.c.number == number, schema.disputes.c.settled_at.is_(None)
            )
            done = work.connection.execute(query.values(settled_at=self._now(), upheld=upheld))
            if done.rowcount != 1:
                message = f"there is no open dispute {number}"
                hint = "`scalebox judges show` lists those of a judge"
                raise RequestError(message, field="dispute", hint=hint, code="dispute_unknown")
            return work.dispute(number)

    @contextmanager
    def _read(self) -> Generator[Work, None, None]:
        with self._database.read() as connection:
            yield Work(connection, self._database.is_postgres, self._now)

    @contextmanager
    def _write(self) -> Generator[Work, None, None]:
        with self._database.write() as connection:
            yield Work(connection, self._database.is_postgres, self._now)
