import builtins
import functools
import sys

lines = []
builtins.print = lambda *values, **_: lines.append(" ".join(map(str, values)))
print("collected", 1)
print = functools.partial(sys.stdout.write)
print("\n".join(lines) + "\n")
