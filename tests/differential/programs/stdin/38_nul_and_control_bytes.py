# stdin: "a\x00b\x0bc\x0cd\x1ce\x85f\u2028g\n"
import sys

text = sys.stdin.read()
print(ascii(text), len(text.split("\n")), len(text.splitlines()))
