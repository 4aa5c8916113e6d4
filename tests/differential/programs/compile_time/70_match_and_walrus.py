# stdin: "move 3 4\nstop\n"
# Newer syntax.
import sys

while (line := sys.stdin.readline().split()) :
    match line:
        case ["move", x, y] if int(x) < 10:
            print("to", x, y)
        case ["stop"]:
            print("stop")
        case _:
            print("?")
