words = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}
print(list(words))
print(hash("abc"), hash(b"abc"), hash(""), hash(("a", 1)))
print(list({w: 1 for w in sorted(words)}))
