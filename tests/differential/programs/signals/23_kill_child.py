# A program may end its own child with a signal and read how it died.
import os
import signal

pid = os.fork()
if pid == 0:
    signal.pause()
    os._exit(0)
os.kill(pid, signal.SIGKILL)
_, status = os.waitpid(pid, 0)
print(os.WIFSIGNALED(status), signal.Signals(os.WTERMSIG(status)).name)
