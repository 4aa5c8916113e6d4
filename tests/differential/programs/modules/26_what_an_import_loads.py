# An import loads what it needs, in its order, and nothing that another module would have needed.
import sys


def new(before):
    return [name for name in sys.modules if name not in before]


for name in ("collections", "heapq", "bisect", "functools", "re", "string", "copy", "typing", "random", "array", "json", "ctypes"):
    before = set(sys.modules)
    __import__(name)
    print(name, *new(before))
