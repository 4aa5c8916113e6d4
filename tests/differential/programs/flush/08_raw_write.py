import sys

print("buffered")
sys.stdout.buffer.raw.write(b"raw at once\n")
