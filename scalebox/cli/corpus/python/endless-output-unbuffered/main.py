import os

block = b"y" * (1 << 18)
while True:
    os.write(1, block)
