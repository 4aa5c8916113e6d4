# stdin: "2 300\n"
# A function whose depth follows its values.
import sys

sys.setrecursionlimit(100_000)


def ack(m, n):
    if m == 0:
        return n + 1
    return ack(m - 1, 1) if n == 0 else ack(m - 1, ack(m, n - 1))


print(ack(*map(int, input().split())))
