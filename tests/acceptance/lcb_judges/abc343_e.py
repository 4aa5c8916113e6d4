"""ABC343 E: any three cubes of side 7 with the volumes asked for, at coordinates of at most 100."""

import re

_SIDE = 7
_FARTHEST = 100


def validate_solution(stdin_path: str, stdout_path: str, answer_path: str) -> bool:
    """Whether the output says the answer's word, and cubes that have these volumes."""
    with open(stdin_path) as given, open(stdout_path) as answer, open(answer_path) as output:
        volumes = list(map(int, given.read().split()))
        due, said = answer.read().split(), output.read().split()
    if not said or said[0] != due[0]:
        return False
    if due[0] == "No":
        return len(said) == 1
    if len(said) != 10 or not all(re.fullmatch(r"-?[0-9]{1,3}", token) for token in said[1:]):
        return False
    numbers = list(map(int, said[1:]))
    if max(map(abs, numbers)) > _FARTHEST:
        return False
    a, b, c = numbers[:3], numbers[3:6], numbers[6:]
    three = _common(a, b, c)
    two = _common(a, b) + _common(a, c) + _common(b, c) - 3 * three
    return [3 * _SIDE**3 - 2 * two - 3 * three, two, three] == volumes


def _common(*cubes: list[int]) -> int:
    """The volume that all the cubes have in common."""
    volume = 1
    for places in zip(*cubes, strict=True):
        volume *= max(0, min(places) + _SIDE - max(places))
    return volume
