"""Rows of the adversarial corpus as items: what to submit, what to prepare, what to look for afterwards. Pure but for reading."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NotRequired, TypedDict, cast

from acceptance.attack_items import AttackRow, attack_item
from acceptance.case_items import LANGUAGES
from acceptance.judging import Item
from acceptance.shared import CorpusTest

CORPUS: Final = Path(os.environ.get("SCALEBOX_HOSTILE_CORPUS") or Path(__file__).with_name("corpus.jsonl"))
"""The items that lie beside this file, or others of the same shape."""
ATTACK_CPU_SECONDS: Final = 1.0
"""Attacks that may end by TLE need not be waited for as long as their rows allow; the others keep the time they may need."""
ATTACK_WALL_SECONDS: Final = 3.0
ATTACK_COMPILE_SECONDS: Final = 6.0
ATTACK_JUDGE_SECONDS: Final = 3.0
_TAKEN_FOR_GRANTED: Final = {"requires", "compile_options"}
FAILURES: Final = frozenset({"IE", "JE"})


class HostFile(TypedDict):
    """A file of the host that no program may read or change."""

    path: str
    content: str
    mode: str


class HostProcess(TypedDict):
    """A process of the host that no program may see or end."""

    argv: list[str]


class TcpListener(TypedDict):
    """A service of the host that no program may reach."""

    port: int
    send: str


class Setup(TypedDict, total=False):
    """What stands on the host before the program runs."""

    host_file: HostFile
    host_process: HostProcess
    tcp_listener: TcpListener
    server_env: dict[str, str]


class Probe(TypedDict, total=False):
    """What to look for afterwards."""

    check: str
    ref: str
    repeat: int
    while_running: bool
    match: str
    path: str
    paths: list[str]
    globs: list[str]
    port: int
    value: float
    values: list[str]
    tolerance: int
    tolerance_mb: float
    when: str


class Before(TypedDict, total=False):
    """A submission that runs before, on the same service."""

    language: str
    test_type: str
    program: str
    tests: list[CorpusTest]
    compile_options: str
    expected: dict[str, list[str]]


class HostileRow(AttackRow):
    """A row of the corpus."""

    title: str
    setup: NotRequired[Setup]
    side_effect_probe: list[Probe]
    pre: NotRequired[list[Before]]
    pre_same_program: NotRequired[list[Before]]
    concurrent_copies: NotRequired[int]
    compile_options: NotRequired[str]
    policy: NotRequired[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An item and what belongs to it."""

    item: Item
    hostile: bool
    setup: Setup
    probes: Sequence[Probe]
    before: Sequence[Item]
    copies: int
    must_not: frozenset[str]


def attacks() -> list[Attack]:
    """Every item in the languages there are, but those that take for granted what is not there yet.

    That is a judge's qualification before its use, and options for the compiler that come with a submission.
    """
    with CORPUS.open(encoding="utf-8") as file:
        rows = [cast(HostileRow, json.loads(line)) for line in file]
    return [_attack(row) for row in rows if row["language"] in LANGUAGES and not _TAKEN_FOR_GRANTED & row.keys()]


def _attack(row: HostileRow) -> Attack:
    hostile = row["kind"] == "adversarial"
    item = attack_item(row)
    expected = cast("dict[str, list[str]]", row["expected"])
    return Attack(
        item=_hurried(item) if hostile else item,
        hostile=hostile,
        setup=row.get("setup", {}),
        probes=row["side_effect_probe"],
        before=[_hurried(_before(row, index)) for index in range(len(_earlier(row)))],
        copies=row.get("concurrent_copies", 1),
        must_not=frozenset(expected.get("must_not", ())) | FAILURES - item.due,
    )


def _earlier(row: HostileRow) -> list[Before]:
    return [*row.get("pre", []), *row.get("pre_same_program", [])]


def _before(row: HostileRow, index: int) -> Item:
    """An earlier submission: the row with what is told anew of it."""
    told = _earlier(row)[index]
    merged = cast(HostileRow, {**row, **told, "expected": {"verdict_any_of": [], **told.get("expected", {})}})
    return replace(attack_item(merged), id=f"{row['id']}-before-{index}")


def _hurried(item: Item) -> Item:
    """The item with less time, where TLE is among what it may end by."""
    if "TLE" not in item.due:
        return item
    given = item.problem.limits
    limits = replace(
        given,
        cpu_seconds=min(given.cpu_seconds, ATTACK_CPU_SECONDS),
        wall_seconds=ATTACK_WALL_SECONDS,
        compile_seconds=min(given.compile_seconds, ATTACK_COMPILE_SECONDS),
        judge_seconds=min(given.judge_seconds, ATTACK_JUDGE_SECONDS),
    )
    return replace(item, problem=replace(item.problem, limits=limits))
