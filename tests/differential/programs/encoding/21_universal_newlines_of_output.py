import sys

print("a\r\nb\rc\n", end="")
sys.stdout.buffer.flush()
print(repr("x\r\ny".splitlines()))
