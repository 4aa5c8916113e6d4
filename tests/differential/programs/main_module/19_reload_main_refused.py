import importlib
import sys

sys.setrecursionlimit(2000)
import __main__

try:
    importlib.reload(__main__)
except Exception as error:
    print(type(error).__name__, error)
print(importlib.import_module("__main__") is __main__)
