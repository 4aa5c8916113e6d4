"""What may be remembered of judgements, and how much."""

from __future__ import annotations

import pytest

from scalebox.core.limits import MIB, Limits, Usage
from scalebox.core.result import CaseResult
from scalebox.core.verdict import Verdict
from scalebox.judge.verdict_cache import Kept, VerdictCache, is_lasting

LIMITS = Limits(cpu_seconds=2.0, wall_seconds=10.0, memory_bytes=100 * MIB)
AT_EASE = Usage(cpu_seconds=1.0, wall_seconds=1.5, memory_bytes=50 * MIB)


def case(verdict: Verdict, usage: Usage = AT_EASE, stdout: bytes | None = None) -> CaseResult:
    """A case that ended so."""
    return CaseResult(name="0", verdict=verdict, usage=usage, stdout=stdout)


@pytest.mark.parametrize(
    ("verdicts", "lasting"),
    [
        ("AC AC", True),
        ("AC WA SK", True),
        ("RTE OLE", True),
        ("AC IE", False),
        ("WA JE", False),
        ("WA TLE", False),
        ("MLE", False),
        ("SK SK", False),  # nothing ran: no code, CE, a deadline
    ],
)
def test_only_what_would_come_out_again_is_remembered(verdicts: str, lasting: bool) -> None:
    assert is_lasting([case(Verdict(name)) for name in verdicts.split()], LIMITS) is lasting


@pytest.mark.parametrize(
    "usage",
    [
        Usage(cpu_seconds=1.7, wall_seconds=1.7, memory_bytes=1),
        Usage(cpu_seconds=0.1, wall_seconds=8.5, memory_bytes=1),
        Usage(cpu_seconds=0.1, wall_seconds=0.1, memory_bytes=81 * MIB),
    ],
)
@pytest.mark.parametrize("verdict", [Verdict.AC, Verdict.WA])
def test_nothing_near_a_limit_is_remembered(usage: Usage, verdict: Verdict) -> None:
    assert not is_lasting([case(Verdict.AC), case(verdict, usage)], LIMITS)


def test_it_is_bounded_and_the_longest_unused_go() -> None:
    entry = Kept(cases=[case(Verdict.AC, stdout=b"x" * 10_000)], compiled=None)
    cache = VerdictCache(3 * entry.size)
    for key in "abc":
        cache.put(key, entry)
    assert cache.get("a") is entry
    cache.put("d", entry)
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]
    cache.put("d", entry)  # again: it is held once
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]
    cache.put("huge", Kept(cases=[case(Verdict.AC, stdout=b"x" * 10**6)], compiled=None))
    assert cache.get("huge") is None
    assert cache.get("a") is entry


def test_of_no_size_it_holds_nothing() -> None:
    cache = VerdictCache(0)
    cache.put("a", Kept(cases=[], compiled=None))
    assert cache.get("a") is None
