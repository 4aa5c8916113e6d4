import sys

try:
    print(sys.stdout.tell())
except OSError as error:
    print(type(error).__name__, error)
