# The traceback of an uncaught error names this file only, line by line.
import os
import sys

if os.fork() == 0:
    handle = os.open("errors.txt", os.O_WRONLY | os.O_CREAT)
    os.dup2(handle, 2)

    def level(n):
        if n == 0:
            raise KeyError("deep")
        level(n - 1)

    level(2)
os.wait()
with open("errors.txt") as text:
    for line in text:
        if line.startswith("  File"):
            name = line.split('"')[1]
            line = line.replace(name, os.path.basename(name))
        print(line, end="")
