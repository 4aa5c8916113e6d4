# Recursion through C code in the main thread, moderate depth.
import sys

sys.setrecursionlimit(10_000)


def depth(n):
    return 0 if n == 0 else 1 + sum(map(depth, [n - 1]))


print(depth(2_000))
