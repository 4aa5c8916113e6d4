# An uncaught KeyboardInterrupt flushes, runs atexit, prints a traceback and then dies of SIGINT.
import atexit
import signal

atexit.register(print, "atexit ran")
print("before")
signal.raise_signal(signal.SIGINT)
print("not reached")
