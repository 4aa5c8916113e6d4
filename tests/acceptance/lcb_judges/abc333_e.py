"""ABC333 E: any choice of potions that defeats every monster while never holding more than the least number needed."""


def validate_solution(stdin_path: str, stdout_path: str, answer_path: str) -> bool:
    """Whether the output names the answer's number, and a choice that keeps to it."""
    with open(stdin_path) as given, open(stdout_path) as answer, open(answer_path) as output:
        count, *numbers = map(int, given.read().split())
        due, said = answer.read().split(), output.read().split()
    events = list(zip(numbers[::2], numbers[1::2], strict=True))[:count]
    potions = sum(kind == 1 for kind, _ in events)
    if not said or said[0] != due[0]:
        return False
    if due[0] == "-1":
        return len(said) == 1
    choices = said[1:]
    if len(choices) != potions or not set(choices) <= {"0", "1"}:
        return False
    return _most_held(events, choices) == int(due[0])


def _most_held(events: list[tuple[int, int]], choices: list[str]) -> int | None:
    """The most potions held at once; None where a monster wins."""
    held: dict[int, int] = {}
    most = 0
    picks = iter(choices)
    for kind, number in events:
        if kind == 1:
            held[number] = held.get(number, 0) + int(next(picks))
        elif held.get(number, 0) == 0:
            return None
        else:
            held[number] -= 1
        most = max(most, sum(held.values()))
    return most
