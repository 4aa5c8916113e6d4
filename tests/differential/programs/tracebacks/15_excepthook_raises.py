import sys


def hook(kind, value, trace):
    raise KeyError("from the hook")


sys.excepthook = hook
raise ValueError("original")
