# A frozenset's order and hash.
words = frozenset("the quick brown fox jumps over the lazy dog".split())
print(list(words))
print(hash(words), hash(frozenset()))
