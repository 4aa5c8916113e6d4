import sys

sys.stdout.reconfigure(encoding="latin-1")
print("café")
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
print("caf\udce9")
