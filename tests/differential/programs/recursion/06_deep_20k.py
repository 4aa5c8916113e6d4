# A raised limit and 20,000 levels.
import sys

sys.setrecursionlimit(25_000)


def total(n):
    return 0 if n == 0 else n + total(n - 1)


print(total(20_000), sys.getrecursionlimit())
