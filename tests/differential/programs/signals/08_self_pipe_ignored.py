# Python ignores SIGPIPE at start, so sending it to itself does nothing.
import os
import signal

os.kill(os.getpid(), signal.SIGPIPE)
print("alive", signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN)
