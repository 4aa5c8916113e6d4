# SIGALRM with its default action ends the program by that signal.
import signal
import time

print("before", flush=True)
signal.setitimer(signal.ITIMER_REAL, 0.02)
time.sleep(10)
print("after")
