import sys

sys.stdin.read()
assert sys.stdin.read() == ""
print("done")
