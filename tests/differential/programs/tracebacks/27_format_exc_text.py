import os
import sys
import traceback


def inner():
    raise ValueError("seen")


try:
    inner()
except ValueError:
    text = traceback.format_exc()
    print(text.replace(os.path.dirname(os.path.abspath(__file__)) + "/", ""), end="")
