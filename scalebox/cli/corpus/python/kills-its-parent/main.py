import os
import signal

for pid in (os.getppid(), 1):
    try:
        if pid > 0 and pid != os.getpid():
            os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
print("alive")
