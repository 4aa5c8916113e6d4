# An instance made by the program is not reseeded by a fork.
import os
import random

mine = random.Random(8)
reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, repr([mine.random() for _ in range(3)]).encode())
    os._exit(0)
os.wait()
print(os.read(reader, 200).decode() == repr([mine.random() for _ in range(3)]))
