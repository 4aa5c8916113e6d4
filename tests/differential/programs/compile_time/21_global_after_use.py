# tag: compile
# global after the name was used.
def f():
    x = 1
    global x
