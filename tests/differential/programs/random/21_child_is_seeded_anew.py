# A child's random numbers are not its parent's, whoever loaded the module.
import os
import random

reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.write(writing, repr(random.random()).encode())
    os._exit(0)
os.waitpid(child, 0)
print(os.read(reading, 100).decode() == repr(random.random()))
