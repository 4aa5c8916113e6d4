# A raised limit and 100,000 levels.
import sys

sys.setrecursionlimit(1_000_000)


def depth(node):
    return 1 if node is None else 1 + depth(node[0])


chain = None
for _ in range(100_000):
    chain = [chain]
print(depth(chain))
while chain:
    chain = chain[0]
