# SystemExit travels through finally blocks; atexit functions run afterwards with the module intact.
import atexit
import sys


def leave():
    try:
        sys.exit(3)
    finally:
        print("finally", type(sys.exc_info()[1]).__name__)


atexit.register(lambda: print("atexit", sys.exc_info(), VALUE, sys._getframe().f_code.co_name))
VALUE = 8
leave()
