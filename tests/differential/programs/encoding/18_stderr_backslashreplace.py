import sys

print("caf\xe9 \udcff", file=sys.stderr)
print(sys.stderr.errors)
