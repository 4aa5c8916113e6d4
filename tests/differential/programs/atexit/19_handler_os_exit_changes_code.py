import atexit
import os
import sys


def leave():
    sys.stdout.flush()
    os._exit(17)


atexit.register(leave)
print("printed")
sys.exit(1)
