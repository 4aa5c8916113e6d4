import atexit
import sys

atexit.register(lambda: print("cleanup"))
sys.exit(3)
