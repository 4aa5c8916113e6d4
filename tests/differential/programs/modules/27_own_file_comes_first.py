# A file beside the program comes before the library's module of that name, also where the library itself asks for it.
with open("heapq.py", "w") as file:
    file.write("def heappush(heap, item):\n    heap.append(('mine', item))\n")
with open("keyword.py", "w") as file:
    file.write("def iskeyword(text):\n    return text == 'mine'\n\nkwlist = []\n")
import heapq

heap = []
heapq.heappush(heap, 1)
print(heap)
import collections

try:
    print(collections.namedtuple("Point", "mine"))
except ValueError as error:
    print(error)
print(collections.namedtuple("Point", "x y")(1, 2))
