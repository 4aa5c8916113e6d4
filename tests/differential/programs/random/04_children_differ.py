# Two bare forks: the module reseeds itself in each child, once, even when the parent had a seed.
import os
import random

random.seed(5)
streams = []
for _ in range(2):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, repr(random.random()).encode())
        os._exit(0)
    os.wait()
    streams.append(os.read(reader, 100))
print(streams[0] == streams[1], random.random())
