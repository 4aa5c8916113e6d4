"""Accepts any permutation of what is given: of ``first`` … ``first + n - 1``, or of tokens of the input.

``of`` is ``range`` (n is the input's token number ``n_token``, from 0) or ``input`` (all tokens of the input from number ``from_token`` on).
"""

import re
from pathlib import Path

PARAMETERS = {"of": "range", "n_token": 0, "first": 1, "from_token": 1}
COUNT = re.compile(rb"\d{1,8}")
INTEGER = re.compile(rb"0|-?[1-9]\d{0,18}")


def validate_solution(input_path: str, _answer_path: str, output_path: str) -> bool:
    """Whether the output is right."""
    given, output = Path(input_path).read_bytes().split(), Path(output_path).read_bytes().split()
    if PARAMETERS["of"] == "input":
        return sorted(output) == sorted(given[int(PARAMETERS["from_token"]) :])
    count, first = given[int(PARAMETERS["n_token"])], int(PARAMETERS["first"])
    if not COUNT.fullmatch(count) or len(output) != int(count) or not all(map(INTEGER.fullmatch, output)):
        return False
    return sorted(map(int, output)) == list(range(first, first + int(count)))
