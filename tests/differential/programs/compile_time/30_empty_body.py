# tag: compile
# A function without a body.
def f():

print("never")
