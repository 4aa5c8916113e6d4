"""Reads output and answer alike, checks that each is what was asked for, and compares what they cost.

Three functions are the problem's own, written below: ``read_input(given)`` lists the data of each case, ``read_output(said, data)``
takes one case's part of an output, ``cost(data, made)`` raises ``Refuse`` where that is not allowed, else says what it costs.
"""

import re
from pathlib import Path

PARAMETERS = {"better": "same", "case_header": False, "absolute": 0.0, "relative": 0.0}
INTEGER = re.compile(r"[+-]?\d{1,1000}", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)
BIG = 10**1000


class Refuse(Exception):
    """The output is wrong."""


class Tokens:
    """The tokens of a text, one after the other; refuses what is not as it should be."""

    def __init__(self, path: str) -> None:
        data = Path(path).read_bytes()
        if not data.isascii() or b"\0" in data:
            raise Refuse("the text is not ASCII")
        self.all = data.decode().split()
        self.at = 0

    def left(self) -> int:
        """How many tokens there still are."""
        return len(self.all) - self.at

    def peek(self) -> str:
        """The next token, which stays; empty at the end."""
        return self.all[self.at] if self.left() else ""

    def word(self) -> str:
        """The next token."""
        if not self.left():
            raise Refuse("the text ends too early")
        self.at += 1
        return self.all[self.at - 1]

    def integer(self, low: int = -BIG, high: int = BIG) -> int:
        """The next token, an integer within bounds."""
        token = self.word()
        if not INTEGER.fullmatch(token) or not low <= int(token) <= high:
            raise Refuse(f"{token[:40]!r} is no integer from {low} to {high}"[:200])
        return int(token)

    def number(self) -> float:
        """The next token, a finite number."""
        token = self.word()
        value = float(token) if NUMBER.fullmatch(token) else float("inf")
        if value - value != 0:
            raise Refuse(f"{token[:40]!r} is no number")
        return value


def as_good(given, due) -> bool:
    """Whether a cost will do where the answer has another."""
    if given == due:
        return True
    if not isinstance(given, int | float) or not isinstance(due, int | float):
        return False
    difference = abs(given - due)
    if difference <= PARAMETERS["absolute"] or difference <= PARAMETERS["relative"] * abs(due):
        return True
    return {"lower": given < due, "higher": given > due}.get(str(PARAMETERS["better"]), False)


def take(said: Tokens, number: int, data):
    """One case's part of an output, and its cost."""
    if PARAMETERS["case_header"] and (said.word().lower(), said.word()) != ("case", f"#{number}:"):
        raise Refuse(f"the header of case {number} is missing")
    return cost(data, read_output(said, data))


def validate_solution(input_path: str, answer_path: str, output_path: str) -> bool:
    """Whether the output is right."""
    cases = read_input(Tokens(input_path))
    answer = Tokens(answer_path)
    due = [take(answer, number, data) for number, data in enumerate(cases, 1)]  # an answer it refuses breaks the judge
    try:
        said = Tokens(output_path)
        given = [take(said, number, data) for number, data in enumerate(cases, 1)]
        return not said.left() and all(map(as_good, given, due))
    except Refuse:
        return False
