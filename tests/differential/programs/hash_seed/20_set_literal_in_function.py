# The same for literals in functions, comprehensions and frozenset constants of membership tests.
def vowels():
    return "".join({"a", "e", "i", "o", "u", "y"})


def constants():
    return "".join(next(value for value in vowel_test.__code__.co_consts if isinstance(value, frozenset)))


def vowel_test(letter):
    return letter in {"u", "o", "i", "e", "a", "y", "w", "h"}


print(vowels(), constants(), vowel_test("e"))
print([x for x in {"k1", "k2", "k3", "k4", "k5", "k6"}], {n: None for n in {"x", "y", "z", "w", "v"}})
