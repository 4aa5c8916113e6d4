# stdin: "日本\n"
import sys

line = sys.stdin.readline()
print(len(line), len(line.encode()), sys.stdin.buffer.tell())
