import sys

print(sys.argv, len(sys.argv), type(sys.argv).__name__)
