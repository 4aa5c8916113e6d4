import sys
import types

other = types.ModuleType("__main__")
other.flag = "other"
mine = sys.modules["__main__"]
sys.modules["__main__"] = other
import __main__

print(__main__.flag, __main__ is other)
sys.modules["__main__"] = mine
