import sys

print("big")
sys.exit(10**30 + 5)
