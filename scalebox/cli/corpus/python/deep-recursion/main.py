import sys

sys.setrecursionlimit(200_000)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


assert depth(50_000) == 50_000
print("done")
