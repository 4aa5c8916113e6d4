# stdin: "2\nab\ncd\n"
import sys

input = sys.stdin.readline
for _ in range(int(input())):
    print(repr(input()))
print(repr(input()))
