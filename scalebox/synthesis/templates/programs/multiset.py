"""Accepts an output that has the answer's elements as often as the answer has them, in any order.

``elements`` are the lines or all tokens; ``first_lines`` lines stay where they are; with ``order_in_line`` false the tokens of a
line come in any order, too.
"""

from pathlib import Path

PARAMETERS = {"elements": "lines", "first_lines": 0, "order_in_line": True, "case_sensitive": True}


def shape(text: bytes) -> tuple[list[list[bytes]], list[list[bytes]]]:
    """What must stay in place, and the elements in an order of their own."""
    if not PARAMETERS["case_sensitive"]:
        text = text.lower()
    lines = [line.split() for line in text.splitlines() if line.strip()]
    fixed = int(PARAMETERS["first_lines"])
    head, rest = lines[:fixed], lines[fixed:]
    if PARAMETERS["elements"] == "tokens":
        return head, [sorted(token for line in rest for token in line)]
    return head, sorted(line if PARAMETERS["order_in_line"] else sorted(line) for line in rest)


def validate_solution(_input_path: str, answer_path: str, output_path: str) -> bool:
    """Whether the output is right."""
    return shape(Path(output_path).read_bytes()) == shape(Path(answer_path).read_bytes())
