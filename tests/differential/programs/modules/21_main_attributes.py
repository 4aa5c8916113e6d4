# The attributes of __main__.
import sys

main = sys.modules["__main__"]
print(main.__name__, main.__spec__, main.__package__, main.__doc__, main.__cached__ if "__cached__" in globals() else "-")
print(type(main.__loader__).__name__, main.__builtins__.__name__, sorted(set(vars(main)) - {"main"}))
