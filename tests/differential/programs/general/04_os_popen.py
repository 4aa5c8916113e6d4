# popen reads a command's output and its status.
import os

with os.popen("echo one; echo two") as pipe:
    print(pipe.read().split())
print(os.waitstatus_to_exitcode(os.popen("exit 7").close()))
