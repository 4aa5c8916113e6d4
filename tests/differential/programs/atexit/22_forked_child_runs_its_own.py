import atexit
import os
import sys

atexit.register(print, "handler")
sys.stdout.flush()
pid = os.fork()
if pid == 0:
    print("child")
    sys.exit(4)
_, status = os.waitpid(pid, 0)
print("parent", os.waitstatus_to_exitcode(status))
