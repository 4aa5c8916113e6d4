# Bare fork: the child's status comes back, and there are no other children to wait for.
import os

try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no children at start")
for code in (0, 1, 77):
    pid = os.fork()
    if pid == 0:
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
