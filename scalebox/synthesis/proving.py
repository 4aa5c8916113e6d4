"""From what a draft said to every trial to its proof. Pure: the words are given."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from scalebox.core.verdict import Verdict
from scalebox.synthesis.box import Word
from scalebox.synthesis.domain import Draft, Due, Evidence, Outcome, Proof, Tally, Trial
from scalebox.synthesis.quoting import shown
from scalebox.synthesis.trials import Item

_EXCERPT: Final = 600
_LEAST_REFUSALS: Final = 5
"""Outputs that are certainly wrong, without which nothing is proved."""


def prove(
    draft: Draft, items: Sequence[Item], words: Sequence[Word], again: Mapping[int, Word], faults: Sequence[str]
) -> Proof:
    """What was found about a draft.

    Args:
        draft: on trial.
        items: what it was tried with.
        words: what it said to each.
        again: what it said to some of them when asked a second time, by their numbers.
        faults: of its text.
    """
    convictions = [
        *_of_source(faults),
        *_of_words(items, words),
        *_of_groups(items, words),
        *_of_repetition(items, words, again),
    ]
    tallies = _tallies(items, convictions, len(again))
    if convictions:
        return Proof(
            draft_digest=draft.digest, outcome=Outcome.REFUTED, tallies=tallies, convictions=tuple(convictions)
        )
    accepted = sum(item.due is Due.ACCEPT and item.trial is Trial.ANSWER for item in items)
    refused = sum(item.due is Due.REFUSE for item in items)
    if not accepted or refused < _LEAST_REFUSALS:
        reason = f"{accepted} answers and {refused} wrong outputs to try it with are too few"
        return Proof(draft_digest=draft.digest, outcome=Outcome.UNPROVABLE, tallies=tallies, reason=reason)
    return Proof(draft_digest=draft.digest, outcome=Outcome.PROVED, tallies=tallies)


def convicted_later(proof: Proof, evidence: Sequence[Evidence]) -> Proof:
    """A proof with more convictions."""
    if not evidence:
        return proof
    tallies = dict(proof.tallies)
    for item in evidence:
        before = tallies.get(item.trial, Tally())
        tallies[item.trial] = Tally(
            tried=before.tried + 1, convicted=before.convicted + 1, undecided=max(0, before.undecided - 1)
        )
    return Proof(
        draft_digest=proof.draft_digest,
        outcome=Outcome.REFUTED,
        tallies=tallies,
        convictions=(*proof.convictions, *evidence),
    )


def conviction(item: Item, word: Word, words: str, decided_by: str = "", due: Due | None = None) -> Evidence:
    """Evidence against a draft, of one output."""
    return Evidence(
        trial=item.trial,
        case=item.case,
        due=due or item.due,
        got=word.verdict,
        convicts=True,
        words=words,
        output=shown(item.question.output, _EXCERPT),
        decided_by=decided_by or item.decided_by,
        judge_said=word.said,
    )


def _of_source(faults: Sequence[str]) -> Iterator[Evidence]:
    for fault in faults:
        yield Evidence(trial=Trial.SOURCE, case="", due=Due.ANY, got=None, convicts=True, words=fault)


def _of_words(items: Sequence[Item], words: Sequence[Word]) -> Iterator[Evidence]:
    for item, word in zip(items, words, strict=True):
        if word.verdict is Verdict.JE:
            yield conviction(item, word, f"the judge broke ({word.why}) over this output; {_wanted(item)}")
        elif _contradicts(item.due, word.verdict):
            yield conviction(item, word, item.words)


def _contradicts(due: Due, verdict: Verdict) -> bool:
    match due:
        case Due.ACCEPT:
            return verdict is not Verdict.AC
        case Due.REFUSE:
            return verdict is Verdict.AC
        case Due.ANY:
            return False


def _wanted(item: Item) -> str:
    match item.due:
        case Due.ACCEPT:
            return "it is right and has to be accepted"
        case Due.REFUSE:
            return "it has to be refused, not to break the judge"
        case Due.ANY:
            return "a judge accepts or refuses"


def _of_groups(items: Sequence[Item], words: Sequence[Word]) -> Iterator[Evidence]:
    groups: dict[str, list[tuple[Item, Word]]] = defaultdict(list)
    for item, word in zip(items, words, strict=True):
        if item.group:
            groups[item.group].append((item, word))
    for name, members in groups.items():
        item, word = members[0]
        alone = len(members) == 1 and item.trial is Trial.FOREIGN_ANSWER  # one of them may be right by chance
        if not alone and all(word.verdict is Verdict.AC for _, word in members):
            yield conviction(item, word, f"every one of {len(members)} outputs was accepted: {name}", due=Due.REFUSE)


def _of_repetition(items: Sequence[Item], words: Sequence[Word], again: Mapping[int, Word]) -> Iterator[Evidence]:
    for number, second in again.items():
        item, first = items[number], words[number]
        if first.verdict is not second.verdict:
            said = f"the judge said {first.verdict.value}, and asked again {second.verdict.value}"
            yield Evidence(
                trial=Trial.REPETITION,
                case=item.case,
                due=Due.ANY,
                got=second.verdict,
                convicts=True,
                words=said,
                output=shown(item.question.output, _EXCERPT),
            )


def _tallies(items: Sequence[Item], convictions: Sequence[Evidence], repeated: int) -> dict[Trial, Tally]:
    tried = Counter(item.trial for item in items if item.due is not Due.ANY)
    tried[Trial.SOURCE] += 1
    tried[Trial.REPETITION] += repeated
    open_ones = Counter(item.trial for item in items if item.due is Due.ANY)
    convicted = Counter(evidence.trial for evidence in convictions)
    kinds = [trial for trial in Trial if tried[trial] or open_ones[trial] or convicted[trial]]
    return {trial: Tally(tried=tried[trial], convicted=convicted[trial], undecided=open_ones[trial]) for trial in kinds}
