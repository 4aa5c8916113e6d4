# A module written into the working folder is importable: the program's folder is first on the path.
import os
import sys

with open("local_helper.py", "w") as source:
    source.write("print('imported as', __name__)\n\ndef twice(n):\n    return 2 * n\n")
import local_helper

print(local_helper.twice(21), os.path.basename(local_helper.__file__), os.path.realpath(sys.path[0]) == os.getcwd())
