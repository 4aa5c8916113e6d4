"""Find and read the shared data beside the checkout; never copies it and never fails where it is absent."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NotRequired, TypedDict, TypeVar, cast

import pytest

SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
FULL: Final = os.environ.get("SCALEBOX_FULL_DATA") == "1"
"""Run every item of every set; without it each test takes a part of its set that is chosen by hash."""

T = TypeVar("T")


class CaseTestRow(TypedDict, total=False):
    """One test of a row of ``cases.jsonl``."""

    stdin: str
    stdin_gen: str
    expected: object
    expected_gen: str
    args: list[object]
    args_py: str
    prompt: str
    test: str
    files: dict[str, str]


class CaseFlags(TypedDict, total=False):
    """What a row of ``cases.jsonl`` asks of the run."""

    time_s: float
    max_wall_s: float
    memory_mb: int
    disk_mb: int
    pids: int
    copies: int
    fetch_files: list[str]


class CaseRow(TypedDict):
    """One row of ``cases.jsonl``."""

    id: str
    kind: str
    language: str
    program: str | None
    completion: NotRequired[str]
    tests: list[CaseTestRow]
    fn_name: NotRequired[str]
    checker: object
    flags: NotRequired[CaseFlags]
    needs: NotRequired[list[str]]
    expected: str


class CorpusLimits(TypedDict):
    """Limits of a row of the adversarial corpus."""

    time_s: float
    memory_mb: int
    output_mb: int
    compile_s: float
    judge_s: NotRequired[float]


class CorpusTest(TypedDict, total=False):
    """One test of a row of the adversarial corpus."""

    stdin: str
    stdin_repeat: tuple[str, int]
    expected: object
    expected_gen: str
    args: list[object]
    code: str


class CorpusRow(TypedDict):
    """One row of the adversarial corpus."""

    id: str
    kind: str
    language: str
    test_type: str
    assert_style: NotRequired[str]
    program: str
    fn_name: NotRequired[str]
    tests: list[CorpusTest]
    limits: CorpusLimits


class HumanEvalRow(TypedDict):
    """One problem of HumanEval."""

    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str
    test: str


class MbppRow(TypedDict):
    """One problem of MBPP."""

    task_id: int
    code: str
    test_setup_code: str
    test_list: list[str]


class PlusRow(TypedDict):
    """One problem of HumanEval+ or MBPP+: inputs only, answers come from the reference."""

    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str
    contract: str
    base_input: list[list[object]]
    plus_input: list[list[object]]
    atol: float
    assertion: NotRequired[str]


class RecordedRow(TypedDict):
    """One recorded completion for HumanEval with the verdict of the run it comes from."""

    model: str
    task_id: str
    completion: str
    passed: bool
    result: str


def find(relative: str) -> Path:
    """The shared file, or a skip of the running test where it is absent."""
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"shared/{relative} is not beside the checkout")
    return path


def read(relative: str, row: type[T]) -> list[T]:
    """The rows of a JSON-lines file, plain or gzipped, taken to be of the type named."""
    path = find(relative)
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [cast("T", json.loads(line)) for line in text.splitlines()]


def part(rows: Sequence[T], key: str, one_in: int) -> list[T]:
    """Every row in a full run, else those whose hash of ``row[key]`` falls in one of ``one_in`` classes."""
    if FULL:
        return list(rows)
    return [row for row in rows if chosen(str(cast("dict[str, object]", row)[key]), one_in)]


def chosen(name: str, one_in: int) -> bool:
    """Whether a bounded run takes the item of this name."""
    return FULL or falls_in(name, one_in)


def falls_in(name: str, one_in: int) -> bool:
    """Whether the hash of a name falls in the first of ``one_in`` classes."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % one_in == 0
