"""ABC373 G: any matching of two sets of points by segments that do not cross."""

Point = tuple[int, int]


def validate_solution(stdin_path: str, stdout_path: str, answer_path: str) -> bool:
    """Whether the output is a permutation whose segments do not meet; no three points of an input are on a line."""
    with open(stdin_path) as given, open(stdout_path) as answer, open(answer_path) as output:
        count, *numbers = map(int, given.read().split())
        due, said = answer.read().split(), output.read().split()
    if due == ["-1"]:
        return said == ["-1"]
    if sorted(said) != sorted(str(number) for number in range(1, count + 1)):
        return False
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    first, second = points[:count], points[count:]
    segments = [(first[index], second[int(number) - 1]) for index, number in enumerate(said)]
    return not any(_cross(one, other) for index, one in enumerate(segments) for other in segments[:index])


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    return _apart(one, other) and _apart(other, one)


def _apart(line: tuple[Point, Point], ends: tuple[Point, Point]) -> bool:
    """Whether a line runs between two points."""
    return _side(*line, ends[0]) * _side(*line, ends[1]) <= 0


def _side(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
