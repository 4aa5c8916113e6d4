import sys

wanted = ["json", "re", "collections", "random", "heapq", "decimal", "numpy", "asyncio", "typing"]
print([name for name in wanted if name in globals()])
try:
    print(math.pi)
except NameError as error:
    print("NameError:", error)
try:
    heapq
except NameError as error:
    print("NameError:", error)
