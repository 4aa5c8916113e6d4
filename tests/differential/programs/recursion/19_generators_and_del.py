# Nested generators and a long chain of objects freed without trouble.
import sys

sys.setrecursionlimit(50_000)


def leaves(tree):
    if isinstance(tree, list):
        for part in tree:
            yield from leaves(part)
    else:
        yield tree


tree = 1
for n in range(400):
    tree = [tree, n]
print(sum(leaves(tree)))


class Link:
    def __init__(self, next):
        self.next = next


chain = None
for _ in range(80_000):
    chain = Link(chain)
del chain
print("freed")
