import os
import sys

print("first line", flush=True)
for action in (lambda: os.lseek(1, 0, 0), lambda: os.ftruncate(1, 0), lambda: sys.stdout.seek(0)):
    try:
        action()
        print("allowed")
    except OSError as error:
        print(type(error).__name__, error)
