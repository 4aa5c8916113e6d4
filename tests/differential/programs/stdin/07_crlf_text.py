# stdin: "one\r\ntwo\r\n\r\nlast"
import sys

print(repr(input()))
print([line for line in sys.stdin])
print(sys.stdin.newlines)
