# What a module imports it takes from sys.modules, whoever put it there.
import sys
import types

stand_in = types.ModuleType("keyword")
stand_in.iskeyword = lambda text: text == "mine"
sys.modules["keyword"] = stand_in
import collections

try:
    collections.namedtuple("Point", "mine")
except ValueError as error:
    print(error)
sys.modules["heapq"] = None
try:
    import heapq
except ImportError as error:
    print(type(error).__name__, error)
