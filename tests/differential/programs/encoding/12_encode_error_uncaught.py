import sys

sys.stdout.reconfigure(encoding="ascii", errors="strict")
print("fine")
print("snow \u2603")
