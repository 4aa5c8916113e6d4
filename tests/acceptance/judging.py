"""Judge many items at once and say where the verdicts differ from the ones due. Never repairs a verdict, never hides one."""

from __future__ import annotations

import asyncio
import time
import tomllib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2

from acceptance.v1_body import judge_body
from scalebox.core.errors import RequestError
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem
from scalebox.core.submission import Completion, JudgeOptions, Submission
from scalebox.core.verdict import Verdict

WIDTH: Final = 8
"""Judgements asked for at once."""
EXCEPTIONS: Final = Path(__file__).with_name("exceptions.toml")
EXCEPTION_SHARE: Final = 0.02
REFUSED: Final = "REFUSED"
"""Stands for a request that was refused: a RequestError, or a 4xx over HTTP."""
DEADLINE_SECONDS: Final = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something to judge and the verdicts that are right for it."""

    id: str
    submission: Submission | Completion
    problem: Problem
    due: frozenset[str]
    plain: str = ""
    """What a plain run came to, as evidence for a report."""
    stop_on_failure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was said about an item."""

    id: str
    verdict: str
    hardened: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """A known difference: the verdict given and the evidence that plain Python differs from the label too."""

    set: str
    id: str
    verdict: str
    plain: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table printed at the end of a run."""

    name: str
    items: int
    agree: int
    allowed: int
    hardened: int
    left_out: int
    seconds: float


@dataclass(slots=True)
class Table:
    """The lines collected in this session."""

    rows: list[Row] = field(default_factory=list)


TABLE: Final = Table()

Verdicts = Callable[[Item], Awaitable[Outcome]]


async def ask(judge: Judge, item: Item) -> Outcome:
    """What a judge says about an item; a refusal is an outcome."""
    options = JudgeOptions(
        stop_on_failure=item.stop_on_failure,
        in_order=True,  # labels name the first failure in case order
        deadline_seconds=DEADLINE_SECONDS,
        keep_output=True,
        fresh=True,  # copies of an item are load
    )
    try:
        judgement = await judge.judge(item.submission, item.problem, options)
    except RequestError as error:
        return Outcome(id=item.id, verdict=REFUSED, hardened=True, reason=f"{error.field}: {error.message}")
    first = next((case for case in judgement.cases if case.verdict is not Verdict.AC), None)
    reason = judgement.reason or ""
    if first is not None:
        detail = first.check.detail if first.check else None
        stderr = (first.stderr or b"").decode(errors="replace").strip().splitlines()[-1:]
        reason = f"case {first.name}: {first.reason} {detail or ''} {stderr or ''}"
    return Outcome(id=item.id, verdict=judgement.verdict.value, hardened=judgement.hardened, reason=reason)


async def ask_http(http: httpx2.AsyncClient, item: Item) -> Outcome:
    """What the server says about an item."""
    reply = await http.post("/v1/judge", json=judge_body(item.submission, item.problem))
    body = reply.json()
    if reply.status_code != httpx2.codes.OK:
        refused = 400 <= reply.status_code < 500
        return Outcome(
            id=item.id, verdict=REFUSED if refused else f"HTTP {reply.status_code}", hardened=True, reason=str(body)
        )
    reasons = [case["reason"] or case.get("stderr") for case in body["cases"] if case["verdict"] != "AC"]
    return Outcome(
        id=item.id, verdict=body["verdict"], hardened=body["hardened"], reason=f"{body['reason']} {reasons[:1]}"
    )


async def ask_all(items: Sequence[Item], verdict_of: Verdicts) -> list[Outcome]:
    """The outcomes of all items, in their order, ``WIDTH`` at a time."""
    gate = asyncio.Semaphore(WIDTH)

    async def one(item: Item) -> Outcome:
        async with gate:
            return await verdict_of(item)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(item)) for item in items]
    return [task.result() for task in tasks]


async def judge_all(judge: Judge, items: Sequence[Item]) -> list[Outcome]:
    """The outcomes of all items by one judge."""
    return await ask_all(items, lambda item: ask(judge, item))


def allowed(name: str) -> dict[str, Allowed]:
    """The committed exceptions of a set, by item."""
    entries = tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8")).get("exception", [])
    return {entry["id"]: Allowed(**entry) for entry in entries if entry["set"] == name}


def differences(items: Sequence[Item], outcomes: Sequence[Outcome], known: dict[str, Allowed]) -> list[str]:
    """One line for each verdict that is neither due nor a known exception, and for each exception that no longer holds."""
    lines = []
    for item, outcome in zip(items, outcomes, strict=True):
        exception = known.get(item.id)
        right = outcome.verdict in item.due
        if exception is None and not right:
            lines.append(
                f"{item.id}: due {_words(item.due)}, got {outcome.verdict} ({outcome.reason[:300]}); plain: {item.plain or '-'}"
            )
        elif exception is not None and outcome.verdict != exception.verdict:
            lines.append(
                f"{item.id}: the exception says {exception.verdict}, got {outcome.verdict}; correct exceptions.toml"
            )
    return lines


def _words(due: Iterable[str]) -> str:
    return "|".join(sorted(due))


async def settle(name: str, items: Sequence[Item], verdict_of: Verdicts, *, left_out: int = 0) -> list[Outcome]:
    """Judge a set, note its line for the table and fail with every difference in one message."""
    start = time.monotonic()
    outcomes = await ask_all(items, verdict_of)
    known = allowed(name)
    lines = differences(items, outcomes, known)
    right = sum(outcome.verdict in item.due for item, outcome in zip(items, outcomes, strict=True))
    TABLE.rows.append(
        Row(
            name=name,
            items=len(items),
            agree=right,
            allowed=sum(item.id in known for item in items),
            hardened=sum(outcome.hardened for outcome in outcomes),
            left_out=left_out,
            seconds=time.monotonic() - start,
        )
    )
    assert not lines, f"{name}: {len(lines)} of {len(items)} differ\n" + "\n".join(lines)
    return outcomes
