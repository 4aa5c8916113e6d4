"""What a run found out about one problem, in its trail: outputs of submissions, everything drafts were tried with, and each draft's word on it.

A resumed run goes by it. What was run is not run again, above all because it need not print the same again: a mutant may be random,
a judge may be killed at its limit on a busy day. Then a repair would quote other evidence, and be a request that was never asked.

Outputs of submissions are kept whole (none is longer than 64 KiB), what was tried as an excerpt with its length and SHA-256: it is made
of outputs and answers again, which are here and with the problem.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from pydantic import ConfigDict, TypeAdapter

from scalebox.core.ports import Judge
from scalebox.core.verdict import Verdict
from scalebox.synthesis.bench import Tried
from scalebox.synthesis.box import Word
from scalebox.synthesis.domain import Draft, KnownOutput, ProblemRecord, Proof
from scalebox.synthesis.model.trail import Trail
from scalebox.synthesis.printed import Printed, mutant_outputs, reference_outputs, wrong_outputs
from scalebox.synthesis.quoting import shown
from scalebox.synthesis.trials import Item

EXCERPT: Final = 600
_PROOF: Final = TypeAdapter(Proof)
_OUTPUTS: Final = TypeAdapter(list[KnownOutput], config=ConfigDict(ser_json_bytes="base64", val_json_bytes="base64"))
_Run = Callable[[Judge, ProblemRecord], Awaitable[list[KnownOutput]]]


class Memory:
    """The trail of a run, as far as it is about one problem.

    Args:
        trail: of the run.
        problem: whose.
        version: of ScaleBox; what another one proved is proved anew.
    """

    def __init__(self, trail: Trail, problem: ProblemRecord, version: str) -> None:
        self._trail = trail
        self._problem = problem
        self._version = version

    async def references(self, judge: Judge) -> list[KnownOutput]:
        """What the references print. Prompts are made from them, and what is asked must not change from run to run."""
        sources = [[item.source, item.language] for item in self._problem.references]
        return await self._outputs("references", sources, judge, reference_outputs)

    async def printed(self, judge: Judge) -> Printed:
        """What all submissions print."""
        references = [[item.source, item.language] for item in self._problem.references]
        wrong = [[item.source, item.language] for item in self._problem.wrong]
        return Printed(
            references=await self.references(judge),
            wrong=await self._outputs("wrong", wrong, judge, wrong_outputs),
            mutants=await self._outputs("mutants", references, judge, mutant_outputs),
        )

    async def _outputs(
        self, kind: str, submissions: Sequence[Sequence[str]], judge: Judge, run: _Run
    ) -> list[KnownOutput]:
        """Run once. Nothing at all may be for want of a language, so that is tried again in the next run."""
        parts = [self._problem.id, [case.name for case in self._problem.tests], *submissions]
        key = _digest(parts)
        fact = self._trail.fact(kind, key)
        if fact is not None:
            return _OUTPUTS.validate_python(fact["outputs"])
        outputs = await run(judge, self._problem)
        if outputs:
            body = _OUTPUTS.dump_python(outputs, mode="json")
            self._trail.note(kind, key, problem=self._problem.name, outputs=body)
        return outputs

    def bench(self, items: Sequence[Item]) -> str:
        """Write down what drafts are tried with; the key that finds it."""
        shown_items = [_shown(item) for item in items]
        key = _digest([self._problem.id, self._version, shown_items])
        if self._trail.fact("bench", key) is None:
            self._trail.note("bench", key, problem=self._problem.name, items=shown_items)
        return key

    def tried(self, draft: Draft, bench: str) -> Tried | None:
        """How a draft did on a bench; None where it was not tried."""
        fact = self._trail.fact("proof", _proof_key(draft, bench))
        if fact is None:
            return None
        again = {int(number): _word(parts) for number, parts in fact["again"].items()}
        words = [_word(parts) for parts in fact["words"]]
        return Tried(draft=draft, proof=_PROOF.validate_python(fact["proof"]), words=words, again=again)

    def note_tried(self, tried: Tried, bench: str) -> None:
        """Write down how a draft did."""
        self._trail.note(
            "proof",
            _proof_key(tried.draft, bench),
            problem=self._problem.name,
            bench=bench,
            draft=asdict(tried.draft),
            proof=_PROOF.dump_python(tried.proof, mode="json"),
            words=[_parts(word) for word in tried.words],
            again={str(number): _parts(word) for number, word in tried.again.items()},
        )


def _proof_key(draft: Draft, bench: str) -> str:
    return f"{draft.digest} {bench}"


def _digest(parts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _shown(item: Item) -> dict[str, Any]:
    """An item as it stands in the trail."""
    output = item.question.output
    body = {
        "trial": item.trial.value,
        "case": item.case,
        "due": item.due.value,
        "words": item.words,
        "output": shown(output, EXCERPT),
        "bytes": len(output),
        "sha256": hashlib.sha256(output).hexdigest(),
    }
    return body | {name: text for name, text in (("decided_by", item.decided_by), ("group", item.group)) if text}


def _parts(word: Word) -> list[str]:
    """A draft's word, without what it left empty."""
    parts = [word.verdict.value, word.why, word.said]
    while not parts[-1]:
        parts.pop()
    return parts


def _word(parts: Sequence[str]) -> Word:
    verdict, why, said = (*parts, "", "")[:3]
    return Word(verdict=Verdict(verdict), why=why, said=said)
