import os
import sys

stdlib = os.path.dirname(os.__file__)
print(stdlib in sys.path)
print(sys.path.index(stdlib) > 0)
print(len(sys.path) == len(set(sys.path)), all(type(p) is str for p in sys.path))
