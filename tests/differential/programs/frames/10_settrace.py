# A trace function sees the program's own events only.
import os
import sys

events = []


def trace(frame, event, argument):
    events.append((os.path.basename(frame.f_code.co_filename), frame.f_code.co_name, event))
    return trace


def f():
    return 1


print(sys.gettrace(), sys.getprofile())
sys.settrace(trace)
f()
sys.settrace(None)
print(events)
