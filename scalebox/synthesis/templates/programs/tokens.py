"""Accepts an output whose tokens are the answer's, in order."""

from pathlib import Path

PARAMETERS = {"case_sensitive": True}


def validate_solution(_input_path: str, answer_path: str, output_path: str) -> bool:
    """Whether the output is right."""
    answer, output = Path(answer_path).read_bytes(), Path(output_path).read_bytes()
    if not PARAMETERS["case_sensitive"]:
        answer, output = answer.lower(), output.lower()
    return output.split() == answer.split()
