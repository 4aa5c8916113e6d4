"""What a reply says of the tests of a unit case: all of it with full detail, nothing that holds the test code's values without."""

from __future__ import annotations

from dataclasses import replace

from scalebox.client.mock import MockJudge
from scalebox.core.problem import Problem, UnitCase
from scalebox.core.result import Judgement, UnitOutcome, UnitResult
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.wire.convert_client import judgement_from
from scalebox.wire.reply_v1 import judgement_reply, reply_bytes
from scalebox.wire.v1 import Detail

TESTS = (
    UnitResult(name="t.py::test_f[1-4711]", outcome=UnitOutcome.PASSED),
    UnitResult(name="t.py::test_f[2-4712]", outcome=UnitOutcome.FAILED, message="assert 1 == 4712"),
    UnitResult(name="t.py::test_g", outcome=UnitOutcome.SKIPPED, counts=False, message="later: \ud800"),
)


async def judgement() -> Judgement:
    """A judgement of one unit case."""
    problem = Problem(tests=[UnitCase(name="0", framework="pytest", files={"t.py": ""})])
    made = await MockJudge().judge(Submission(source="", language="python"), problem, JudgeOptions())
    return replace(made, cases=[replace(made.cases[0], tests=TESTS)])


async def told(detail: Detail) -> str:
    return reply_bytes(judgement_reply(await judgement(), detail)).decode()


async def test_without_full_detail_no_value_of_the_test_code_is_shown() -> None:
    [case] = judgement_reply(await judgement(), "cases")["cases"]
    assert case["tests"] == [
        {"name": "t.py::test_f[0]", "outcome": "passed"},
        {"name": "t.py::test_f[1]", "outcome": "failed"},
        {"name": "t.py::test_g", "outcome": "skipped", "counts": False},
    ]
    shown = await told("cases")
    assert not any(value in shown for value in ("4711", "4712", "later"))


async def test_full_detail_crosses_whole() -> None:
    [case] = judgement_from((await told("full")).encode()).cases
    assert case.tests == [*TESTS[:2], replace(TESTS[2], message="later: ?")]
