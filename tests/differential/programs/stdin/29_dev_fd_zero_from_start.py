# stdin: "line one\nline two\n"
import sys

print(sys.stdin.readline(), end="")
with open("/dev/fd/0") as file:
    print(repr(file.readline()))
