import atexit


def outer():
    print("outer")
    atexit.register(print, "registered late")


atexit.register(print, "earliest")
atexit.register(outer)
