"""The tables of the registry, the same on SQLite and PostgreSQL. Says nothing about who changes them.

What must hold is held by the database: one row a version, one text once a problem, one active judge a problem, states from the
closed set, counts that make sense. ``facts.revision`` goes up with every change of what is active, so that services see by
one small read whether they must look again.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from scalebox.registry.states import State

VERSION: Final = 1
"""Of these tables; a registry of another version is refused."""

metadata: Final = MetaData()

facts: Final = Table(
    "judge_facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

problems: Final = Table(
    "judge_problems",
    metadata,
    Column("id", Text, primary_key=True),
    Column("short", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("versions", Integer, nullable=False),
    Index("judge_problems_by_name", "name"),
)

_STATES: Final = ", ".join(f"'{state.value}'" for state in State)
_KEY: Final = ("problem", "version")


def _judge_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(_KEY, ["judges.problem", "judges.version"])


judges: Final = Table(
    "judges",
    metadata,
    Column("problem", Text, ForeignKey("judge_problems.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("state", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("checker", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("provenance", Text, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("right_hits", Integer),
    Column("right_total", Integer),
    Column("wrong_hits", Integer),
    Column("wrong_total", Integer),
    Column("broken", Integer),
    Column("measured_on", Text),
    Column("created_at", Text, nullable=False),
    Column("changed_at", Text, nullable=False),
    UniqueConstraint("problem", "digest", name="judges_one_text_once"),
    CheckConstraint(f"state IN ({_STATES})", name="judges_known_state"),
    CheckConstraint("right_hits BETWEEN 0 AND right_total", name="judges_right_counts"),
    CheckConstraint("wrong_hits BETWEEN 0 AND wrong_total", name="judges_wrong_counts"),
    Index(
        "judges_one_active",
        "problem",
        unique=True,
        sqlite_where=text("state = 'active'"),
        postgresql_where=text("state = 'active'"),
    ),
)

changes: Final = Table(
    "judge_changes",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("problem", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("start", Text),
    Column("end", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    _judge_key(),
    Index("judge_changes_of_judge", *_KEY),
)

uses: Final = Table(
    "judge_uses",
    metadata,
    Column("problem", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("judgements", BigInteger, nullable=False),
    Column("accepted", BigInteger, nullable=False),
    Column("refused", BigInteger, nullable=False),
    Column("broken", BigInteger, nullable=False),
    _judge_key(),
)

disputes: Final = Table(
    "judge_disputes",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("problem", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("output", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("opened_at", Text, nullable=False),
    Column("settled_at", Text),
    Column("upheld", Boolean),
    _judge_key(),
    Index("judge_disputes_of_judge", *_KEY),
)
