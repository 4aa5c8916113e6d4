# stdin: "400\n"
# Memoized recursion through the C cache.
import sys
from functools import lru_cache

sys.setrecursionlimit(20_000)


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(int(input())), fib.cache_info())
