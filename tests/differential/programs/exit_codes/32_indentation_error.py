# tag: compile
def f():
print("never")
