# Iterators and regular expressions.
import itertools
import re

print(list(itertools.combinations("abc", 2)), list(itertools.accumulate([1, 2, 3])), ["".join(g) for _, g in itertools.groupby("aabccc")])
print(re.findall(r"(\w+)=(\d+)", "a=1, b=22; c = 3"), re.sub(r"(?P<x>\d)", r"<\g<x>>", "a1b2"), re.fullmatch(r"\d+", "12").span())
