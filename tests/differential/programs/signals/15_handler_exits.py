# sys.exit in a handler is an ordinary exit: atexit runs and output is flushed.
import atexit
import os
import signal
import sys
import time

atexit.register(print, "atexit ran")
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
print("before")
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(5)
print("not reached")
