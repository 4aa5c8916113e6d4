# stdin: "h\n1\n2\n3\n4\n"
import sys

print(input())
print(next(sys.stdin), end="")
print(sys.stdin.readline(), end="")
print(input(), sys.stdin.read().split())
