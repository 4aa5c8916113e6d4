# Importing a local module leaves its bytecode beside it.
import os

with open("cached_one.py", "w") as source:
    source.write("VALUE = 1\n")
import cached_one

print(sorted(name.split(".")[0] for name in os.listdir("__pycache__")), cached_one.__cached__ is not None)
