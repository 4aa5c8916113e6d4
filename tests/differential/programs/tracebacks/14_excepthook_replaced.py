import sys


def hook(kind, value, trace):
    print("hook:", kind.__name__, value, trace is not None)


sys.excepthook = hook
print("before")
raise OSError(2, "gone")
