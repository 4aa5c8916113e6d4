# stdin: "z"
import os
import stat
import sys

mode = os.fstat(0).st_mode
print(stat.S_ISREG(mode), stat.S_ISFIFO(mode), os.isatty(0), sys.stdin.isatty())
print(sys.stdin.readable(), sys.stdin.writable(), sys.stdin.fileno(), sys.stdin.name)
