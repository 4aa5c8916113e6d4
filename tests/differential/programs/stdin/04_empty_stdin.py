import sys

print(repr(sys.stdin.read()), repr(sys.stdin.readline()), list(sys.stdin))
try:
    input()
except EOFError as error:
    print("EOFError:", error)
