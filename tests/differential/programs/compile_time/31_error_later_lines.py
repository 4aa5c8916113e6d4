# tag: compile
# Nothing of a program with a syntax error runs, however far down it stands.
import sys

print("never", flush=True)
sys.stderr.write("never\n")
with open("never.txt", "w") as never:
    never.write("x")


def fine():
    return 1


def broken(:
    return 2
