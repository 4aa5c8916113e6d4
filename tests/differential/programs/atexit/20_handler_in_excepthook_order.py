import atexit
import sys

sys.excepthook = lambda kind, value, trace: print("hook", kind.__name__)
atexit.register(print, "atexit")
try:
    raise KeyError("k")
finally:
    print("finally")
