# A run-time error is shown with the line of this file and the place in it.
import sys
import traceback

try:
    value = [1, 2, 3][1 + 2 * 3]
except IndexError:
    lines = traceback.format_exc().splitlines()
print(lines[0], [line.strip() for line in lines[2:]], sys.exc_info() == (None, None, None))
