import io
import sys

sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="ascii", errors="backslashreplace", newline="\r\n")
print("h\u00e9llo")
