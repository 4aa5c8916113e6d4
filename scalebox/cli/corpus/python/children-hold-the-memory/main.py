import os
import time

for _ in range(6):
    if os.fork() == 0:
        block = b"x" * (48 << 20)
        time.sleep(60)
        os._exit(len(block) & 1)
while True:
    os.wait()
