# stdin: "5 6\n7\n"
import sys

data = sys.stdin.buffer.read().split()
print(sum(map(int, data)), data)
