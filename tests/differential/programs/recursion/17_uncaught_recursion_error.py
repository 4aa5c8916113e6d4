# An uncaught RecursionError: output before it stays, exit code 1.
def f(x):
    return g(x)


def g(x):
    return f(x)


print("before")
f(1)
