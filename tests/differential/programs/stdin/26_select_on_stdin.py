# stdin: "ready\n"
import select
import sys

print([stream is sys.stdin for stream in select.select([sys.stdin], [], [], 0)[0]])
print(sys.stdin.read(), end="")
print(len(select.select([0], [], [], 0)[0]))
