# stdin: "kept"
import os
import sys

for action in (lambda: os.write(0, b"x"), lambda: sys.stdin.write("x"), lambda: os.ftruncate(0, 0)):
    try:
        action()
        print("allowed")
    except OSError as error:
        print(type(error).__name__, error.errno)
print(sys.stdin.read())
