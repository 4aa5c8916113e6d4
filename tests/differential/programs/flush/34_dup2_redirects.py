import os
import sys

saved = os.dup(1)
log = os.open("log.txt", os.O_RDWR | os.O_CREAT)
os.dup2(log, 1)
print("to the file", flush=True)
os.dup2(saved, 1)
print("to the pipe", flush=True)
print(open("log.txt").read(), end="")
