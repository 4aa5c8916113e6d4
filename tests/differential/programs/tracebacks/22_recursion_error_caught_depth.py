import sys


def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n


deep = depth(0)
sys.setrecursionlimit(500)
print(deep - depth(0), sys.getrecursionlimit(), 980 < deep < 1000)
