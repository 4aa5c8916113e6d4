# SIGUSR1 with its default action ends the program.
import os
import signal

print("before", flush=True)
os.kill(os.getpid(), signal.SIGUSR1)
print("not reached")
