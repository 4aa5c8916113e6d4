# stdin: "one\r\ntwo\r\n"
import sys

print(sys.stdin.buffer.readline(), sys.stdin.buffer.read())
