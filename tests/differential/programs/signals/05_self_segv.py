# SIGSEGV to itself ends the program by that signal.
import os
import signal

print("before", flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
print("not reached")
