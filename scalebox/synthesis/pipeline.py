"""The way of one problem from its statement to a proved judge. Every stage is found again after a kill; nothing is asked twice.

cheap evidence → independent drafts, each with the category it sees → a vote where the category is unsure → proof of each draft →
repair with what convicted it → cross-examination where drafts differ, with one draft more to break a tie. A problem ends with a
proved judge or is discarded with the reason; it is unfinished, and goes on in the next run, where the model could not be asked.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, TypeVar

from pydantic import TypeAdapter

from scalebox.core.ports import Judge
from scalebox.core.verdict import Verdict
from scalebox.synthesis import prompts
from scalebox.synthesis.bench import Tried, disputes, make_bench, outvoted, try_draft
from scalebox.synthesis.cheap import CheapEvidence, gather
from scalebox.synthesis.domain import (
    Category,
    Classification,
    Cost,
    Discarded,
    Draft,
    Evidence,
    Outcome,
    ProblemRecord,
    Proof,
    ProvedJudge,
    Provenance,
)
from scalebox.synthesis.memory import Memory
from scalebox.synthesis.model.request import Model, ModelRequest, Reply
from scalebox.synthesis.model.trail import Trail
from scalebox.synthesis.proving import convicted_later
from scalebox.synthesis.replies import Drafted, UnusableReply, read_classification, read_draft
from scalebox.synthesis.trials import Item

T = TypeVar("T")
_END: Final = "end"
_PROVED: Final = TypeAdapter(ProvedJudge)
_DISCARDED: Final = TypeAdapter(Discarded)
_PROOF: Final = TypeAdapter(Proof)
_FORMAT: Final = 2
"""Raised when ends of problems are no longer what they were."""
_DECISIVE: Final = frozenset({Category.UNIQUE, Category.NUMERIC, Category.ANY_ORDER, Category.ANY_REPRESENTATION})
End = ProvedJudge | Discarded


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How judges are made."""

    drafts: int = 2
    """Independent ones, of each problem."""
    repairs: int = 2
    """Rounds, of each draft."""
    votes: int = 3
    """On the category, where it is unsure."""
    sure: float = 0.6
    """Confidence from which on no vote is held."""
    mends: int = 1
    """How often a reply that cannot be used is asked for again."""
    tie_break: bool = True
    """One draft more where two differ."""


@dataclass(slots=True)
class _Ledger:
    """What one problem has taken."""

    cost: Cost = field(default_factory=Cost)
    prompt_hashes: list[str] = field(default_factory=list)

    def add(self, request: ModelRequest, reply: Reply) -> None:
        self.prompt_hashes.append(request.key)
        self.cost += Cost(
            requests=1,
            replayed=int(reply.replayed),
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            money=reply.money,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a pipeline works with."""

    judge: Judge
    model: Model
    model_name: str
    trail: Trail
    version: str
    clock: Callable[[], str]


class Synthesis:
    """The pipeline for one problem.

    Args:
        tools: of the run.
        options: how.
        problem: whose judge is wanted.
        told: is called with the name of each stage as it begins.
    """

    def __init__(
        self, tools: Tools, options: Options, problem: ProblemRecord, told: Callable[[str], None] = lambda _: None
    ) -> None:
        self._tools = tools
        self._options = options
        self._problem = problem
        self._told = told
        self._ledger = _Ledger()
        self._key = _key(problem, options, tools.model_name)
        self._memory = Memory(tools.trail, problem, tools.version)
        self._bench = ""

    async def run(self) -> End:
        """Go the whole way.

        Raises:
            ModelError, BudgetSpent: the model cannot be asked; what was reached is in the trail.
            SandboxError: the judge cannot work.
        """
        known = self._known_end()
        if known is not None:
            return known
        end = await self._whole_way()
        kind = "proved" if isinstance(end, ProvedJudge) else "discarded"
        body = (
            _PROVED.dump_python(end, mode="json")
            if isinstance(end, ProvedJudge)
            else _DISCARDED.dump_python(end, mode="json")
        )
        self._tools.trail.note(_END, self._key, end=kind, problem=self._problem.name, **{kind: body})
        return end

    async def draft_only(self) -> int:
        """Ask for the drafts and prove nothing; says how many there are.

        Raises:
            ModelError, BudgetSpent, SandboxError: as ``run``.
        """
        cheap = await self._classified_cheaply()
        return sum(drafted is not None and drafted.draft is not None for drafted in await self._drafts(cheap))

    def _known_end(self) -> End | None:
        fact = self._tools.trail.fact(_END, self._key)
        if fact is None:
            return None
        if fact["end"] == "proved":
            return _PROVED.validate_python(fact["proved"])
        return _DISCARDED.validate_python(fact["discarded"])

    async def _whole_way(self) -> End:
        cheap = await self._classified_cheaply()
        drafted = await self._drafts(cheap)
        usable = [one for one in drafted if one is not None]
        if not usable:
            return self._discarded(None, "no reply held a judge")
        classification = await self._agreed(cheap, usable)
        drafts = [one.draft for one in usable if one.draft is not None]
        if classification.category is Category.INTERACTIVE or not drafts:
            return self._discarded(
                classification, "the problem is interactive: it wants an interactor, not a judge of outputs"
            )
        self._told("prove")
        printed = await self._memory.printed(self._tools.judge)
        items = make_bench(self._problem, printed, certain(classification, usable, cheap))
        self._bench = self._memory.bench(items)
        tried = await _together([self._proved(cheap, draft, items) for draft in drafts])
        survivors = [one for one in tried if one.proof.outcome is Outcome.PROVED]
        if survivors:
            survivors = await self._cross_examined(cheap, survivors, items, len(drafted))
        if not survivors:
            proofs = tuple(one.proof for one in tried)
            return self._discarded(classification, _why(proofs), proofs)
        return self._end(classification, _best(survivors, items))

    async def _classified_cheaply(self) -> CheapEvidence:
        self._told("classify")
        return gather(self._problem, [*self._problem.good_outputs, *await self._memory.references(self._tools.judge)])

    async def _drafts(self, cheap: CheapEvidence) -> list[Drafted | None]:
        self._told("draft")
        numbers = range(self._options.drafts)
        return await _together([self._draft(cheap, number) for number in numbers])

    async def _draft(self, cheap: CheapEvidence, number: int) -> Drafted | None:
        request = prompts.draft(self._problem, cheap.sentences, number)
        return await self._read(request, lambda reply: read_draft(reply, number, 0))

    async def _read(self, request: ModelRequest, read: Callable[[Reply], T]) -> T | None:
        """Ask, and ask again where the reply cannot be used; None where that does not help."""
        for _ in range(self._options.mends + 1):
            reply = await self._tools.model.ask(request)
            self._ledger.add(request, reply)
            try:
                return read(reply)
            except UnusableReply as error:
                self._tools.trail.note("unusable", request.key, problem=self._problem.name, why=str(error))
                request = prompts.mend_reply(request, reply.text, str(error))
        return None

    async def _agreed(self, cheap: CheapEvidence, drafted: Sequence[Drafted]) -> Classification:
        """What the problem is taken for: what the drafts say, or a vote where they are unsure or contradict what is known."""
        said = [one.classification for one in drafted]
        categories = {one.category for one in said}
        contradicted = cheap.several_right and Category.UNIQUE in categories
        sure = min(one.confidence for one in said) >= self._options.sure
        if len(categories) == 1 and sure and Category.UNSURE not in categories and not contradicted:
            return _merged(said, cheap)
        self._told("vote")
        requests = [prompts.classify(self._problem, cheap.sentences, sample) for sample in range(self._options.votes)]
        votes = await _together([self._read(request, read_classification) for request in requests])
        return _merged([*said, *(vote for vote in votes if vote is not None)], cheap)

    async def _proved(self, cheap: CheapEvidence, draft: Draft, items: Sequence[Item]) -> Tried:
        """A draft on trial, and repaired where it is convicted, as often as that may be."""
        tried = await self._try(draft, items)
        for number in range(self._options.repairs):
            if tried.proof.outcome is not Outcome.REFUTED:
                break
            repaired = await self._repaired(cheap, tried.draft, tried.proof.convictions, draft.number, number + 1)
            if repaired is None:
                break
            tried = await self._try(repaired, items)
        return tried

    async def _repaired(
        self, cheap: CheapEvidence, draft: Draft, convictions: Sequence[Evidence], number: int, round_number: int
    ) -> Draft | None:
        self._told("repair")
        request = prompts.repair(self._problem, cheap.sentences, draft, convictions)
        drafted = await self._read(request, lambda reply: read_draft(reply, number, round_number))
        return None if drafted is None else drafted.draft

    async def _try(self, draft: Draft, items: Sequence[Item]) -> Tried:
        known = self._memory.tried(draft, self._bench)
        if known is not None:
            return known
        tried = await try_draft(self._tools.judge, draft, items)
        self._memory.note_tried(tried, self._bench)
        return tried

    async def _cross_examined(
        self, cheap: CheapEvidence, survivors: list[Tried], items: Sequence[Item], next_number: int
    ) -> list[Tried]:
        """Drafts that most drafts agree with; all of them where nothing can be decided."""
        if len(survivors) < 2 or not disputes(items, survivors):
            return survivors
        self._told("cross-examine")
        voters = list(survivors)
        if self._options.tie_break and len(voters) % 2 == 0:
            drafted = await self._draft(cheap, next_number)
            if drafted is not None and drafted.draft is not None:
                third = await self._proved(cheap, drafted.draft, items)
                voters += [third] if third.proof.outcome is Outcome.PROVED else []
        against = outvoted(items, voters)
        for voter, evidence in zip(voters, against, strict=True):
            if evidence:
                self._note_outvoted(voter, evidence)
        agreed = [voter for voter, evidence in zip(voters, against, strict=True) if not evidence]
        return agreed or await self._mended(cheap, voters, against, items)

    async def _mended(
        self,
        cheap: CheapEvidence,
        voters: Sequence[Tried],
        against: Sequence[Sequence[Evidence]],
        items: Sequence[Item],
    ) -> list[Tried]:
        """Where each is outvoted on something: the one least often so, repaired, if it is convicted of nothing then."""
        least = min(range(len(voters)), key=lambda number: len(against[number]))
        chosen = voters[least].draft
        repaired = await self._repaired(cheap, chosen, against[least], chosen.number, chosen.round + 1)
        if repaired is None:
            return []
        tried = await self._try(repaired, items)
        if tried.proof.outcome is not Outcome.PROVED:
            return []
        others = [voter for number, voter in enumerate(voters) if number != least]
        return [] if outvoted(items, [*others, tried])[-1] else [tried]

    def _note_outvoted(self, voter: Tried, evidence: Sequence[Evidence]) -> None:
        proof = convicted_later(voter.proof, evidence)
        self._tools.trail.note(
            "outvoted",
            voter.draft.digest,
            problem=self._problem.name,
            proof=_PROOF.dump_python(proof, mode="json"),
        )

    def _end(self, classification: Classification, tried: Tried) -> ProvedJudge:
        provenance = Provenance(
            model=self._tools.model_name,
            prompt_hashes=tuple(self._ledger.prompt_hashes),
            cost=self._ledger.cost,
            rounds=tried.draft.round,
            scalebox=self._tools.version,
            created_at=self._tools.clock(),
        )
        return ProvedJudge(
            problem_id=self._problem.id,
            problem_name=self._problem.name,
            classification=classification,
            draft=tried.draft,
            proof=tried.proof,
            provenance=provenance,
        )

    def _discarded(
        self, classification: Classification | None, reason: str, proofs: tuple[Proof, ...] = ()
    ) -> Discarded:
        return Discarded(
            problem_id=self._problem.id,
            problem_name=self._problem.name,
            classification=classification,
            reason=reason,
            proofs=proofs,
            cost=self._ledger.cost,
        )


async def _together(work: Sequence[Coroutine[object, object, T]]) -> list[T]:
    """All of it at once. Where a part fails the others go on to their ends, so that no reply that is paid for is lost."""
    results = await asyncio.gather(*work, return_exceptions=True)
    failed = [result for result in results if isinstance(result, BaseException)]
    if failed:
        raise failed[0]
    return [result for result in results if not isinstance(result, BaseException)]


def _key(problem: ProblemRecord, options: Options, model: str) -> str:
    """Tells apart whatever the end of a problem depends on."""
    known = [
        [[item.case, item.output.hex()] for item in outputs] for outputs in (problem.good_outputs, problem.bad_outputs)
    ]
    submissions = [[item.source, item.language] for item in (*problem.references, *problem.wrong)]
    parts = [_FORMAT, problem.id, problem.name, problem.statement, known, submissions, asdict(options), model]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _merged(said: Sequence[Classification], cheap: CheapEvidence) -> Classification:
    """Majority of replies; ``unique`` has no vote where right outputs differ."""
    counted = Counter(one.category for one in said if not (cheap.several_right and one.category is Category.UNIQUE))
    sure = Counter({category: count for category, count in counted.items() if category is not Category.UNSURE})
    category = (sure or counted or Counter({cheap.suggests or Category.UNSURE: 1})).most_common(1)[0][0]
    agreeing = [one for one in said if one.category is category]
    confidence = sum(one.confidence for one in agreeing) / len(said)
    return Classification(
        category=category,
        reason=agreeing[0].reason if agreeing else "what is known to be right differs from the answers",
        confidence=round(confidence, 4),
        votes={name.value: count for name, count in counted.items()},
        cheap_evidence=cheap.sentences,
    )


def certain(classification: Classification, drafted: Sequence[Drafted], cheap: CheapEvidence) -> Category:
    """The category, where it may decide what outputs are wrong: every reply names it, and nothing known contradicts it."""
    category = classification.category
    if len(classification.votes) > 1 or any(one.classification.category is not category for one in drafted):
        return Category.UNSURE
    if category in _DECISIVE and cheap.suggests not in {None, category}:
        return Category.UNSURE
    return category


def _why(proofs: Sequence[Proof]) -> str:
    """Why no draft was taken, in words."""
    if all(proof.outcome is Outcome.PROVED for proof in proofs):
        return "the drafts contradict each other"
    if any(proof.outcome is Outcome.UNPROVABLE for proof in proofs):
        return next(proof.reason for proof in proofs if proof.outcome is Outcome.UNPROVABLE)
    trials = Counter(evidence.trial.value for proof in proofs for evidence in proof.convictions)
    return "every draft was convicted: " + ", ".join(f"{trial} {count}" for trial, count in trials.most_common())


def _best(survivors: Sequence[Tried], items: Sequence[Item]) -> Tried:
    """The draft that accepts least of what is in dispute: most of that was made to be wrong; then the one repaired least."""
    open_ones = disputes(items, survivors)

    def rank(one: Tried) -> tuple[int, int, int]:
        accepted = sum(one.words[number].verdict is Verdict.AC for number in open_ones)
        return accepted, one.draft.round, one.draft.number

    return min(survivors, key=rank)
