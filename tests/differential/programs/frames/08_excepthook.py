# sys.excepthook gets the exception with a traceback that begins in this file.
import os
import sys
import traceback


def hook(kind, value, tb):
    entries = traceback.extract_tb(tb)
    print(kind.__name__, value, [(os.path.basename(entry.filename), entry.lineno, entry.name) for entry in entries])


print(sys.excepthook is sys.__excepthook__)
sys.excepthook = hook
raise RuntimeError("handed to the hook")
