import sys

print("before", file=sys.stderr)
sys.exit("")
