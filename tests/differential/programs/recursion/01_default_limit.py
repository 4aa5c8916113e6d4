# The recursion limit is the interpreter's own default, also in threads.
import sys
import threading

print(sys.getrecursionlimit())
worker = threading.Thread(target=lambda: print(sys.getrecursionlimit()))
worker.start()
worker.join()
