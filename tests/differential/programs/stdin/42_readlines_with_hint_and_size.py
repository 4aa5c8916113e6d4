# stdin: "aa\nbb\ncc\ndd\n"
import sys

print(sys.stdin.readlines(4), sys.stdin.readline(1), sys.stdin.read(2), sys.stdin.readlines())
