import atexit


def bad():
    raise ValueError("in handler")


atexit.register(print, "after the bad one")
atexit.register(bad)
atexit.register(print, "before the bad one")
