# A limit below the present depth is refused.
import sys


def inner(n):
    if n:
        return inner(n - 1)
    try:
        sys.setrecursionlimit(20)
    except RecursionError as error:
        return type(error).__name__
    return "set"


print(inner(100))
for wrong in (0, -5):
    try:
        sys.setrecursionlimit(wrong)
    except ValueError as error:
        print(error)
