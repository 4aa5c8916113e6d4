"""Accepts an output whose numbers are near the answer's and whose other tokens are the answer's, in order."""

import re
from pathlib import Path

PARAMETERS = {"absolute": 1e-6, "relative": 1e-6, "integers_exact": True, "case_sensitive": False}
NUMBER = re.compile(rb"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,4})?")
INTEGER = re.compile(rb"[+-]?\d+")


def near(output: bytes, answer: bytes) -> bool:
    """Whether one token may stand for another."""
    if output == answer:
        return True
    if not NUMBER.fullmatch(output) or not NUMBER.fullmatch(answer):
        return not PARAMETERS["case_sensitive"] and output.lower() == answer.lower()
    if PARAMETERS["integers_exact"] and INTEGER.fullmatch(answer):
        return bool(INTEGER.fullmatch(output)) and int(output) == int(answer)
    given, due = float(output), float(answer)
    if given in {float("inf"), float("-inf")} or due in {float("inf"), float("-inf")}:
        return False
    difference = abs(given - due)
    return difference <= PARAMETERS["absolute"] or difference <= PARAMETERS["relative"] * abs(due)


def validate_solution(_input_path: str, answer_path: str, output_path: str) -> bool:
    """Whether the output is right."""
    answer, output = Path(answer_path).read_bytes().split(), Path(output_path).read_bytes().split()
    return len(output) == len(answer) and all(map(near, output, answer))
