import os
import signal

for pid in (os.getppid(), 1):
    try:
        if pid not in (0, os.getpid()):
            os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
print("still judged")
