# The hashes of strings and bytes are those of seed 0.
for text in ("", "a", "abc", "spam and eggs", "ключ", "x" * 1000):
    print(hash(text), hash(text.encode()))
