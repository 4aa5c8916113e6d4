# stdin: "a 1\nb 2\n\nc 3"
import sys

for number, line in enumerate(sys.stdin):
    print(number, repr(line))
