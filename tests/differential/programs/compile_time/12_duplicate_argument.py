# tag: compile
# Two arguments of one name.
def f(a, a):
    return a
