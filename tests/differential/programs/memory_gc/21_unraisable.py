# An exception in __del__ is reported on stderr and the program goes on.
import sys


class Bad:
    def __del__(self):
        raise ValueError("in del")


sys.unraisablehook = lambda report: print(type(report.exc_value).__name__, report.exc_value)
Bad()
sys.unraisablehook = sys.__unraisablehook__
Bad()
print("went on")
