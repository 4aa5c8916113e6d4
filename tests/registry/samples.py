"""Judges for tests."""

from __future__ import annotations

from scalebox.core.problem import CheckerProtocol, ProgramChecker, ProgramText, StdioCase
from scalebox.registry.entry import NewJudge
from scalebox.registry.states import State
from scalebox.synthesis.domain import problem_id

TESTS = [StdioCase(name="0", input=b"5\n", answer=b"2 3\n"), StdioCase(name="1", input=b"2\n", answer=b"1 1\n")]
PROBLEM = problem_id(TESTS)
SUMS = """\
def validate_solution(stdin_path, stdout_path, answer_path):
    numbers = open(answer_path).read().split()
    return len(numbers) == 2 and sum(map(int, numbers)) == int(open(stdin_path).read())
"""
"""Accepts any two numbers with the sum that is the input."""


def judge(source: str = SUMS, protocol: CheckerProtocol = CheckerProtocol.FUNCTION) -> ProgramChecker:
    """A judge in Python."""
    text = ProgramText(language="python", files={"judge": source}, entry="judge")
    return ProgramChecker(protocol=protocol, program=text)


def new(source: str = SUMS, *, state: State = State.VALIDATED, problem: str = PROBLEM, name: str = "split") -> NewJudge:
    """A judge to be kept."""
    return NewJudge(
        problem_id=problem,
        problem_name=name,
        checker=judge(source),
        category="any_construction",
        origin="synthesis",
        provenance={"model": "m", "prompt_hashes": ["ab"]},
        evidence={"proof": {"outcome": "proved"}},
        state=state,
    )


def version(number: int) -> str:
    """The source of another version."""
    return f"{SUMS}# version {number}\n"
