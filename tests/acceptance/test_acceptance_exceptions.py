"""The committed exceptions stay few and each has its evidence. Reads only the list."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import Final

from acceptance import gold
from acceptance.judging import EXCEPTION_SHARE, EXCEPTIONS

SIZES: Final = {
    "cases": 108,
    "cases over HTTP": 108,
    "corpus": 45,
    "corpus over HTTP": 45,
    "humaneval": 164,
    "humanevalplus-v0.1.9": 164,
    "humanevalplus-v0.1.10": 164,
    "mbpp": 974,
    "mbppplus-v0.1.0": 399,
    "mbppplus-v0.2.0": 378,
    "humaneval mutants": 164,
    "humanevalplus-v0.1.9 mutants": 164,
    "humanevalplus-v0.1.10 mutants": 164,
    "mbpp mutants": 974,
    "mbppplus-v0.1.0 mutants": 399,
    "mbppplus-v0.2.0 mutants": 378,
    "humaneval_poe": 444,
    "fidelity": 317,
    "fidelity native": 186,
    "attacks": 51,
    "attacks over HTTP": 51,
    "interactive code jam": 42,
    "interactive kattis": 12,
    "lcb_mini": 408,
    "aethercode": 398,
}
"""Items of each set that this project judges."""


def whole(name: str) -> str:
    """The set that a set is counted with: the submissions to contest problems are one, whatever their kind of checker."""
    kinds = {f"fidelity {kind}" for kind in gold.KINDS}
    return "fidelity" if name in kinds else name


def test_exceptions_are_few_and_have_evidence() -> None:
    entries = tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8")).get("exception", [])
    for entry in entries:
        assert set(entry) == {"set", "id", "verdict", "plain", "reason"}, entry
        assert all(isinstance(value, str) and value for value in entry.values()), entry
    for name, count in Counter(whole(entry["set"]) for entry in entries).items():
        assert count <= EXCEPTION_SHARE * SIZES[name], f"{name}: {count} exceptions of {SIZES[name]} items"
