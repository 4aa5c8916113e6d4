"""The shapes of judges in the v1 API and in exported files. Shapes only."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from scalebox.wire.v1 import ProgramCheckerV1, Reply, Request

StateV1 = Literal["draft", "validated", "active", "retired"]
FORMAT: Final = "scalebox-judge/1"


class RateV1(Reply):
    """A share that was counted; share and interval (Wilson, 95 %) are null where nothing was."""

    hits: int = Field(ge=0)
    total: int = Field(ge=0)
    share: float | None = None
    interval: tuple[float, float] | None = None


class RatesV1(Reply):
    """What a judge made of outputs whose worth is known."""

    tpr: RateV1
    """Right outputs accepted."""
    tnr: RateV1
    """Wrong outputs refused."""
    broken: int = Field(default=0, ge=0)
    measured_on: str = ""


class UseV1(Reply):
    """How often a judge was used."""

    judgements: int = Field(default=0, ge=0)
    accepted: int = Field(default=0, ge=0)
    refused: int = Field(default=0, ge=0)
    broken: int = Field(default=0, ge=0)


class JudgeProblemV1(Reply):
    """The problem of a judge."""

    id: str = Field(min_length=1, max_length=1000)
    name: str


class JudgeSummaryV1(Reply):
    """A judge in a list."""

    id: str
    problem: JudgeProblemV1
    version: int
    state: StateV1
    category: str
    origin: str
    language: str
    protocol: str
    rates: RatesV1 | None = None
    use: UseV1 = UseV1()
    open_disputes: int = 0
    created_at: str
    changed_at: str


class JudgesV1(Reply):
    """Judges, and where to go on where there may be more."""

    judges: list[JudgeSummaryV1]
    next_offset: int | None


class ChangeV1(Reply):
    """One move from state to state."""

    start: StateV1 | None
    end: StateV1
    at: str
    by: str
    reason: str


class DisputeV1(Reply):
    """Somebody says that the judge was wrong."""

    number: int
    reason: str
    output: str
    by: str
    opened_at: str
    settled_at: str | None = None
    upheld: bool | None = None


class RegisteredJudgeV1(JudgeSummaryV1):
    """A judge with its program, where it comes from, what proves it and what happened to it."""

    checker: ProgramCheckerV1
    provenance: dict[str, object]
    evidence: dict[str, object]
    changes: list[ChangeV1]
    disputes: list[DisputeV1]


class ExportedV1(RegisteredJudgeV1):
    """A line of an exported file."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    format: Literal["scalebox-judge/1"]


class MoveV1(Request):
    """The body of a change of state; it may be left out."""

    reason: str = Field(default="", max_length=4000)


class NewDisputeV1(Request):
    """What is wrong with a judge's word."""

    reason: str = Field(min_length=1, max_length=4000)
    output: str = Field(default="", max_length=65_536)
