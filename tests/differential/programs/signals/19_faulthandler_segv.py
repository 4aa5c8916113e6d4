# skip: stderr: the dump's last line holds the path of the working folder
# With faulthandler on, a fault still ends the program by SIGSEGV.
import faulthandler
import os
import signal

faulthandler.enable()
print("before", flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
print("not reached")
