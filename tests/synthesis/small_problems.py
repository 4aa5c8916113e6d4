"""Problems written for the tests: one with many right outputs, one with floats, one with a unique answer, each with a right judge."""

from __future__ import annotations

from typing import Final

from scalebox.core.ports import Judge
from scalebox.core.problem import StdioCase
from scalebox.core.submission import Submission
from scalebox.synthesis.domain import Category, Draft, KnownOutput, ProblemRecord
from scalebox.synthesis.printed import Printed, mutant_outputs, reference_outputs, wrong_outputs
from scalebox.synthesis.templates.catalogue import draft_of


def _cases(pairs: list[tuple[str, str]]) -> list[StdioCase]:
    return [
        StdioCase(name=str(number), input=given.encode(), answer=answer.encode())
        for number, (given, answer) in enumerate(pairs)
    ]


SUM: Final = ProblemRecord(
    name="two summands",
    statement="Given c (3 <= c <= 1000), print any two different positive integers whose sum is c.",
    tests=_cases([("3\n", "1 2\n"), ("7\n", "1 6\n"), ("12\n", "1 11\n"), ("1000\n", "1 999\n")]),
    references=[Submission(source="c = int(input())\nprint(c - 1, 1)\n", language="python")],
    good_outputs=[KnownOutput(case="1", output=b"3 4\n"), KnownOutput(case="2", output=b"5\n7\n")],
)
SUM_JUDGE: Final = """
import re

def numbers(path):
    tokens = open(path, "rb").read().split()
    if len(tokens) != 2 or not all(re.fullmatch(rb"[1-9][0-9]{0,3}", token) for token in tokens):
        return None
    return [int(token) for token in tokens]

def validate_solution(input_path, answer_path, output_path):
    c = int(open(input_path).read())
    pair = numbers(output_path)
    return pair is not None and pair[0] != pair[1] and sum(pair) == c
"""
ROOT: Final = ProblemRecord(
    name="square roots",
    statement="Print the square roots of the n numbers, with an absolute or relative error of at most 10^-6.",
    tests=_cases([
        ("2\n2 3\n", "1.414213562 1.732050808\n"),
        ("1\n10\n", "3.162277660\n"),
        ("3\n5 7 1000\n", "2.236067977 2.645751311 31.622776602\n"),
    ]),
    references=[
        Submission(source="input()\nprint(*(int(x) ** 0.5 for x in input().split()))\n", language="python"),
    ],
)
SORTED: Final = ProblemRecord(
    name="sorted numbers",
    statement="Print the n numbers in ascending order.",
    tests=_cases([("3\n3 1 2\n", "1 2 3\n"), ("2\n9 4\n", "4 9\n"), ("4\n8 8 1 5\n", "1 5 8 8\n")]),
    references=[Submission(source="input()\nprint(*sorted(map(int, input().split())))\n", language="python")],
)
PARITY: Final = ProblemRecord(
    name="parity",
    statement="Print EVEN if n is even, else ODD. You can print each letter in any case.",
    tests=_cases([("1\n", "ODD\n"), ("4\n", "EVEN\n"), ("7\n", "ODD\n")]),
)
PROBLEMS: Final = {problem.name: problem for problem in (SUM, ROOT, SORTED)}
CATEGORIES: Final = {
    SUM.name: Category.ANY_CONSTRUCTION,
    ROOT.name: Category.NUMERIC,
    SORTED.name: Category.UNIQUE,
}
RIGHT: Final = {
    SUM.name: Draft(source=SUM_JUDGE),
    ROOT.name: draft_of("tolerance", {"absolute": 1e-6, "relative": 1e-6}),
    SORTED.name: draft_of("tokens", {}),
}


async def run_submissions(judge: Judge, problem: ProblemRecord) -> Printed:
    """What all submissions of a problem print."""
    return Printed(
        references=await reference_outputs(judge, problem),
        wrong=await wrong_outputs(judge, problem),
        mutants=await mutant_outputs(judge, problem),
    )
