"""The nouns of judge synthesis: problems, drafts, evidence, proofs, judges that passed. Frozen values; nothing here asks a model or runs a program.

A problem is known by the content of its cases, so that the id is the same whoever holds the problem, whatever checker, limits or
statement it came with: what a judge was proved on is what it may be used for.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scalebox.core.limits import Limits
from scalebox.core.problem import AskWhen, CheckerProtocol, ProgramChecker, ProgramText, StdioCase
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict


class Category(enum.StrEnum):
    """What may differ between two right outputs of one problem."""

    UNIQUE = "unique_answer"
    """Nothing but white space."""
    NUMERIC = "numeric_tolerance"
    """The last digits of numbers."""
    ANY_ORDER = "any_order"
    """The order of elements."""
    ANY_CONSTRUCTION = "any_construction"
    """Everything: any construction, path or witness that satisfies the statement."""
    ANY_REPRESENTATION = "any_representation"
    """How one and the same thing is written."""
    INTERACTIVE = "interactive"
    """The program converses; no judge of outputs will do."""
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownOutput:
    """An output whose worth is known."""

    case: str
    """Name of the case it belongs to."""
    output: bytes
    origin: str = ""
    """Where it comes from, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemRecord:
    """What is known of a problem that wants a judge."""

    name: str
    """How its data set calls it."""
    statement: str
    """Data, never instructions."""
    tests: Sequence[StdioCase]
    references: Sequence[Submission] = ()
    """Submissions known to be right."""
    wrong: Sequence[Submission] = ()
    """Submissions known to be wrong on at least one case."""
    good_outputs: Sequence[KnownOutput] = ()
    bad_outputs: Sequence[KnownOutput] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def id(self) -> str:
        """By content."""
        return problem_id(self.tests)


def problem_id(tests: Sequence[StdioCase]) -> str:
    """The id of the problem with these cases: ``sha256:`` over inputs and answers, in whatever order the cases come."""
    digests = sorted(
        hashlib.sha256(len(case.input).to_bytes(8, "big") + case.input + case.answer).digest() for case in tests
    )
    return "sha256:" + hashlib.sha256(b"".join(digests)).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """Which kind of judge a problem wants, and why that is believed."""

    category: Category
    reason: str
    confidence: float
    """0 to 1."""
    votes: Mapping[str, int] = field(default_factory=dict)
    """Category -> how many replies named it."""
    cheap_evidence: tuple[str, ...] = ()
    """What was known without asking a model, in sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A judge that nobody has proved yet."""

    source: str
    """The whole program, whether it was written or made from a template."""
    language: str = "python"
    protocol: CheckerProtocol = CheckerProtocol.FUNCTION
    template: str | None = None
    """Name of the template it was made from; None where the program was written."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Of the template, as JSON texts."""
    number: int = 0
    """Which of the independent drafts of its problem, from 0."""
    round: int = 0
    """How often it was repaired."""

    @property
    def digest(self) -> str:
        """Tells drafts apart by what they do."""
        text = f"{self.protocol.value}\0{self.language}\0{self.source}"
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

    def checker(self, when: AskWhen = AskWhen.UNDECIDED, limits: Limits | None = None) -> ProgramChecker:
        """The checker that this judge is."""
        program = ProgramText(language=self.language, files={"judge": self.source}, entry="judge")
        return ProgramChecker(protocol=self.protocol, program=program, when=when, limits=limits)


class Trial(enum.StrEnum):
    """What a draft was tried with."""

    SOURCE = "source"
    """Its own text: calls that no judge needs."""
    ANSWER = "answer"
    """The jury's answers."""
    GOOD_OUTPUT = "good_output"
    REFERENCE_OUTPUT = "reference_output"
    """What submissions known to be right print."""
    BLANKS = "blanks"
    """The answer with white space that means nothing."""
    LETTER_CASE = "letter_case"
    """The answer in other letter case, where the statement or the convention of contests says what that is worth."""
    EMPTY = "empty"
    GARBAGE = "garbage"
    TRUNCATED = "truncated"
    PADDED = "padded"
    MISNUMBERED = "misnumbered"
    """The answer with a wrong number after ``Case #``."""
    FOREIGN_ANSWER = "foreign_answer"
    """Answers of other cases."""
    NOT_A_NUMBER = "not_a_number"
    HUGE_NUMBER = "huge_number"
    CODE = "code"
    """Text that a judge which evaluates its input would run."""
    HOSTILE = "hostile"
    """Bytes that are no text, very long numbers, very deep nesting."""
    BAD_OUTPUT = "bad_output"
    WRONG_SUBMISSION = "wrong_submission"
    MUTANT = "mutant"
    """Outputs of changed references, and changed answers."""
    REPETITION = "repetition"
    """The same again: a judge says the same."""


class Due(enum.StrEnum):
    """What a judge has to say."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    ANY = "any"
    """Either; only a judge that breaks is at fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing a draft was tried with and what it said."""

    trial: Trial
    case: str
    """Name of the case; empty where it is about no case."""
    due: Due
    got: Verdict | None
    """AC accepts, WA refuses, JE is a judge that broke; None where nothing was run."""
    convicts: bool
    """Whether no judge that is right would have said so."""
    words: str
    """What is wrong, or what was tried."""
    output: str = ""
    """Excerpt of the output, as text."""
    decided_by: str = ""
    """Who says what is due, where that is not plain."""
    judge_said: str = ""
    """Excerpt of what the judge itself said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How a draft did in one kind of trial."""

    tried: int = 0
    convicted: int = 0
    undecided: int = 0
    """Outputs of which nobody knows whether they are right; these are not counted as tried."""


class Outcome(enum.StrEnum):
    """What a proof found."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNPROVABLE = "unprovable"
    """Too little could be tried to believe the draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was tried on one draft, and what convicted it."""

    draft_digest: str
    outcome: Outcome
    tallies: Mapping[Trial, Tally]
    convictions: tuple[Evidence, ...] = ()
    """Empty exactly when the outcome is not ``refuted``."""
    reason: str = ""
    """Why it is unprovable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What asking models took."""

    requests: int = 0
    replayed: int = 0
    """Of the requests, those answered from a trail or a cassette without asking."""
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    """In the currency of the prices given."""

    def __add__(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(
            requests=self.requests + other.requests,
            replayed=self.replayed + other.replayed,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            money=self.money + other.money,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a judge comes from."""

    model: str
    prompt_hashes: tuple[str, ...]
    """Of every request that had a part in it, in order: SHA-256 as in the trail."""
    cost: Cost
    """Of the whole problem, discarded drafts included."""
    rounds: int
    """Repairs that the judge took."""
    scalebox: str
    """Version."""
    created_at: str = ""
    """ISO 8601, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedJudge:
    """A judge that passed its proof."""

    problem_id: str
    problem_name: str
    classification: Classification
    draft: Draft
    proof: Proof
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded:
    """A problem that ended without a judge."""

    problem_id: str
    problem_name: str
    classification: Classification | None
    reason: str
    proofs: tuple[Proof, ...] = ()
    """Of its last drafts."""
    cost: Cost = field(default_factory=Cost)
