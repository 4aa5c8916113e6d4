import atexit


def one():
    print("one")


def two():
    print("two")


atexit.register(one)
atexit.register(two)
atexit.register(one)
atexit.unregister(one)
