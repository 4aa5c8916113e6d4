import atexit
import os

atexit.register(print, "never")
print("shown", flush=True)
os._exit(0)
