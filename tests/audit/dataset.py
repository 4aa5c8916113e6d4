"""Rows of data sets for tests, in the shapes in which they are published. Written for these tests."""

from __future__ import annotations

import base64
import json
import pickle  # ruff: ignore[suspicious-pickle-import] - packs, and never unpacks
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Tree = dict[str, Any]

SUM = "print(sum(map(int, input().split())))\n"
HALF = "print(int(input()) / 3)\n"
SPLIT = "n = int(input())\nprint(n - 1, 1)\n"
CRASH = "n = int(input())\nprint(n)\nassert n < 2\n"
COUNTS = "import time\nprint(input(), time.time_ns())\n"
COIN = "import os\nprint(input(), os.getpid() % 2 * 0 + os.urandom(8)[0] // 128)\n"


def verl(name: str, reference: str, pairs: Sequence[tuple[str, str]], **more: object) -> Tree:
    """A row of verl with its cases in columns."""
    truth = {"inputs": [given for given, _ in pairs], "outputs": [answer for _, answer in pairs], **more}
    return {
        "prompt": [{"role": "user", "content": "solve it"}],
        "reward_model": {"style": "rule", "ground_truth": json.dumps(truth)},
        "extra_info": {"id": name, "reference": reference},
    }


def v1(name: str, reference: object, problem: Tree) -> Tree:
    """A row of ours."""
    return {"id": name, "problem": problem, "reference": reference}


def stdio(given: str, answer: str) -> Tree:
    """A test of ours."""
    return {"kind": "stdio", "input": given, "answer": answer}


def packed(cases: object) -> str:
    """Cases as LiveCodeBench packs the private ones."""
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(cases)))).decode()


def written(path: Path, rows: Iterable[Tree | str]) -> Path:
    """A file of rows; a text is a line as it stands."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
