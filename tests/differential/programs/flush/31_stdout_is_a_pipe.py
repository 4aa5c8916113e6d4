import os
import stat
import sys

mode = os.fstat(1).st_mode
print(stat.S_ISFIFO(mode), stat.S_ISREG(mode), sys.stdout.isatty(), sys.stdout.seekable(), sys.stdout.writable())
