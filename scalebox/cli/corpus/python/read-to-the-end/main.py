import sys

a, b = sys.stdin.buffer.read().split()
print(int(a) + int(b))
