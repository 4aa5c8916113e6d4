# stdin: "a\rb\rc"
import sys

print(sys.stdin.read().split("\n"))
