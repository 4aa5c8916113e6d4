"""ABC311 C: any directed cycle without a repeated vertex."""


def validate_solution(stdin_path: str, stdout_path: str, answer_path: str) -> bool:
    """Whether the output is a cycle of the graph in which each vertex i has one edge, to A[i]."""
    with open(stdin_path) as given, open(answer_path) as output:
        count, *heads = map(int, given.read().split())
        tokens = output.read().split()
    if not tokens or not all(token.isascii() and token.isdigit() for token in tokens):
        return False
    length, *cycle = map(int, tokens)
    if length != len(cycle) or not cycle or len(set(cycle)) != length or not all(1 <= v <= count for v in cycle):
        return False
    return all(heads[vertex - 1] == follower for vertex, follower in zip(cycle, cycle[1:] + cycle[:1], strict=True))
