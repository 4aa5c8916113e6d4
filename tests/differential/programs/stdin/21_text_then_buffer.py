# stdin: "first\nsecond\n"
import sys

print(repr(sys.stdin.readline()))
print(sys.stdin.buffer.read())
