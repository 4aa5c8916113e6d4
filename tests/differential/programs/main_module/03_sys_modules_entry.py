import sys

module = sys.modules["__main__"]
x = object()
print(module.x is x)
print(vars(module) is globals(), type(module).__name__)
module.added = 5
print(added)
