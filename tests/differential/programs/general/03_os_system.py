# The order of a child's output and the program's own, with an explicit flush.
import os
import sys

print("first")
sys.stdout.flush()
print(os.waitstatus_to_exitcode(os.system("echo second; exit 4")))
print(os.system("true"), os.system("kill -9 $$") != 0)
