# stdin: "one\ntwo\nthree\n"
import os
import sys

print(os.read(0, 4))
sys.stdout.flush()
pid = os.fork()
if pid == 0:
    os.write(1, os.read(0, 4))
    os._exit(0)
os.waitpid(pid, 0)
print(os.read(0, 10))
