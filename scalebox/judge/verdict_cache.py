"""Judgements remembered by content, where the operator wants that. In memory, bounded; holds only what would come out again.

What a judgement says of a program is its verdict on this machine today: it is remembered only where nothing was near a
limit and nothing of ours failed. A program that draws lots keeps the lot it drew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.core.limits import Limits
from scalebox.core.result import CaseResult, CompileResult
from scalebox.core.verdict import Verdict

_NEAR: Final = 0.8
"""Of a limit. A program ended at its time limit was at it, and nobody knows by how much it would have passed it."""
_DOUBTFUL: Final = frozenset({Verdict.IE, Verdict.JE, Verdict.TLE, Verdict.MLE, Verdict.CE})
_ENTRY_BYTES: Final = 512
_CASE_BYTES: Final = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is remembered of a judgement."""

    cases: Sequence[CaseResult]
    compiled: CompileResult | None

    @property
    def size(self) -> int:
        """Bytes held, about."""
        message = 0 if self.compiled is None else len(self.compiled.message)
        return _ENTRY_BYTES + message + sum(map(_size, self.cases))


def is_lasting(cases: Sequence[CaseResult], limits: Limits) -> bool:
    """Whether the same would come out again: every case that ran ended well within its limits, by no fault of ours or of a judge."""
    ran = [case for case in cases if case.verdict is not Verdict.SK]
    return bool(ran) and all(case.verdict not in _DOUBTFUL and _is_well_within(case, limits) for case in ran)


def _is_well_within(case: CaseResult, limits: Limits) -> bool:
    usage = case.usage
    return (
        usage.cpu_seconds <= _NEAR * limits.cpu_seconds
        and usage.wall_seconds <= _NEAR * limits.wall
        and usage.memory_bytes <= _NEAR * limits.memory_bytes
    )


def _size(case: CaseResult) -> int:
    texts = (case.stdout, case.stderr, case.transcript, case.reason, case.name)
    excerpt = None if case.check is None else case.check.answer_excerpt
    return _CASE_BYTES + sum(len(text) for text in (*texts, excerpt) if text is not None)


class VerdictCache:
    """The judgements longest not asked for make room.

    Args:
        limit_bytes: how much may be held; 0 holds nothing.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._held = 0
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def get(self, key: str) -> Kept | None:
        """What is remembered under a key."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: str, kept: Kept) -> None:
        """Remember a judgement, in place of an older one under that key."""
        size = kept.size
        if size > self._limit:
            return
        old = self._kept.pop(key, None)
        self._held += size - (0 if old is None else old.size)
        self._kept[key] = kept
        while self._held > self._limit:
            self._held -= self._kept.popitem(last=False)[1].size
