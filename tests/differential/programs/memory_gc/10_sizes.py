# Sizes of objects.
import sys

for value in ((), [], {}, set(), "", "abc", b"", 0, 1, 2**100, 1.0, (1, 2), [1, 2], {"a": 1}, range(3), None, True):
    print(repr(value), sys.getsizeof(value))
