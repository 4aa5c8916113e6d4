import sys

for _ in range(4096):
    sys.stderr.write("e" * 1024)
print("done")
