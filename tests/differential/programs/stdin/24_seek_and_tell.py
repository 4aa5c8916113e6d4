# stdin: "abc\ndef\n"
import sys

print(sys.stdin.seekable(), sys.stdin.tell())
print(repr(sys.stdin.readline()))
sys.stdin.seek(0)
print(sys.stdin.read().split())
print(sys.stdin.buffer.seek(2), sys.stdin.buffer.read(3), sys.stdin.buffer.tell())
