import atexit
import sys

atexit.register(print, "still runs")
atexit.register(sys.exit, 9)
print("main")
