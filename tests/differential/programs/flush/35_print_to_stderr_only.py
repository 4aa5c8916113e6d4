import sys

print("only here", file=sys.stderr)
sys.stderr.write("no newline")
