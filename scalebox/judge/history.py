"""What earlier judgements of a problem showed of its cases. In memory, bounded, of one judge and its event loop."""

from __future__ import annotations

import heapq
import math
from array import array
from collections import OrderedDict, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scalebox.judge.order import likeliest_first

_SAMPLE: Final = 32
"""Failing submissions remembered, the latest."""
_FAILURES: Final = 16
"""Cases remembered of each: those that fail most often."""
_CASES_PER_FAILURE: Final = 256
"""The order is made anew after so many failing submissions as these go into the cases, so that it costs little of each."""
_LANGUAGES: Final = 16
_LEAST_SECONDS: Final = 1e-3
"""What any case costs at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimitRule:
    """How a time limit follows from accepted submissions: a multiple of the slowest case of any."""

    factor: float = 4.0
    floor_seconds: float = 1.0
    """Never less."""
    programs: int = 3
    """Different accepted ones that it takes."""


@dataclass(slots=True)
class _Accepted:
    """The accepted submissions in one language."""

    programs: set[bytes] = field(default_factory=set)
    slowest_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What was learned of a problem's order, as it was at some moment; another thread may have it."""

    noted: int
    ran: array[int]
    failed: array[int]
    seconds: array[float]
    sample: Sequence[array[int]]

    def told(self) -> dict[str, object]:
        """As plain data."""
        seconds = [round(spent, 6) for spent in self.seconds]
        sample = [failed.tolist() for failed in self.sample]
        ran, failed = self.ran.tolist(), self.failed.tolist()
        return {"noted": self.noted, "ran": ran, "failed": failed, "seconds": seconds, "sample": sample}


class History:
    """Of one problem.

    Args:
        cases: how many it has.
    """

    def __init__(self, cases: int) -> None:
        self.cases = cases
        self._ran = array("L", [0]) * cases
        self._failed = array("L", [0]) * cases
        self._seconds = array("d", [0.0]) * cases
        self._sample: deque[array[int]] = deque(maxlen=_SAMPLE)
        self._accepted: OrderedDict[str, _Accepted] = OrderedDict()
        self._runs = 0
        self._spent = 0.0
        """Slot seconds of all cases that ran."""
        self._noted = 0
        self._news = 0
        """Failing submissions since the order was made."""
        self._order: Sequence[int] | None = None

    def note(self, seconds: Mapping[int, float], failed: Collection[int]) -> None:
        """Take account of one submission.

        Args:
            seconds: by case that ran, how long it held a slot.
            failed: those of them that failed.
        """
        for case, spent in seconds.items():
            self._ran[case] += 1
            self._seconds[case] += spent
            self._spent += spent
        self._runs += len(seconds)
        for case in failed:
            self._failed[case] += 1
        self._noted += 1
        if failed:
            most = heapq.nlargest(_FAILURES, failed, key=lambda case: (self._failed[case] / self._ran[case], -case))
            self._sample.append(array("L", most))
            self._news += 1
        settling = (
            self._noted & (self._noted - 1) == 0
        )  # costs, and rates of what passes: at powers of two is often enough
        if settling or self._news * _CASES_PER_FAILURE > self.cases or isinstance(self._order, range):
            self._order = None

    def order(self) -> Sequence[int]:
        """The cases, likeliest failure first; in case order while none has failed."""
        if self._order is None:
            self._news = 0
            self._order = self._sorted() if self._sample else range(self.cases)
        return self._order

    def _sorted(self) -> Sequence[int]:
        ran, failed, seconds = self._ran, self._failed, self._seconds
        usual = sum(seconds) / max(1, sum(ran))
        costs = [
            max(_LEAST_SECONDS, spent / times if times else usual) for spent, times in zip(seconds, ran, strict=True)
        ]
        rates = [(bad + 0.5) / (times + 1) for bad, times in zip(failed, ran, strict=True)]
        return likeliest_first(rates, costs, self._sample)

    @property
    def usual_seconds(self) -> float | None:
        """How long a case holds a slot on average; None while none has run."""
        return self._spent / self._runs if self._runs else None

    @property
    def noted(self) -> int:
        """How many submissions were taken account of."""
        return self._noted

    def snapshot(self) -> Snapshot | None:
        """What is worth keeping; None while no submission has failed, as cases are then in order."""
        if not self._sample:
            return None
        return Snapshot(
            noted=self._noted,
            ran=self._ran[:],
            failed=self._failed[:],
            seconds=self._seconds[:],
            sample=list(self._sample),
        )

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> History:
        """What a snapshot told.

        Raises:
            ValueError, TypeError, KeyError, OverflowError: it is none.
        """
        ran, failed = array("L", told["ran"]), array("L", told["failed"])
        seconds = array("d", told["seconds"])
        made = cls(len(ran))
        sample = [array("L", cases) for cases in told["sample"]]
        outside = any(case >= len(ran) for cases in sample for case in cases)
        if (
            not len(ran) == len(failed) == len(seconds)
            or outside
            or not all(0 <= spent < math.inf for spent in seconds)
        ):
            raise ValueError("no history of a problem")
        made._ran, made._failed, made._seconds = ran, failed, seconds
        made._sample.extend(sample)
        made._noted = int(told["noted"])
        made._runs, made._spent = sum(ran), sum(seconds)
        return made

    def note_accepted(self, language: str, program: bytes, cpu_seconds: float, rule: TimeLimitRule) -> None:
        """Take account of an accepted submission.

        Args:
            language: its id; languages differ in speed.
            program: tells programs apart.
            cpu_seconds: of its slowest case.
            rule: says how many are of interest.
        """
        accepted = self._accepted.setdefault(language, _Accepted())
        self._accepted.move_to_end(language)
        if len(self._accepted) > _LANGUAGES:
            self._accepted.popitem(last=False)
        if len(accepted.programs) < rule.programs:
            accepted.programs.add(program)
        accepted.slowest_seconds = max(accepted.slowest_seconds, cpu_seconds)

    def enough_seconds(self, language: str, given: float, rule: TimeLimitRule) -> float | None:
        """CPU seconds that are enough for a right program, where that is known and less than what is given."""
        accepted = self._accepted.get(language)
        if accepted is None or len(accepted.programs) < rule.programs:
            return None
        enough = max(rule.floor_seconds, rule.factor * accepted.slowest_seconds)
        return enough if enough < given else None


class Histories:
    """Of all problems, by key; those longest not asked for make room.

    Args:
        most: problems that are kept.
        most_cases: cases that they may have together.
    """

    def __init__(self, most: int = 4096, most_cases: int = 1 << 19) -> None:
        self._most = most
        self._most_cases = most_cases
        self._cases = 0
        self._known: OrderedDict[bytes, History] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def put(self, key: bytes, history: History) -> None:
        """Keep what was learned elsewhere, where nothing is kept yet."""
        if key not in self._known:
            self._known[key] = history
            self._cases += history.cases
            self._make_room()

    def snapshots(self, since: Mapping[bytes, int]) -> list[tuple[bytes, Snapshot]]:
        """What was learned, of the problems of which that is more than it was.

        Args:
            since: by key, of how many submissions.
        """
        found = [
            (key, history.snapshot()) for key, history in self._known.items() if history.noted != since.get(key, 0)
        ]
        return [(key, snapshot) for key, snapshot in found if snapshot is not None]

    def of(self, key: bytes, cases: int) -> History:
        """The history of a problem; a new one where none is kept, or one of another number of cases."""
        found = self._known.get(key)
        if found is not None and found.cases != cases:
            self._cases -= self._known.pop(key).cases
            found = None
        if found is None:
            found = self._known[key] = History(cases)
            self._cases += cases
        self._known.move_to_end(key)
        self._make_room()
        return found

    def _make_room(self) -> None:
        while len(self._known) > 1 and (len(self._known) > self._most or self._cases > self._most_cases):
            self._cases -= self._known.popitem(last=False)[1].cases
