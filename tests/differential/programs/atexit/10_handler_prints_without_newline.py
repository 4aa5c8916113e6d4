import atexit
import sys

atexit.register(sys.stdout.write, "tail without newline")
sys.stdout.write("head ")
