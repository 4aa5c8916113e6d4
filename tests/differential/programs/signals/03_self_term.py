# SIGTERM with its default action: unflushed output is lost, atexit does not run.
import atexit
import os
import signal

atexit.register(print, "atexit")
print("flushed", flush=True)
print("still in the buffer")
os.kill(os.getpid(), signal.SIGTERM)
print("not reached")
