"""The nouns of the registry: judges by problem and version, their history, use and disputes. Frozen values; nothing is stored here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.problem import ProgramChecker
from scalebox.core.result import JudgeName
from scalebox.registry.states import State
from scalebox.synthesis.domain import ProvedJudge
from scalebox.synthesis.rates import Rates

Facts = Mapping[str, object]
"""A JSON object that the registry keeps and shows, and whose inside it has no opinion on."""
_ID: Final = re.compile(r"(?P<problem>[0-9a-f]{16})-v(?P<version>[1-9][0-9]{0,8})")
_BY_NAME: Final = "name:"
MOST_LISTED: Final = 1000


class UnknownJudge(RequestError):
    """There is no such judge, or problem, in the registry."""

    def __init__(self, reference: str) -> None:
        message = f"there is no judge or problem {reference[:200]!r} in the registry"
        hint = "`scalebox judges list` and GET /v1/judges name those there are"
        super().__init__(message, field="judge", hint=hint, code="judge_unknown")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJudge:
    """A judge to be kept."""

    problem_id: str
    """``sha256:`` by content (`synthesis.domain.problem_id`), or ``name:`` and a name where no cases are known."""
    problem_name: str
    checker: ProgramChecker
    category: str = ""
    """What may differ between right outputs of the problem."""
    origin: str
    """``synthesis``, or what it was imported from."""
    provenance: Facts = field(default_factory=dict)
    evidence: Facts = field(default_factory=dict)
    state: State = State.DRAFT
    rates: Rates | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How often a judge was used, by services that shared this registry."""

    judgements: int = 0
    accepted: int = 0
    """Outputs that the judge's program was asked about and accepted; what equals the answer it is not asked about."""
    refused: int = 0
    broken: int = 0

    def __add__(self, other: Use) -> Use:
        """Both together."""
        return Use(
            judgements=self.judgements + other.judgements,
            accepted=self.accepted + other.accepted,
            refused=self.refused + other.refused,
            broken=self.broken + other.broken,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One move of a judge from state to state."""

    version: int
    start: State | None
    """None where it was made."""
    end: State
    at: str
    """ISO 8601, UTC."""
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Somebody says that a judge was wrong."""

    number: int
    judge_id: str
    reason: str
    output: str
    """The output in question, or as much of it as was given."""
    by: str
    opened_at: str
    settled_at: str | None = None
    upheld: bool | None = None
    """Whether the judge was wrong; None while that is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeVersion:
    """A judge as it is kept."""

    problem_id: str
    problem_name: str
    version: int
    """From 1 by problem."""
    state: State
    category: str
    origin: str
    checker: ProgramChecker
    provenance: Facts
    evidence: Facts
    rates: Rates | None
    use: Use
    open_disputes: int
    created_at: str
    changed_at: str

    @property
    def id(self) -> str:
        """What it is called everywhere."""
        return judge_id(self.problem_id, self.version)

    @property
    def name(self) -> JudgeName:
        """As judgements name it."""
        return JudgeName(id=self.id, problem=self.problem_name, version=self.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A judge with all that happened to it."""

    judge: JudgeVersion
    changes: Sequence[Change]
    disputes: Sequence[Dispute] = field(default_factory=tuple)


def short(problem_id: str) -> str:
    """Sixteen digits that stand for a problem in the ids of its judges."""
    if problem_id.startswith("sha256:"):
        return problem_id.removeprefix("sha256:")[:16]
    return hashlib.sha256(problem_id.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def judge_id(problem_id: str, version: int) -> str:
    """The id of one version of a problem's judge."""
    return f"{short(problem_id)}-v{version}"


def parsed_id(reference: str) -> tuple[str, int] | None:
    """The problem's sixteen digits and the version in a judge's id; None where it is none."""
    found = _ID.fullmatch(reference)
    return None if found is None else (found["problem"], int(found["version"]))


def by_name(name: str) -> str:
    """The id of a problem of which only a name is known. Requests never match it."""
    return f"{_BY_NAME}{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which judges to list."""

    state: State | None = None
    category: str | None = None
    problem: str | None = None
    """Id, short id or name."""
    limit: int = MOST_LISTED
    offset: int = 0


def of_proved(proved: ProvedJudge, rates: Rates | None = None) -> NewJudge:
    """What the pipeline proved, as the registry keeps it: validated, with its classification, proof and provenance."""
    draft = proved.draft
    written = {"template": draft.template, "parameters": dict(draft.parameters), "round": draft.round}
    return NewJudge(
        problem_id=proved.problem_id,
        problem_name=proved.problem_name,
        checker=draft.checker(),
        category=proved.classification.category.value,
        origin="synthesis",
        provenance=asdict(proved.provenance) | {"draft": written},
        evidence={"classification": asdict(proved.classification), "proof": asdict(proved.proof)},
        state=State.VALIDATED,
        rates=rates,
    )
