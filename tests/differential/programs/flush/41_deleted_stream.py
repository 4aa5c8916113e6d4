# A program may delete sys.stdout; what was printed before is still written at the end.
import sys

print("printed before")
del sys.stdout
