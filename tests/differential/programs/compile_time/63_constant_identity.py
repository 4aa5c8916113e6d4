# Constants of one file are shared as one compilation shares them.
def f():
    return 1.5, (1, 2, 3), "two words", b"bytes", 10**6


def g():
    return 1.5, (1, 2, 3), "two words", b"bytes", 10**6


a, b = f(), g()
print([left is right for left, right in zip(a, b)])
print(f.__code__.co_consts is g.__code__.co_consts, f() is g(), f() is f())
x = 1000
y = 1000
print(x is y, "two words" in a, a[2] is "".join(["two", " words"]))
