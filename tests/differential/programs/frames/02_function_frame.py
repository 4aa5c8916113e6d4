# A function's frame and its caller.
import sys


def inner():
    frame = sys._getframe()
    return frame.f_code.co_name, frame.f_back.f_code.co_name, frame.f_back.f_back.f_code.co_name, frame.f_lineno


def outer():
    return inner()


print(outer())
