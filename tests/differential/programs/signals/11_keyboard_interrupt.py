# SIGINT raises KeyboardInterrupt in the main thread and can be caught.
import os
import signal
import time

try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
except KeyboardInterrupt:
    print("caught KeyboardInterrupt")
