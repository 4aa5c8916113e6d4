import sys

sys.setrecursionlimit(150)


def down(n):
    return down(n + 1)


print("start")
down(0)
