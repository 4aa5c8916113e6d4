import sys

print("out")
sys.stderr.close()
raise ValueError("nowhere to go")
