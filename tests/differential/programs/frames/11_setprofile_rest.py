# A profile function that is left on until the end of the program.
import sys

calls = []


def profile(frame, event, argument):
    if event == "call":
        calls.append(frame.f_code.co_name)


def f():
    return sorted([2, 1])


sys.setprofile(profile)
f()
f()
sys.setprofile(None)
print(calls)
