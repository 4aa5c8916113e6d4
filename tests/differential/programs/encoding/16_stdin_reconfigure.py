# stdin: b"\xe9\xe8\n"
import sys

sys.stdin.reconfigure(encoding="latin-1")
print(input())
