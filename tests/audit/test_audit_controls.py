"""Negative controls: on no shape of data set is a program accepted that solves nothing, however it leaves."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from audit import dataset

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import AGAINST
from scalebox.judge.local import LocalJudge
from scalebox.rows.recognise import read_row
from scalebox.rows.row import ReadOptions, Row

pytestmark = pytest.mark.sandbox

SPECIAL = "import sys\nsys.exit(0 if open('answer.txt').read().split() == ['3'] else 1)\n"
ROWS = {
    "columns": dataset.verl("a", "pass", [("1 2\n", "3\n"), ("2 2\n", "4\n")]),
    "packed": {
        "private_test_cases": dataset.packed([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
        "reference": "pass",
    },
    "functions": dataset.v1("a", "pass", {"tests": [{"kind": "call", "function": "add", "args": [1, 2], "answer": 3}]}),
    "asserts": dataset.v1(
        "a", "pass", {"tests": [{"kind": "assert", "code": "assert add(1, 2) == 3", "style": "bare"}]}
    ),
    "special": {
        "reward_model": {
            "ground_truth": {
                "test_cases": {"input": ["1 2\n"], "output": ["3\n"]},
                "extra": {"special_judge_program": SPECIAL, "force_special_judge": True},
            }
        },
        "extra_info": {"reference": "pass"},
    },
}
CONTROLS = {
    "empty": "",
    "constant": "print(0)\ndef add(*_): return 0",
    "exit": "import sys; sys.exit(0)",
    "hard exit": "import os; os._exit(0)",
    "echo": "import sys\nprint(sys.stdin.read())\ndef add(*given): return given",
    "silent": "def add(*_): pass",
    "words": "print('AC accepted ok passed True')\ndef add(*_): return 'ok'",
    "crash": "raise SystemExit('3')",
    "leaves when asked": "import os\ndef add(*_): os._exit(0)",
    "exits when asked": "def add(*_): raise SystemExit(0)",
    "equal to all": "class A(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\ndef add(*_): return A(0)",
    "no code": "",
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def judge() -> AsyncIterator[LocalJudge]:
    """A judge of two slots."""
    try:
        async with open_judge(Settings(slots=2)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("shape", ROWS)
async def test_nothing_that_solves_nothing_is_accepted(judge: LocalJudge, shape: str) -> None:
    row = read_row(1, json.dumps(ROWS[shape]).encode(), ReadOptions())
    assert isinstance(row, Row), row
    assert row.problem is not None
    for name, source in CONTROLS.items():
        judgement = await judge.judge(Submission(source=source, language="python"), row.problem, JudgeOptions())
        assert judgement.verdict in AGAINST, (name, judgement.cases)
    right = "import sys\ndef add(a, b): return a + b\nif t := sys.stdin.read(): print(add(*map(int, t.split())))"
    judgement = await judge.judge(Submission(source=right, language="python"), row.problem, JudgeOptions())
    assert judgement.verdict == "AC", judgement.cases
