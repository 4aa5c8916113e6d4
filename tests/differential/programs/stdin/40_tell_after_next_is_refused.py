# stdin: "a\nb\n"
import sys

next(sys.stdin)
try:
    sys.stdin.tell()
except OSError as error:
    print(error)
