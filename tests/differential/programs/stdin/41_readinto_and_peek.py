# stdin: "hello world"
import sys

print(sys.stdin.buffer.peek(3)[:5])
space = bytearray(4)
print(sys.stdin.buffer.readinto(space), space, sys.stdin.buffer.read1(3), sys.stdin.buffer.raw.read(4))
