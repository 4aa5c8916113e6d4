# Another folder at the head of the search path comes first too; and a finder of the program's before that.
import os
import sys

os.mkdir("own")
with open("own/bisect.py", "w") as file:
    file.write("here = 'own'\n")
sys.path.insert(0, "own")
import bisect

print(bisect.here)
sys.path.pop(0)


class Finder:
    def find_spec(self, name, path=None, target=None):
        print("asked for", name)


sys.meta_path.insert(0, Finder())
import heapq

print(heapq.nsmallest(2, [3, 1, 2]))
