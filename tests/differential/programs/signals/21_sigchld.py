# SIGCHLD has its default action; a handler sees a child end, and the child can be waited for.
import os
import signal

print(signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL)
seen = []
signal.signal(signal.SIGCHLD, lambda number, frame: seen.append(number))
pid = os.fork()
if pid == 0:
    os._exit(5)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status), [signal.Signals(number).name for number in seen])
